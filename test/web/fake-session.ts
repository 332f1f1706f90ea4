/** @module test/web/fake-session - a scripted session: its journal, its board, its terminal. */
import type { DurableDraft, DurableEvent, LiveDraft, MeowEvent } from '../../src/protocol/events.js'
import type { Board, SessionInfo } from '../../src/protocol/session.js'
import type { ServerFrame } from '../../src/protocol/stream.js'

/** One scripted session: keeps its events and its board, and tells its subscribers. */
export class FakeSession {
  readonly events: DurableEvent[] = []
  readonly board: Board = { turnId: null, activity: null, items: [] }
  readonly terminal = { cols: 80, rows: 24, screen: '', offset: 0 }
  info: SessionInfo
  readonly #tell: (frame: ServerFrame) => void
  #live = 0

  constructor(info: SessionInfo, tell: (frame: ServerFrame) => void) {
    this.info = info
    this.#tell = tell
  }

  /** Journals an event; `lost` tells nobody, as a broken stream would. */
  durable(draft: DurableDraft, options: { lost?: boolean } = {}): DurableEvent {
    const seq = this.events.length + 1
    const event = { ...this.#stamp(`e${seq}`), seq, ...draft } as DurableEvent
    this.events.push(event)
    this.#account(event)
    this.info = { ...this.info, lastSeq: seq }
    if (options.lost !== true) this.#tell({ type: 'events', sessionId: this.info.id, events: [event] })
    return event
  }

  live(draft: LiveDraft): void {
    this.#live += 1
    const event = { ...this.#stamp(`l${this.#live}`), ...draft } as MeowEvent
    const row = 'itemId' in draft ? this.board.items.find(({ itemId }) => itemId === draft.itemId) : undefined
    if (draft.type === 'item.delta' && row !== undefined) row.text += draft.delta
    if (draft.type === 'tool.output' && row !== undefined) row.text = draft.text
    if (draft.type === 'session.activity') this.board.activity = draft.activity
    if (draft.type === 'session.draft') this.board.draft = draft.text
    this.#tell({ type: 'events', sessionId: this.info.id, events: [event] })
  }

  /** Text that continues an open item. */
  delta(itemId: string, delta: string, kind: 'assistant_message' | 'reasoning' = 'assistant_message'): void {
    const offset = this.board.items.find((row) => row.itemId === itemId)?.text.length ?? 0
    const { turnId } = this.board
    this.live({ type: 'item.delta', source: 'screen', itemId, turnId, kind, offset, delta })
  }

  setState(state: SessionInfo['state'], evidence: string[] = []): void {
    this.info = { ...this.info, state, stateRule: 'test', stateEvidence: evidence, stateSince: Date.now() }
    this.durable({ type: 'session.state', source: 'screen', state, rule: 'test', evidence })
    this.#tell({ type: 'session.info', session: this.info })
  }

  change(fields: Partial<SessionInfo>): void {
    this.info = { ...this.info, ...fields }
    this.#tell({ type: 'session.info', session: this.info })
  }

  snapshot(since: number): ServerFrame {
    return {
      type: 'session.snapshot',
      sessionId: this.info.id,
      session: this.info,
      events: this.events.filter(({ seq }) => seq > since),
      board: structuredClone(this.board),
      lastSeq: this.events.length,
    }
  }

  #stamp(id: string) {
    return { v: 1 as const, sessionId: this.info.id, id, ts: Date.now() }
  }

  #account(event: DurableEvent): void {
    const { board } = this
    if (event.type === 'turn.started') board.turnId = event.turnId
    if (event.type === 'turn.completed') board.turnId = null
    if (event.type === 'item.started') {
      const { itemId, turnId, kind, item } = event
      board.items.push({ itemId, turnId, kind, item, text: '' })
    }
    if (event.type === 'item.completed') {
      board.items = board.items.filter(({ itemId }) => itemId !== event.itemId)
    }
  }
}

export function blankInfo(id: string): SessionInfo {
  return {
    id,
    name: id,
    vendor: 'claude',
    vendorVersion: '2.1.0',
    vendorSessionId: null,
    cwd: '/home/someone/project',
    model: 'claude-sonnet-4-5',
    mode: null,
    backend: 'tmux',
    pid: 1,
    cols: 80,
    rows: 24,
    state: 'idle',
    stateRule: 'test',
    stateEvidence: [],
    stateSince: 0,
    createdAt: 1,
    endedAt: null,
    lastSeq: 0,
    turns: 0,
    lastOutcome: null,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    usd: null,
  }
}
