/** @module web/state/presence - who types: tells the hub of this page's person, and keeps what it tells of others. */
import type { MeowEvent } from '../../../protocol/events.js'
import type { ClientFrame } from '../../../protocol/stream.js'

/** Without a key for so long, a person no longer types. */
export const REST_MS = 4000
/** What was told is good for so long. */
export const EXPIRES_MS = 10_000
/** Told anew while keys still come in, well before it expires. */
const RENEW_MS = 5000

/** Ids of the clients at which someone types, by session. */
export type Typists = ReadonlyMap<string, ReadonlySet<string>>

export interface PresencePorts {
  /** False when there is no connection. */
  send(frame: ClientFrame): boolean
  put(typists: Typists): void
  now(): number
  /** Runs later, unless the returned function is called first. */
  later(callback: () => void, ms: number): () => void
}

export class Presence {
  readonly #ports: PresencePorts
  #typists: Typists = new Map()
  readonly #expiries = new Map<string, () => void>()
  /** The session in whose composer this page's person types. */
  #own: { readonly sessionId: string; readonly toldAt: number } | null = null
  #rest: (() => void) | null = null

  constructor(ports: PresencePorts) {
    this.#ports = ports
  }

  /** A key came in. */
  typed(sessionId: string): void {
    if (this.#own !== null && this.#own.sessionId !== sessionId) this.rest()
    this.#rest?.()
    this.#rest = this.#ports.later(() => this.rest(), REST_MS)
    const now = this.#ports.now()
    if (this.#own !== null && now - this.#own.toldAt < RENEW_MS) return
    const told = this.#ports.send({ type: 'typing', sessionId, active: true })
    this.#own = told ? { sessionId, toldAt: now } : null
  }

  /** The person paused, sent, or left. */
  rest(): void {
    this.#rest?.()
    this.#rest = null
    if (this.#own === null) return
    this.#ports.send({ type: 'typing', sessionId: this.#own.sessionId, active: false })
    this.#own = null
  }

  /** A new connection was told nothing, and tells anew who types. */
  reconnected(): void {
    this.#own = null
    for (const cancel of this.#expiries.values()) cancel()
    this.#expiries.clear()
    this.#put(new Map())
  }

  heard(events: readonly MeowEvent[]): void {
    for (const event of events) {
      if (event.type !== 'session.typing') continue
      const { sessionId, client } = event
      const key = JSON.stringify([sessionId, client])
      this.#expiries.get(key)?.()
      this.#expiries.delete(key)
      this.#mark(sessionId, client, event.active)
      // Counted from here: the clocks of two machines differ.
      const expire = () => {
        this.#expiries.delete(key)
        this.#mark(sessionId, client, false)
      }
      if (event.active) this.#expiries.set(key, this.#ports.later(expire, EXPIRES_MS))
    }
  }

  #mark(sessionId: string, client: string, active: boolean): void {
    const before = this.#typists.get(sessionId)
    if ((before?.has(client) ?? false) === active) return
    const clients = new Set(before)
    if (active) clients.add(client)
    else clients.delete(client)
    const next = new Map(this.#typists)
    if (clients.size > 0) next.set(sessionId, clients)
    else next.delete(sessionId)
    this.#put(next)
  }

  #put(typists: Typists): void {
    this.#typists = typists
    this.#ports.put(typists)
  }
}
