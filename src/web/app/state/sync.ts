/** @module web/state/sync - keeps one selected session's view in step with the hub, over reconnects and holes. */
import type { ClientFrame, ServerFrame } from '../../../protocol/stream.js'
import { backoff } from '../model/backoff.js'
import { type Applied, applyEvents, applySnapshot } from '../model/conversation.js'
import { type Conversation, emptyConversation } from '../model/view.js'

export interface SyncPorts {
  /** False when there is no connection. */
  send(frame: ClientFrame): boolean
  view(sessionId: string): Conversation | undefined
  put(view: Conversation): void
  now(): number
  random(): number
  /** Runs later, unless the returned function is called first. */
  later(callback: () => void, ms: number): () => void
}

type SnapshotFrame = Extract<ServerFrame, { type: 'session.snapshot' }>
type EventsFrame = Extract<ServerFrame, { type: 'events' }>

/** Holes that come one after another are asked about ever more slowly. */
const RESYNC = { firstMs: 100, maxMs: 10_000 }
const CALM_MS = 20_000

export class Sync {
  readonly #ports: SyncPorts
  #selected: string | null = null
  /** A subscription was sent and its snapshot has not come yet. */
  #awaiting = false
  #resyncs = 0
  #lastResync = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null

  constructor(ports: SyncPorts) {
    this.#ports = ports
  }

  /** Shows another session; the one before keeps its view but gets no more events. */
  select(sessionId: string | null): void {
    if (sessionId === this.#selected) return
    this.#reset()
    if (this.#selected !== null) {
      this.#ports.send({ type: 'session.unsubscribe', sessionId: this.#selected })
    }
    this.#selected = sessionId
    this.#subscribe()
  }

  /** A new connection knows no subscription. */
  connected(): void {
    this.#reset()
    this.#subscribe()
  }

  disconnected(): void {
    this.#reset()
  }

  /** What is shown may be behind: asks for what came since. */
  refresh(sessionId: string): void {
    if (sessionId === this.#selected && !this.#awaiting) this.#subscribe()
  }

  snapshot(frame: SnapshotFrame): void {
    if (frame.sessionId !== this.#selected) return
    this.#awaiting = false
    this.#take(applySnapshot(this.#view(frame.sessionId), frame))
  }

  events(frame: EventsFrame): void {
    if (frame.sessionId !== this.#selected) return
    this.#take(applyEvents(this.#view(frame.sessionId), frame.events))
  }

  #take({ view, hole }: Applied): void {
    this.#ports.put(view)
    if (hole === null || this.#awaiting || this.#cancel !== null) return
    const now = this.#ports.now()
    this.#resyncs = now - this.#lastResync > CALM_MS ? 0 : this.#resyncs + 1
    this.#lastResync = now
    if (this.#resyncs === 0) {
      this.#subscribe()
      return
    }
    this.#cancel = this.#ports.later(
      () => {
        this.#cancel = null
        this.#subscribe()
      },
      backoff(this.#resyncs, this.#ports.random(), RESYNC),
    )
  }

  #subscribe(): void {
    if (this.#selected === null) return
    const since = this.#view(this.#selected).lastSeq
    this.#awaiting = this.#ports.send({ type: 'session.subscribe', sessionId: this.#selected, since })
  }

  #view(sessionId: string): Conversation {
    return this.#ports.view(sessionId) ?? emptyConversation(sessionId)
  }

  #reset(): void {
    this.#awaiting = false
    this.#resyncs = 0
    this.#cancel?.()
    this.#cancel = null
  }
}
