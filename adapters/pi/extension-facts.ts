/** @module pi/extension-facts - Pi's extension events as the facts of {@link wire}, with what ties them together. */
import type { PiContext, PiEvents, PiMessage } from './extension-api.js'
import { textOf } from './extension-api.js'
import { Prompts, type Waiting } from './extension-prompts.js'
import type { PiBlock, PiFact, PiUsage } from './wire.js'

/** Turns events into facts. One a process: numbers and the open run outlive a change of session. */
export class Facts {
  private m = 0
  /** The assistant message that streams now, and how long its blocks are so far. */
  private streaming: { m: number; lengths: Map<number, number> } | null = null
  private lastAssistant = 0
  private running = false
  private error: string | null = null
  private prompt: string | null = null
  private compacts = false
  private readonly called = new Set<string>()

  readonly prompts = new Prompts()

  constructor(private readonly push: (fact: PiFact) => void) {}

  /** Pi refuses prompts meanwhile. */
  get compacting(): boolean {
    return this.compacts
  }

  sessionStart(event: PiEvents['session_start'], ctx: PiContext): void {
    this.running = false
    this.prompt = null
    this.streaming = null
    this.compacts = false
    this.push({
      ev: 'session_start',
      reason: event.reason,
      sid: ctx.sessionManager.getSessionId(),
      file: ctx.sessionManager.getSessionFile() ?? null,
      model: ctx.model ? `${ctx.model.provider}/${ctx.model.id}` : null,
    })
    this.state(ctx)
  }

  sessionShutdown(event: PiEvents['session_shutdown']): void {
    // A run that is cut by the end of its session never settles in Pi's own words.
    if (this.running) this.settle({ aborted: true })
    const why = 'Pi left its session before it ran'
    for (const w of [...this.prompts.settled(), ...this.prompts.emptied()]) this.returned(w, why)
    this.push({ ev: 'session_shutdown', reason: event.reason })
  }

  state(ctx: PiContext): void {
    const file = ctx.sessionManager.getSessionFile() ?? null
    this.push({ ev: 'state', idle: ctx.isIdle(), prompt: this.prompt, file })
  }

  input(event: PiEvents['input']): void {
    const { text, messageId, mode } = this.prompts.input(
      event.text,
      event.source,
      event.streamingBehavior ?? null,
    )
    if (mode) this.push({ ev: 'accepted', text, messageId, queued: mode })
  }

  beforeRun(event: PiEvents['before_agent_start']): void {
    if (event.messageType !== undefined && event.messageType !== 'user') return
    // As it was put in: a template or skill may have made the prompt longer since.
    const taken = this.prompts.accept(event.prompt)
    if (taken) this.push({ ev: 'accepted', text: taken.text, messageId: taken.messageId, queued: null })
  }

  /** Tells again that Pi has a prompt, for a bridge that may have missed it. */
  acceptedAgain(messageId: string, text: string): void {
    const queued = this.prompts.waiting().find((w) => w.messageId === messageId)?.mode ?? null
    this.push({ ev: 'accepted', text, messageId, queued })
  }

  returned(prompt: Waiting, why: string): void {
    const { text, messageId } = prompt
    if (messageId !== null) this.push({ ev: 'returned', text, messageId, why })
  }

  agentStart(): void {
    const first = !this.running
    this.running = true
    this.compacts = false
    if (first) this.error = null
    this.push({ ev: 'agent_start', first })
  }

  agentSettled(event: PiEvents['agent_settled'], ctx: PiContext): void {
    for (const w of this.prompts.settled()) this.returned(w, 'the run was stopped before it began')
    // What an abort by Escape or Alt+Up took out of Pi's queue stands in the editor, where it is a draft like any other.
    if (ctx.hasPendingMessages?.() === false)
      for (const w of this.prompts.emptied())
        this.returned(w, 'it was taken out of the queue in the terminal and put into the editor')
    this.settle(event)
  }

  private settle(event: PiEvents['agent_settled']): void {
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
    const images = parts.filter((p) => p.type === 'image').length
    const prompt = this.prompts.begin(text)
    // What Pi tells the model about images stands behind the prompt.
    const longer = prompt?.messageId != null && text.length > prompt.text.length
    const added = longer ? text.slice(prompt.text.length).trim() : null
    const said = longer ? prompt.text : text
    this.push({ ev: 'user', m: this.m, text: said, images, messageId: prompt?.messageId ?? null, added })
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

  name(event: PiEvents['session_info_changed']): void {
    this.push({ ev: 'name', name: event.name ?? null })
  }

  beforeCompact(event: PiEvents['session_before_compact'], ctx: PiContext): void {
    // Others are a part of a run, which takes prompts.
    if (event.reason !== 'manual') return
    this.compacts = true
    this.state(ctx)
  }

  /** A compaction is over and Pi is free again, or a run goes on. */
  compacted(ctx: PiContext): void {
    if (!this.compacts) return
    this.compacts = false
    this.state(ctx)
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
