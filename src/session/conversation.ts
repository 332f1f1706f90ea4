/** @module session/conversation - the one reducer: observations in, event drafts out. No effects. */
import type { Observation } from '../adapter/index.js'
import type {
  DurableEvent,
  EventDraft,
  SessionState,
  Source,
  TurnOutcome,
  Usage,
} from '../protocol/events.js'
import type { IdSource } from '../protocol/ids.js'
import type { Item, ItemKind, ToolCallItem } from '../protocol/items.js'
import { Approvals } from './approvals.js'
import { addUsage, NO_USAGE, type Price, priced } from './pricing.js'
import { RecentKeys } from './recent-keys.js'

/** An item that has started and is not completed. `text`: its deltas joined, or a call's output so far. */
export interface OpenItem {
  readonly itemId: string
  readonly kind: ItemKind
  readonly item: Item
  text: string
}

/** Prompts that are expected at most; the oldest doubtful ones are given up. */
const MAX_EXPECTED = 2000
/** Longest live output of a call that is kept and told, in UTF-16 units; the tail is kept. */
const LIVE_OUTPUT = 20_000

/**
 * The conversation of one session. Every method returns what observers must be told, in order; nothing is
 * told twice: a repeated key, call or state is dropped.
 */
export class Conversation {
  private turn: { id: string; usage: Usage; prompt: string | null } | null = null
  private readonly open = new Map<string, OpenItem>()
  /** Item ids by key, also of completed items of this turn (for `beforeKey`). */
  private readonly ids = new Map<string, string>()
  private readonly done = new RecentKeys(20_000)
  readonly approvals: Approvals
  private readonly expected: { messageId: string; text: string; doubted: boolean }[] = []
  /** What was recalled of turns after the newest fact that has a key. */
  readonly turnsAtEnd: ('turn.started' | 'turn.completed')[] = []
  private sessionUsage: Usage = NO_USAGE
  private state: SessionState = 'starting'
  private rule = ''
  private model: string | null
  private mode: string | null = null
  private activityText: string | null = null

  constructor(
    private readonly newId: IdSource,
    private readonly price: Price,
    model: string | null,
    /** Who typed a prompt that did not come through the bridge; a recording cannot know. */
    private readonly elsewhere: 'terminal' | 'unknown' = 'terminal',
  ) {
    this.model = model
    this.approvals = new Approvals(newId)
  }

  /** The open turn's id. */
  get turnId(): string | null {
    return this.turn?.id ?? null
  }

  /** The newest prompt of the open turn. */
  get prompt(): string | null {
    return this.turn?.prompt ?? null
  }

  get currentState(): SessionState {
    return this.state
  }

  /** Items that are still open, in order, and what is going on. */
  board(): { turnId: string | null; activity: string | null; items: readonly OpenItem[] } {
    return { turnId: this.turnId, activity: this.activityText, items: [...this.open.values()] }
  }

  /** A prompt is on its way to the vendor: the user message with this text will be it. */
  expect(messageId: string, text: string, doubted = false): void {
    // Handed over again, it is expected once.
    this.forget(messageId)
    const at = doubted ? -1 : this.expected.findIndex((e) => e.doubted)
    this.expected.splice(at < 0 ? this.expected.length : at, 0, { messageId, text, doubted })
    if (this.expected.length > MAX_EXPECTED) this.expected.pop()
  }

  /** Nobody knows whether it will come: those of the same text that are expected now go before it. */
  doubt(messageId: string): void {
    const one = this.expected.find((e) => e.messageId === messageId)
    if (one) this.expect(messageId, one.text, true)
  }

  /** The prompt will not come after all. */
  forget(messageId: string): void {
    const at = this.expected.findIndex((e) => e.messageId === messageId)
    if (at >= 0) this.expected.splice(at, 1)
  }

  observe(o: Observation): EventDraft[] {
    switch (o.type) {
      case 'ready':
      case 'prompt.accepted':
      case 'prompt.returned':
      case 'caught_up':
      case 'vendor.version':
        return []
      case 'vendor.session':
        return [
          {
            type: 'session.vendor',
            source: o.source,
            vendorSessionId: o.vendorSessionId,
            transcript: o.transcript,
          },
        ]
      case 'turn.started':
        return this.startTurn(o.source)
      case 'turn.ended':
        return this.endTurn(o.source, o.outcome, o.detail ?? null)
      case 'user.message':
        return this.userMessage(o)
      case 'text.delta':
        return this.textDelta(o)
      case 'text.completed':
        return this.textCompleted(o)
      case 'tool.started':
        return this.toolStarted(o)
      case 'tool.output':
        return this.toolOutput(o)
      case 'tool.completed':
        return this.toolCompleted(o)
      case 'usage':
        return this.usage(o)
      case 'state':
        return this.changeState(o.source, o.state, o.rule, o.evidence)
      case 'model':
        if (o.model === this.model) return []
        this.model = o.model
        return [{ type: 'model', source: o.source, model: o.model }]
      case 'mode':
        if (o.mode === this.mode) return []
        this.mode = o.mode
        return [{ type: 'mode', source: o.source, mode: o.mode }]
      case 'notice':
        return this.whole(o.source, o.key, { kind: 'notice', text: o.text, level: o.level })
      case 'command':
        return this.whole(o.source, o.key, { kind: 'command', text: o.text })
      case 'item':
        return this.whole(o.source, o.key, { kind: o.kind, text: o.text })
      case 'dialog.opened':
        return this.approvals.opened(o)
      case 'dialog.closed':
        return this.approvals.closed(o)
      case 'activity':
        this.activityText = o.activity
        return [
          { type: 'session.activity', source: o.source, activity: o.activity, detail: o.detail ?? null },
        ]
      case 'gap':
        return [{ type: 'gap', source: o.source, what: o.what, detail: o.detail }]
    }
  }

  /** Takes in an event of an earlier run of the bridge, in the journal's order; nothing is told of it again. */
  recall(e: DurableEvent): void {
    if (e.type === 'turn.started' || e.type === 'turn.completed') this.turnsAtEnd.push(e.type)
    else if ('key' in e && e.key !== undefined) this.turnsAtEnd.length = 0
    switch (e.type) {
      case 'turn.started':
        this.turn = { id: e.turnId, usage: NO_USAGE, prompt: null }
        break
      case 'turn.completed':
        this.turn = null
        this.ids.clear()
        break
      case 'item.started':
        if (e.key === undefined) break
        this.ids.set(e.key, e.itemId)
        this.open.set(e.key, { itemId: e.itemId, kind: e.kind, item: e.item, text: '' })
        break
      case 'item.completed':
        if (this.turn && e.item.kind === 'user_message') this.turn.prompt = e.item.text
        if (e.key === undefined) break
        this.open.delete(e.key)
        this.done.add(e.key)
        break
      case 'usage':
        if (e.key !== undefined) this.done.add(`usage:${e.key}`)
        this.sessionUsage = e.session
        if (this.turn && e.turnId === this.turn.id) this.turn.usage = addUsage(this.turn.usage, e.usage)
        break
      case 'session.state':
        this.state = e.state
        this.rule = e.rule
        break
      case 'session.started':
      case 'model':
        this.model = e.model
        break
      case 'mode':
        this.mode = e.mode
        break
      default:
        this.approvals.recall(e)
    }
  }

  /** Whether this fact was told as an event already. */
  knows(o: Observation): boolean {
    const key = keyOf(o)
    return key !== null && (this.done.has(key) || (o.type === 'tool.started' && this.open.has(key)))
  }

  /** Settles whatever is open: the vendor's program is gone. */
  close(outcome: TurnOutcome, detail: string): EventDraft[] {
    return this.turn ? this.endTurn('bridge', outcome, detail) : this.settleOpen('bridge')
  }

  private startTurn(source: Source): EventDraft[] {
    if (this.turn) return []
    this.turn = { id: this.newId('turn'), usage: NO_USAGE, prompt: null }
    return [{ type: 'turn.started', source, turnId: this.turn.id }]
  }

  private endTurn(source: Source, outcome: TurnOutcome, detail: string | null): EventDraft[] {
    const turn = this.turn
    if (!turn) return []
    const drafts = this.settleOpen(source)
    const spent = turn.usage === NO_USAGE ? null : turn.usage
    drafts.push({ type: 'turn.completed', source, turnId: turn.id, outcome, detail, usage: spent })
    this.turn = null
    this.ids.clear()
    this.activityText = null
    return drafts
  }

  /** What never got its own end: texts as far as they were seen, calls as interrupted. */
  private settleOpen(source: Source): EventDraft[] {
    const drafts: EventDraft[] = []
    for (const [key, open] of this.open) {
      const item: Item =
        open.item.kind === 'tool_call'
          ? { ...open.item, status: 'interrupted', ...(open.text ? { output: open.text } : {}) }
          : open.item.kind === 'assistant_message' || open.item.kind === 'reasoning'
            ? { ...open.item, text: open.text, partial: true }
            : open.item
      this.done.add(key)
      drafts.push({ type: 'item.completed', source, itemId: open.itemId, turnId: this.turnId, item, key })
    }
    this.open.clear()
    return drafts
  }

  private userMessage(o: Extract<Observation, { type: 'user.message' }>): EventDraft[] {
    if (this.done.has(o.key)) return []
    const isIt = (e: { messageId: string; text: string }) =>
      o.messageId === undefined ? e.text.trim() === o.text.trim() : e.messageId === o.messageId
    const at = this.expected.findIndex(isIt)
    if (this.turn) this.turn.prompt = o.text
    const own = at >= 0 ? this.expected.splice(at, 1)[0] : undefined
    return this.whole(o.source, o.key, {
      kind: 'user_message',
      text: o.text,
      origin: own ? 'bridge' : this.elsewhere,
      ...(own ? { messageId: own.messageId } : {}),
      ...(o.images ? { images: o.images } : {}),
    })
  }

  /** An item that is told whole. */
  private whole(source: Source, key: string, item: Item): EventDraft[] {
    if (!this.done.add(key)) return []
    const itemId = this.idFor(key)
    const turnId = this.turnId
    return [
      { type: 'item.started', source, itemId, turnId, kind: item.kind, item, key },
      { type: 'item.completed', source, itemId, turnId, item, key },
    ]
  }

  private textDelta(o: Extract<Observation, { type: 'text.delta' }>): EventDraft[] {
    if (o.delta === '' || this.done.has(o.key)) return []
    const drafts: EventDraft[] = []
    let open = this.open.get(o.key)
    if (!open) {
      open = { itemId: this.idFor(o.key), kind: o.kind, item: { kind: o.kind, text: '' }, text: '' }
      this.open.set(o.key, open)
      drafts.push({
        type: 'item.started',
        source: o.source,
        itemId: open.itemId,
        turnId: this.turnId,
        kind: o.kind,
        item: open.item,
        key: o.key,
      })
    }
    const offset = open.text.length
    open.text += o.delta
    drafts.push({
      type: 'item.delta',
      source: o.source,
      itemId: open.itemId,
      turnId: this.turnId,
      kind: o.kind,
      offset,
      delta: o.delta,
    })
    return drafts
  }

  private textCompleted(o: Extract<Observation, { type: 'text.completed' }>): EventDraft[] {
    if (!this.done.add(o.key)) return []
    const item: Item = { kind: o.kind, text: o.text, ...(o.partial ? { partial: true } : {}) }
    const open = this.open.get(o.key)
    this.open.delete(o.key)
    const turnId = this.turnId
    if (!open) {
      const itemId = this.idFor(o.key)
      const before = o.beforeKey === undefined ? undefined : this.ids.get(o.beforeKey)
      const place = before === undefined ? {} : { before }
      const begun: Item = { kind: o.kind, text: '' }
      return [
        {
          type: 'item.started',
          source: o.source,
          itemId,
          turnId,
          kind: o.kind,
          item: begun,
          key: o.key,
          ...place,
        },
        { type: 'item.completed', source: o.source, itemId, turnId, item, key: o.key },
      ]
    }
    const drafts: EventDraft[] = []
    // Deltas may run on into the next text of one message; that is told under a key of its own.
    if (!o.text.startsWith(open.text) && !open.text.startsWith(o.text.trimEnd())) {
      drafts.push({
        type: 'gap',
        source: o.source,
        what: 'delta_mismatch',
        detail: `deltas of ${open.itemId} (${open.text.length} characters) are not the start of its text (${o.text.length})`,
      })
    }
    const { itemId } = open
    drafts.push({ type: 'item.completed', source: o.source, itemId, turnId, item, key: o.key })
    return drafts
  }

  private toolStarted(o: Extract<Observation, { type: 'tool.started' }>): EventDraft[] {
    const key = `call:${o.callId}`
    if (this.done.has(key) || this.open.has(key)) return []
    const item: ToolCallItem = {
      kind: 'tool_call',
      callId: o.callId,
      tool: o.tool,
      name: o.name,
      // JSON has no undefined; a call without input says so.
      input: o.input ?? null,
      status: 'running',
    }
    const open: OpenItem = { itemId: this.idFor(key), kind: 'tool_call', item, text: '' }
    this.open.set(key, open)
    return [
      {
        type: 'item.started',
        source: o.source,
        itemId: open.itemId,
        turnId: this.turnId,
        kind: 'tool_call',
        item,
        key,
      },
    ]
  }

  private toolOutput(o: Extract<Observation, { type: 'tool.output' }>): EventDraft[] {
    const open = this.open.get(`call:${o.callId}`)
    if (!open) return []
    const omitted = Math.max(0, o.text.length - LIVE_OUTPUT)
    open.text = o.text.slice(omitted)
    return [
      {
        type: 'tool.output',
        source: o.source,
        itemId: open.itemId,
        turnId: this.turnId,
        text: open.text,
        omitted,
      },
    ]
  }

  private toolCompleted(o: Extract<Observation, { type: 'tool.completed' }>): EventDraft[] {
    const key = `call:${o.callId}`
    const open = this.open.get(key)
    if (open?.item.kind !== 'tool_call' || !this.done.add(key)) return []
    this.open.delete(key)
    const item: ToolCallItem = {
      ...open.item,
      status: o.status,
      output: o.output,
      ...(o.durationMs === undefined ? {} : { durationMs: o.durationMs }),
    }
    return [{ type: 'item.completed', source: o.source, itemId: open.itemId, turnId: this.turnId, item, key }]
  }

  private usage(o: Extract<Observation, { type: 'usage' }>): EventDraft[] {
    if (!this.done.add(`usage:${o.key}`)) return []
    const usage = priced(o.model ?? this.model, o.tokens, o.usd, this.price)
    this.sessionUsage = addUsage(this.sessionUsage, usage)
    if (this.turn) this.turn.usage = addUsage(this.turn.usage, usage)
    return [
      {
        type: 'usage',
        source: o.source,
        key: o.key,
        turnId: this.turnId,
        model: o.model,
        usage,
        session: this.sessionUsage,
      },
    ]
  }

  private changeState(source: Source, state: SessionState, rule: string, evidence: string[]): EventDraft[] {
    if (state === this.state && rule === this.rule) return []
    this.state = state
    this.rule = rule
    return [{ type: 'session.state', source, state, rule, evidence }]
  }

  /** The item's id; with its first word the activity before it is over. */
  private idFor(key: string): string {
    this.activityText = null
    const known = this.ids.get(key)
    if (known) return known
    const id = this.newId('item')
    this.ids.set(key, id)
    return id
  }
}

/** The key under which a fact's item or usage is told; null for facts that have none. */
function keyOf(o: Observation): string | null {
  switch (o.type) {
    case 'user.message':
    case 'text.completed':
    case 'notice':
    case 'command':
    case 'item':
      return o.key
    case 'usage':
      return `usage:${o.key}`
    case 'tool.started':
    case 'tool.completed':
      return `call:${o.callId}`
    default:
      return null
  }
}
