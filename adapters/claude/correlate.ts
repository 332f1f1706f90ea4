/**
 * @module adapters/claude/correlate - hooks, transcript and status file as one stream of observations. Pure.
 *
 * The transcript writes the content and the order; the hooks only come earlier. What a hook tells before the
 * transcript has ended the turn before, or has told the prompt of this one, is held until then. Keys are the same
 * whoever tells first: after a restart the transcript alone tells everything again.
 */
import type { Observation } from '../../src/adapter/index.js'
import { Display } from './display.js'
import { Lineage } from './lineage.js'
import { Prompts, promptKey, saidOf } from './prompts.js'
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

/** Most durations that wait for their record. */
const WAITING = 1000

export class Correlator {
  private readonly lineage = new Lineage()
  private readonly display = new Display(() => this.turn?.promptId ?? '')
  private readonly durations = new Map<string, number>()
  private readonly prompts = new Prompts()
  private readonly held: Hook[] = []
  private turn: Turn | null = null
  private readySeen = false
  /** The status file says so; before its first word nothing is known. */
  private idle = false
  private overflowed = false
  private turns = 0
  /** A tool has ended and the program's queue is not empty: what it folds into the turn comes before the next text. */
  private folds = false
  private mode: string | null = null
  private model: string | null = null

  /** `since`: records older than this (ISO time) are history of a resumed session and are passed over. */
  constructor(private readonly since: string) {}

  /** The number of the open turn, or null: a wait that began in one turn says nothing of the next. */
  get openTurn(): number | null {
    return this.turn ? this.turns : null
  }

  hook(hook: Hook): Observation[] {
    if (hook.agent_id) return []
    if (this.mustWait(hook)) {
      if (this.held.length < HELD) this.held.push(hook)
      else if (!this.overflowed) {
        this.overflowed = true
        return [
          gap('hook', 'claude.held', `more than ${HELD} hook posts wait for the end of the turn before`),
        ]
      }
      return []
    }
    return [...this.modeIs('hook', hook.permission_mode), ...this.act(hook)]
  }

  private act(hook: Hook): Observation[] {
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
        this.folds = this.prompts.anyQueued
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

  /** Whether the transcript has to tell something before this post. */
  private mustWait(hook: Hook): boolean {
    if (this.held.length > 0) return true
    const name = hook.hook_event_name
    if (name === 'UserPromptSubmit') {
      const own = this.turn === null || this.turn.promptId === hook.prompt_id
      return !own && !this.runsWithOthers(hook.prompt ?? '')
    }
    return this.prompts.waitsForRecord || (this.folds && name === 'MessageDisplay')
  }

  /** Prompts that were queued in the turn before run together: one turn, a post of the hook for each. */
  private runsWithOthers(prompt: string): boolean {
    const queuedIn = this.prompts.queuedIn(prompt)
    return queuedIn !== null && queuedIn < this.turns && this.turn?.answered === false
  }

  private release(): Observation[] {
    return this.held.splice(0).flatMap((hook) => this.hook(hook))
  }

  /** A record, as it was written; told after the one that it names as the one before. */
  record(record: TranscriptRecord): Observation[] {
    return this.lineage.next(record).flatMap((one) => this.inOrder(one))
  }

  private inOrder(record: TranscriptRecord): Observation[] {
    if (record.isSidechain || record.forkedFrom != null) return []
    if (record.timestamp !== undefined && record.timestamp < this.since) return []
    switch (record.type) {
      case 'user':
        return this.userRecord(record)
      case 'assistant':
        return this.assistantRecord(record)
      case 'system':
        return this.systemRecord(record)
      case 'attachment':
        return this.foldedPrompt(record)
      case 'queue-operation':
        return this.queueOperation(record)
      case 'permission-mode':
        return this.modeIs('transcript', record.permissionMode)
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
    return [...this.releaseLate(), ...this.endUntold()]
  }

  /** Records that wait for one before them, as far as they are there. */
  releaseLate(): Observation[] {
    return this.lineage.release().flatMap((record) => this.inOrder(record))
  }

  /** The footer shows this mode. */
  modeSeen(mode: string): Observation[] {
    this.mode = mode
    return [{ type: 'mode', source: 'screen', mode }]
  }

  private endUntold(): Observation[] {
    const turn = this.turn
    if (!turn) return []
    this.prompts.giveUp()
    this.folds = false
    const told = this.release()
    return [...told, ...this.endOf(turn)]
  }

  private endOf(turn: Turn): Observation[] {
    if (!this.endExpected) return this.end('interrupted', 'idle again without an answer')
    const missing = gap(
      'transcript',
      'claude.end',
      'the program is idle and its transcript has no end of the turn',
    )
    return [missing, ...this.end(turn.stopped ?? (turn.error ? 'failed' : 'completed'))]
  }

  private promptFromHook(hook: Hook): Observation[] {
    const prompt = hook.prompt ?? ''
    const id = hook.prompt_id ?? ''
    const accepted: Observation = { type: 'prompt.accepted', source: 'hook', text: saidOf(prompt).text }
    if (this.prompts.leaves(prompt)) {
      this.prompts.await(prompt)
      return [...this.begin('hook', null), accepted]
    }
    this.prompts.tell(id, prompt)
    return [...this.prompt('hook', prompt, id || null), accepted]
  }

  private prompt(source: 'hook' | 'transcript', prompt: string, promptId: string | null): Observation[] {
    const { text, images } = saidOf(prompt)
    const key = promptKey(promptId ?? '', prompt)
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
    // What the hook told as a prompt is one, even where it looks like a mark of the program.
    if (this.prompts.meets(id, text)) {
      if (this.turn && id) this.turn.promptId = id
      return []
    }
    if (INTERRUPTED.test(text)) return this.end('interrupted', text)
    const uuid = record.uuid ?? text
    const command = commandText(text)
    if (command === '') return []
    if (command !== null)
      return [{ type: 'command', source: 'transcript', key: `command:${uuid}`, text: command }]
    const ended = this.overtaken(id)
    // The hook's own word for it may have waited for that end.
    if (ended.length > 0 && this.prompts.meets(id, text)) return ended
    const other = this.prompts.differs(id)
    if (other !== null) {
      const lengths = `the hook told ${other.length} characters, the transcript has ${text.length}`
      return [...ended, gap('transcript', 'prompt_mismatch', lengths)]
    }
    const told = [...ended, ...this.prompt('transcript', text, id || null)]
    this.prompts.arrived(text)
    return this.prompts.waitsForRecord ? told : [...told, ...this.release()]
  }

  /** The vendor has moved on to another prompt without a word about the end of the one before. */
  private overtaken(id: string): Observation[] {
    const turn = this.turn
    if (!turn || turn.promptId === id) return []
    if (turn.answered) return this.end('completed')
    return turn.promptId === null ? [] : this.end('interrupted', 'another prompt followed before an answer')
  }

  /** A prompt typed while a tool ran: handed to the model within the turn, and no hook tells it. */
  private foldedPrompt(record: TranscriptRecord): Observation[] {
    const attachment = record.attachment
    if (attachment?.type !== 'queued_command' || (attachment.commandMode ?? 'prompt') !== 'prompt') return []
    const prompt = promptText(attachment.prompt)
    if (prompt === null || commandText(prompt) === '') return []
    this.prompts.arrived(prompt)
    const { text, images } = saidOf(prompt)
    const key = `folded:${record.uuid ?? prompt}`
    const told: Observation[] = [
      { type: 'user.message', source: 'transcript', key, text, ...(images ? { images } : {}) },
    ]
    if (this.prompts.anyQueued) return told
    this.folds = false
    return [...told, ...this.release()]
  }

  private queueOperation(record: TranscriptRecord): Observation[] {
    const prompt = record.content
    // News of a background task goes through the same queue.
    if (typeof prompt !== 'string' || commandText(prompt) === '') return []
    const { text } = saidOf(prompt)
    if (record.operation === 'enqueue') {
      this.prompts.enqueued(prompt, this.turns)
      return [{ type: 'prompt.accepted', source: 'transcript', text, queued: true }]
    }
    if (record.operation !== 'popAll' || !this.prompts.leaves(prompt)) return []
    return [{ type: 'prompt.returned', source: 'transcript', text }]
  }

  private systemRecord(record: TranscriptRecord): Observation[] {
    const uuid = record.uuid ?? ''
    const content = typeof record.content === 'string' ? record.content : ''
    switch (record.subtype) {
      case 'turn_duration':
        return this.end(this.turn?.error ? 'failed' : 'completed')
      case 'compact_boundary':
        return [
          { type: 'item', source: 'transcript', key: `compact:${uuid}`, kind: 'compaction', text: content },
        ]
      case 'local_command': {
        const text = commandText(content)
        if (text === null || text === '') return []
        return [{ type: 'command', source: 'transcript', key: `command:${uuid}`, text }]
      }
      case 'informational': {
        const level = record.level === 'warning' || record.level === 'error' ? record.level : 'info'
        if (content === '') return []
        return [{ type: 'notice', source: 'transcript', key: `info:${uuid}`, level, text: content }]
      }
      default:
        return []
    }
  }

  private modeIs(source: 'hook' | 'transcript', mode: string | null | undefined): Observation[] {
    if (!mode || mode === this.mode) return []
    this.mode = mode
    return [{ type: 'mode', source, mode }]
  }

  /** The model that answered, when it is another one than before. */
  private modelIs(model: string | undefined): Observation[] {
    if (!model || model === this.model) return []
    this.model = model
    return [{ type: 'model', source: 'transcript', model }]
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
    if (!synthetic) told.push(...this.modelIs(message.model))
    this.folds = false
    for (const [n, block] of blocks.entries())
      told.push(...this.answer(block, `${record.uuid ?? ''}:${n}`, synthetic))
    if (!synthetic && message.usage && message.id)
      told.push(...usage(message.id, message.model ?? null, message.usage))
    return told
  }

  private answer(block: Block, place: string, partial: boolean): Observation[] {
    const source = 'transcript'
    if (block.type === 'text') {
      const { key, rest } = this.display.recorded(block.text)
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
    this.prompts.giveUp()
    this.folds = false
    return [...told, ...this.release()]
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

/** The words of a prompt that may have images among its blocks; null for what is none. */
function promptText(prompt: unknown): string | null {
  if (typeof prompt === 'string') return prompt
  if (!Array.isArray(prompt)) return null
  const texts = knownBlocks(prompt).flatMap((block) => (block.type === 'text' ? [block.text] : []))
  return texts.length > 0 ? texts.join('\n') : null
}
