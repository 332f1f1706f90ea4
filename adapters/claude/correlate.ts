/**
 * @module adapters/claude/correlate - hooks, transcript and status file as one stream of observations. Pure.
 *
 * The transcript writes the content and the order; the hooks only come earlier. What a hook tells before the
 * transcript has ended the turn before is held until then.
 */
import type { Observation } from '../../src/adapter/index.js'
import { Display } from './display.js'
import { Lineage } from './lineage.js'
import type { ApiUsage, Block, Hook, Status, TranscriptRecord } from './records.js'
import { knownBlocks, resultText } from './records.js'
import { canonicalTool } from './tools.js'

const INTERRUPTED = /^\[Request interrupted by user/u
const REJECTED = /^The user doesn't want to proceed with this tool use/u
/** Most hook posts that are held for the turn before. */
const HELD = 500

interface Turn {
  answered: boolean
  promptId: string | null
  /** An API error that the transcript told. */
  error: string | null
  /** The Stop hook (or StopFailure) came: the vendor's own word that the turn is over. */
  stopped: 'completed' | 'failed' | null
}

/** Most prompts and durations that wait for their record. */
const WAITING = 1000

export class Correlator {
  private readonly lineage = new Lineage()
  private readonly display = new Display()
  private readonly durations = new Map<string, number>()
  private readonly toldPrompts = new Map<string, string>()
  private readonly held: Hook[] = []
  private turn: Turn | null = null
  private readySeen = false
  /** The status file says so; before its first word nothing is known. */
  private idle = false
  private overflowed = false
  private turns = 0

  /** `since`: records older than this (ISO time) are history of a resumed session and are passed over. */
  constructor(private readonly since: string) {}

  /** The number of the open turn, or null: a wait that began in one turn says nothing of the next. */
  get openTurn(): number | null {
    return this.turn ? this.turns : null
  }

  hook(hook: Hook): Observation[] {
    if (hook.agent_id) return []
    if (this.held.length > 0 || (hook.hook_event_name === 'UserPromptSubmit' && this.turn?.answered)) {
      if (this.held.length < HELD) this.held.push(hook)
      else if (!this.overflowed) {
        this.overflowed = true
        return [
          gap('hook', 'claude.held', `more than ${HELD} hook posts wait for the end of the turn before`),
        ]
      }
      return []
    }
    switch (hook.hook_event_name) {
      case 'UserPromptSubmit':
        return this.promptFromHook(hook)
      case 'MessageDisplay': {
        const told = this.display.piece(hook)
        if (this.turn && told.length > 0) this.turn.answered = true
        return this.turn ? told : []
      }
      case 'PreToolUse':
        return [{ type: 'activity', source: 'hook', activity: 'tool', detail: hook.tool_name ?? '' }]
      case 'PostToolUse':
      case 'PostToolUseFailure':
        if (hook.tool_use_id && hook.duration_ms !== undefined)
          keep(this.durations, hook.tool_use_id, hook.duration_ms)
        return []
      case 'Stop':
      case 'StopFailure':
        if (this.turn) this.turn.stopped = hook.hook_event_name === 'Stop' ? 'completed' : 'failed'
        return []
      default:
        return []
    }
  }

  /** A record, as it was written; told after the one that it names as the one before. */
  record(record: TranscriptRecord): Observation[] {
    return this.lineage.next(record).flatMap((one) => this.inOrder(one))
  }

  private inOrder(record: TranscriptRecord): Observation[] {
    if (record.isSidechain || (record.timestamp !== undefined && record.timestamp < this.since)) return []
    switch (record.type) {
      case 'user':
        return this.userRecord(record)
      case 'assistant':
        return this.assistantRecord(record)
      case 'system':
        return record.subtype === 'turn_duration' ? this.end(this.turn?.error ? 'failed' : 'completed') : []
      case 'attachment':
        return this.foldedPrompt(record)
      case 'permission-mode':
        return record.permissionMode
          ? [{ type: 'mode', source: 'transcript', mode: record.permissionMode }]
          : []
      default:
        return []
    }
  }

  status(status: Status): Observation[] {
    const states = { idle: 'idle', busy: 'running', waiting: 'blocked' } as const
    const state = states[status.status as keyof typeof states] ?? 'unknown'
    this.idle = state === 'idle'
    const evidence = [`status: ${status.status}${status.waitingFor ? ` (${status.waitingFor})` : ''}`]
    const told: Observation[] = [
      { type: 'state', source: 'transcript', state, rule: 'claude.status-file', evidence },
    ]
    if (!this.readySeen) {
      this.readySeen = true
      told.unshift({ type: 'ready', source: 'transcript' })
    }
    return told
  }

  /** Whether the open turn has been answered or stopped: then the transcript will have its end. */
  get endExpected(): boolean {
    return this.turn?.answered === true || this.turn?.stopped != null
  }

  /**
   * The status file says idle and the transcript has no end, though it had its time. Before any answer that is an
   * interrupt, which leaves no record; after one it is a record that is missing, and told as such.
   */
  idleWithoutEnd(): Observation[] {
    const late = this.lineage.release().flatMap((record) => this.inOrder(record))
    return [...late, ...this.endUntold()]
  }

  private endUntold(): Observation[] {
    const turn = this.turn
    if (!turn) return []
    if (!this.endExpected) return this.end('interrupted', 'idle again without an answer')
    const missing = gap(
      'transcript',
      'claude.end',
      'the program is idle and its transcript has no end of the turn',
    )
    return [missing, ...this.end(turn.stopped ?? (turn.error ? 'failed' : 'completed'))]
  }

  private promptFromHook(hook: Hook): Observation[] {
    const text = hook.prompt ?? ''
    const id = hook.prompt_id ?? ''
    if (id) keep(this.toldPrompts, id, text)
    return [
      ...this.prompt('hook', `prompt:${id}:${text}`, text, id || null),
      { type: 'prompt.accepted', source: 'hook', text },
    ]
  }

  private prompt(
    source: 'hook' | 'transcript',
    key: string,
    text: string,
    promptId: string | null,
  ): Observation[] {
    const images = text.match(/\[Image #\d+\]/gu)?.length ?? 0
    return [
      ...this.begin(source, promptId),
      { type: 'user.message', source, key, text, ...(images ? { images } : {}) },
    ]
  }

  private begin(source: 'hook' | 'transcript', promptId: string | null): Observation[] {
    if (this.turn) {
      this.turn.promptId ??= promptId
      return []
    }
    this.turn = { answered: false, promptId, error: null, stopped: null }
    this.turns += 1
    this.overflowed = false
    this.display.clear()
    return [{ type: 'turn.started', source }]
  }

  private userRecord(record: TranscriptRecord): Observation[] {
    const content = record.message?.content
    if (content === undefined || record.isMeta || record.isCompactSummary) return []
    if (typeof content === 'string') return this.userText(record, content)
    const told: Observation[] = []
    const texts: string[] = []
    for (const block of knownBlocks(content)) {
      if (block.type === 'tool_result') told.push(...this.toolResult(block))
      else if (block.type === 'text') texts.push(block.text)
    }
    if (texts.length > 0) told.push(...this.userText(record, texts.join('\n')))
    return told
  }

  private userText(record: TranscriptRecord, text: string): Observation[] {
    const id = record.promptId ?? ''
    const told = this.toldPrompts.get(id)
    // What the hook told as a prompt is one, even where it looks like a mark of the program.
    if (told !== undefined && squeeze(told) === squeeze(text)) {
      this.toldPrompts.delete(id)
      return []
    }
    if (INTERRUPTED.test(text)) return this.end('interrupted', text)
    const uuid = record.uuid ?? text
    const command = commandText(text)
    if (command === '') return []
    if (command !== null)
      return [{ type: 'command', source: 'transcript', key: `command:${uuid}`, text: command }]
    if (told !== undefined) {
      this.toldPrompts.delete(id)
      const lengths = `the hook told ${told.length} characters, the transcript has ${text.length}`
      return [gap('transcript', 'prompt_mismatch', lengths)]
    }
    // The vendor has moved on to another prompt without a word about the end of the one before.
    const ended = this.turn?.answered && this.turn.promptId !== id ? this.end('completed') : []
    return [...ended, ...this.prompt('transcript', `prompt:${id}:${text}`, text, id || null)]
  }

  /** A prompt typed while a tool ran: handed to the model within the turn, and no hook tells it. */
  private foldedPrompt(record: TranscriptRecord): Observation[] {
    const attachment = record.attachment
    if (attachment?.type !== 'queued_command' || typeof attachment.prompt !== 'string') return []
    return [
      {
        type: 'user.message',
        source: 'transcript',
        key: `folded:${record.uuid ?? attachment.prompt}`,
        text: attachment.prompt,
      },
    ]
  }

  private assistantRecord(record: TranscriptRecord): Observation[] {
    const message = record.message
    if (!message || typeof message.content === 'string') return []
    // An answer that comes when all is over belongs to no turn: one that it began would never end.
    const late = this.idle && !this.turn
    const told: Observation[] = late ? [] : this.begin('transcript', record.promptId ?? null)
    if (this.turn) this.turn.answered = true
    const synthetic = message.model === '<synthetic>'
    const blocks = knownBlocks(message.content)
    if (synthetic && record.isApiErrorMessage) {
      const text = blocks.map((b) => (b.type === 'text' ? b.text : '')).join('\n')
      if (this.turn) this.turn.error = text
      return [
        ...told,
        { type: 'notice', source: 'transcript', key: `error:${record.uuid ?? text}`, level: 'error', text },
      ]
    }
    for (const [n, block] of blocks.entries())
      told.push(...this.answer(block, `${record.uuid ?? ''}:${n}`, synthetic))
    if (!synthetic && message.usage && message.id)
      told.push(...usage(message.id, message.model ?? null, message.usage))
    return told
  }

  private answer(block: Block, place: string, partial: boolean): Observation[] {
    const source = 'transcript'
    if (block.type === 'text') {
      const { key, rest } = this.display.recorded(block.text, `text:${place}`)
      const partialMark = partial ? { partial } : {}
      return [
        { type: 'text.completed', source, key, kind: 'assistant_message', text: block.text, ...partialMark },
        ...rest,
      ]
    }
    if (block.type === 'thinking' && block.thinking !== '') {
      const beforeKey = this.display.openKey
      const place1 = beforeKey === undefined ? {} : { beforeKey }
      return [
        {
          type: 'text.completed',
          source,
          key: `thinking:${place}`,
          kind: 'reasoning',
          text: block.thinking,
          ...place1,
        },
      ]
    }
    if (block.type === 'tool_use') {
      return [
        {
          type: 'tool.started',
          source,
          callId: block.id,
          tool: canonicalTool(block.name),
          name: block.name,
          input: block.input,
        },
      ]
    }
    return []
  }

  private toolResult(block: Extract<Block, { type: 'tool_result' }>): Observation[] {
    const output = resultText(block.content)
    const durationMs = this.durations.get(block.tool_use_id)
    this.durations.delete(block.tool_use_id)
    // Only a failed result speaks for the program; any other text is the tool's own.
    const refused = REJECTED.test(output) ? 'denied' : INTERRUPTED.test(output) ? 'interrupted' : 'failed'
    const status = block.is_error ? refused : 'completed'
    return [
      {
        type: 'tool.completed',
        source: 'transcript',
        callId: block.tool_use_id,
        status,
        output,
        ...(durationMs === undefined ? {} : { durationMs }),
      },
    ]
  }

  private end(outcome: 'completed' | 'interrupted' | 'failed', detail?: string): Observation[] {
    const turn = this.turn
    if (!turn) return []
    this.turn = null
    const why = outcome === 'failed' ? (turn.error ?? detail) : detail
    const told: Observation[] = [
      { type: 'turn.ended', source: 'transcript', outcome, ...(why === undefined ? {} : { detail: why }) },
    ]
    const held = this.held.splice(0)
    return [...told, ...held.flatMap((hook) => this.hook(hook))]
  }
}

function gap(source: 'hook' | 'transcript', what: string, detail: string): Observation {
  return { type: 'gap', source, what, detail }
}

/** Remembers one more and forgets the oldest beyond the bound. */
function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.set(key, value)
  if (map.size <= WAITING) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

function usage(key: string, model: string | null, u: ApiUsage): Observation[] {
  const tokens = {
    input: u.input_tokens,
    output: u.output_tokens,
    cacheRead: u.cache_read_input_tokens ?? 0,
    cacheWrite: u.cache_creation_input_tokens ?? 0,
  }
  return [{ type: 'usage', source: 'transcript', key, model, tokens }]
}

/** A command's echo as the person typed it; '' for its output; null when the text is a prompt. */
function commandText(text: string): string | null {
  const name = /^<command-name>([^<]*)<\/command-name>/u.exec(text.trim())
  if (name) return `${name[1]} ${/<command-args>([^<]*)<\/command-args>/u.exec(text)?.[1] ?? ''}`.trim()
  const shell = /^<bash-input>([\s\S]*?)<\/bash-input>/u.exec(text.trim())
  if (shell) return `!${shell[1]}`
  return /^<(?:local-command-|bash-std|task-notification)/u.test(text.trim()) ? '' : null
}

const squeeze = (text: string) =>
  text
    .replace(/\[Image[^\]]*\]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
