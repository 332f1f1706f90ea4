/** @module pi/extension-facts - Pi's extension events as the facts of {@link wire}, with what ties them together. */
import type { PiContext, PiEvents, PiMessage } from './extension-api.js'
import { textOf } from './extension-api.js'
import type { PiBlock, PiFact, PiUsage } from './wire.js'

/** Prompts that were put in and have not begun a run; more than this are forgotten, oldest first. */
const MAX_INPUTS = 16

/** Turns events into facts. One a process: numbers and the open run outlive a change of session. */
export class Facts {
  private m = 0
  /** The assistant message that streams now, and how long its blocks are so far. */
  private streaming: { m: number; lengths: Map<number, number> } | null = null
  private lastAssistant = 0
  private running = false
  private error: string | null = null
  private prompt: string | null = null
  private inputs: string[] = []
  private readonly called = new Set<string>()

  constructor(private readonly push: (fact: PiFact) => void) {}

  sessionStart(event: PiEvents['session_start'], ctx: PiContext): void {
    this.running = false
    this.prompt = null
    this.streaming = null
    this.inputs = []
    this.push({
      ev: 'session_start',
      reason: event.reason,
      sid: ctx.sessionManager.getSessionId(),
      file: ctx.sessionManager.getSessionFile() ?? null,
      model: ctx.model ? `${ctx.model.provider}/${ctx.model.id}` : null,
    })
    this.state(ctx.isIdle())
  }

  sessionShutdown(event: PiEvents['session_shutdown']): void {
    // A run that is cut by the end of its session never settles in Pi's own words.
    if (this.running) this.agentSettled({ aborted: true })
    this.push({ ev: 'session_shutdown', reason: event.reason })
  }

  state(idle: boolean): void {
    this.push({ ev: 'state', idle, prompt: this.prompt })
  }

  input(event: PiEvents['input']): void {
    const queued = event.streamingBehavior ?? null
    this.push({ ev: 'input', text: event.text, source: event.source, queued })
    if (queued) return
    this.inputs.push(event.text)
    if (this.inputs.length > MAX_INPUTS) this.inputs.shift()
  }

  beforeRun(event: PiEvents['before_agent_start']): void {
    const inputs = this.inputs
    this.inputs = []
    if (event.messageType !== undefined && event.messageType !== 'user') return
    // As it was put in: a template or skill may have made the prompt longer since.
    const same = inputs.find((text) => text === event.prompt)
    const text = same ?? inputs.at(-1) ?? event.prompt
    if (text !== undefined) this.push({ ev: 'accepted', text })
  }

  agentStart(): void {
    const first = !this.running
    this.running = true
    if (first) this.error = null
    this.push({ ev: 'agent_start', first })
  }

  agentSettled(event: PiEvents['agent_settled']): void {
    this.running = false
    this.called.clear()
    this.push({ ev: 'agent_settled', aborted: event.aborted === true, error: this.error })
  }

  turnStart(): void {
    this.push({ ev: 'turn_start' })
  }

  turnEnd(event: PiEvents['turn_end']): void {
    this.push({ ev: 'turn_end', entryId: event.messageEntryId ?? null, m: this.lastAssistant })
  }

  messageStart(event: PiEvents['message_start']): void {
    if (event.message.role === 'assistant') this.begin()
  }

  messageUpdate(event: PiEvents['message_update']): void {
    const { type, contentIndex: c, delta } = event.assistantMessageEvent
    if ((type !== 'text_delta' && type !== 'thinking_delta') || c === undefined || !delta) return
    const { m, lengths } = this.streaming ?? this.begin()
    const at = lengths.get(c) ?? 0
    lengths.set(c, at + delta.length)
    this.push({ ev: 'delta', m, c, kind: type === 'text_delta' ? 'text' : 'thinking', at, delta })
  }

  messageEnd(event: PiEvents['message_end']): void {
    const { message } = event
    if (message.role === 'assistant') this.assistant(message)
    if (message.role !== 'user') return
    this.m += 1
    const content = message.content
    const parts = typeof content === 'string' ? [] : (content ?? [])
    const text = typeof content === 'string' ? content : textOf(parts.filter((p) => p.type === 'text'))
    this.push({ ev: 'user', m: this.m, text, images: parts.filter((p) => p.type === 'image').length })
  }

  toolStart(event: PiEvents['tool_execution_start']): void {
    this.push({ ev: 'tool_start', id: event.toolCallId, name: event.toolName, args: event.args ?? null })
  }

  toolCall(event: PiEvents['tool_call']): void {
    this.called.add(event.toolCallId)
  }

  toolUpdate(event: PiEvents['tool_execution_update']): void {
    const text = textOf(event.partialResult?.content)
    if (text !== '') this.push({ ev: 'tool_update', id: event.toolCallId, text })
  }

  toolEnd(event: PiEvents['tool_execution_end'], ctx: PiContext): void {
    const aborted = event.isError && ctx.signal?.aborted === true
    const ran = event.durationMs !== undefined
    this.push({
      ev: 'tool_end',
      id: event.toolCallId,
      text: textOf(event.result?.content),
      isError: event.isError,
      aborted,
      // Unknown tools and bad arguments never get to `tool_call`; what got there and did not run was stopped.
      blocked: event.isError && !ran && !aborted && this.called.delete(event.toolCallId),
      ms: event.durationMs ?? null,
    })
  }

  model(event: PiEvents['model_select']): void {
    this.push({ ev: 'model', model: `${event.model.provider}/${event.model.id}` })
  }

  thinking(event: PiEvents['thinking_level_select']): void {
    this.push({ ev: 'thinking', level: event.level })
  }

  compact(event: PiEvents['session_compact']): void {
    const tokensBefore = event.compactionEntry?.tokensBefore ?? null
    this.push({ ev: 'compact', reason: event.reason ?? 'unknown', tokensBefore })
  }

  compactFailed(event: PiEvents['session_compact_failed']): void {
    const { reason = 'unknown', aborted = false, errorMessage } = event
    this.push({ ev: 'compact_failed', reason, aborted, error: errorMessage ?? null })
  }

  promptStart(event: PiEvents['ui_prompt_start']): void {
    this.prompt = event.title ?? event.kind
    this.push({ ev: 'prompt_start', kind: event.kind, title: this.prompt })
  }

  promptEnd(ctx: PiContext): void {
    this.prompt = null
    this.push({ ev: 'prompt_end', idle: ctx.isIdle() })
  }

  private begin(): { m: number; lengths: Map<number, number> } {
    this.m += 1
    this.streaming = { m: this.m, lengths: new Map() }
    return this.streaming
  }

  private assistant(message: PiMessage): void {
    const { m } = this.streaming ?? this.begin()
    this.streaming = null
    this.lastAssistant = m
    const content = typeof message.content === 'string' ? [] : (message.content ?? [])
    const blocks: PiBlock[] = []
    for (const [c, part] of content.entries()) {
      if (part.type === 'text') blocks.push({ c, kind: 'text', text: part.text ?? '' })
      if (part.type === 'thinking') blocks.push({ c, kind: 'thinking', text: part.thinking ?? '' })
    }
    const stop = message.stopReason ?? 'unknown'
    const error = stop === 'error' ? (message.errorMessage ?? 'the model request failed') : null
    this.error = error
    this.push({
      ev: 'assistant',
      m,
      blocks,
      stop,
      error,
      model: message.model ?? null,
      usage: usageOf(message.usage),
    })
  }
}

function usageOf(usage: PiMessage['usage']): PiUsage | null {
  if (!usage) return null
  const { input, output, cacheRead, cacheWrite } = usage
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    reasoning: usage.reasoning ?? null,
    usd: usage.cost?.total ?? 0,
    billed: usage.cost?.totalFromProvider === true,
  }
}
