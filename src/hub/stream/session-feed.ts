/** @module hub/stream/session-feed - one session's events to one client: each once, in order, from `since` on. */
import { asMeowError, MeowError } from '../../protocol/errors.js'
import { type DurableEvent, isLive, type MeowEvent } from '../../protocol/events.js'
import type { Disposable, SessionHandle } from '../../session/handle.js'
import { EMPTY_BOARD } from '../../session/starting.js'
import type { Registry } from '../registry.js'
import type { Feed, Outbox } from './outbox.js'

/** Events in one frame at most; a longer history comes as several snapshots, each continuing the one before. */
export const PAGE = 500
/** And this many characters, unless one event alone has more. */
const PAGE_CHARACTERS = 1024 * 1024

/**
 * Two states. Behind: nothing is sent but snapshots, one at a time, as the socket drains; what happens meanwhile is
 * in the journal and on the board. Live: every batch as it comes. The step from one to the other happens in one
 * turn of the event loop, in which the snapshot is taken and sent, so that nothing falls between and nothing comes
 * twice; `seq` is checked all the same.
 */
export class SessionFeed implements Feed {
  readonly #out: Outbox
  readonly #registry: Registry
  readonly #id: string
  readonly #client: string | null
  #sent: number
  #live = false
  #handle: SessionHandle | null = null
  #subscription: Disposable | null = null

  /** @param client the name of the connection: nobody is told of their own typing */
  constructor(out: Outbox, registry: Registry, id: string, since: number, client: string | null = null) {
    this.#out = out
    this.#registry = registry
    this.#id = id
    this.#client = client
    this.#sent = since
    const handle = registry.handle(id)
    if (handle !== null) this.#follow(handle)
  }

  /** The session can be followed from now on. */
  attach(handle: SessionHandle): void {
    if (this.#handle !== null) return
    this.#follow(handle)
    this.#fallBehind()
  }

  resume(): void {
    try {
      this.#snapshot()
    } catch (error) {
      this.#out.fail(this.#id, asMeowError(error))
    }
  }

  dispose(): void {
    this.#subscription?.dispose()
    this.#subscription = null
  }

  #follow(handle: SessionHandle): void {
    this.#handle = handle
    this.#subscription = handle.onEvents((events) => this.#batch(events))
  }

  #fallBehind(): void {
    this.#live = false
    this.#out.later(this)
  }

  #snapshot(): void {
    const info = this.#handle?.info() ?? this.#registry.info(this.#id)
    const last = this.#registry.journal.lastSeq(this.#id)
    const events = firstPage(this.#registry.journal.read(this.#id, this.#sent, PAGE))
    if (last - this.#sent > events.length) {
      const reached = events.at(-1)?.seq
      if (reached === undefined) throw new MeowError('internal', `events after ${this.#sent} are missing`)
      this.#tell({ info, events, board: EMPTY_BOARD, lastSeq: reached })
      this.#out.later(this)
      return
    }
    const shot = this.#handle?.snapshot(this.#sent) ?? {
      info,
      events,
      board: EMPTY_BOARD,
      lastSeq: last,
    }
    this.#tell(shot)
    this.#live = true
  }

  #tell(shot: ReturnType<SessionHandle['snapshot']>): void {
    this.#sent = shot.lastSeq
    const { events, board, lastSeq } = shot
    this.#out.send({
      type: 'session.snapshot',
      sessionId: this.#id,
      session: shot.info,
      events,
      board,
      lastSeq,
    })
  }

  #batch(events: readonly MeowEvent[]): void {
    if (!this.#live) return
    if (this.#out.full) {
      this.#fallBehind()
      return
    }
    const fresh: MeowEvent[] = []
    for (const event of events) {
      if (isLive(event)) {
        if (event.type !== 'session.typing' || event.client !== this.#client) fresh.push(event)
      } else if (event.seq === this.#sent + 1) {
        this.#sent = event.seq
        fresh.push(event)
      } else if (event.seq > this.#sent) {
        // Events were journalled that nobody told of: the snapshot has them.
        if (fresh.length > 0) this.#out.send({ type: 'events', sessionId: this.#id, events: fresh })
        this.#fallBehind()
        return
      }
    }
    if (fresh.length > 0) this.#out.send({ type: 'events', sessionId: this.#id, events: fresh })
  }
}

function firstPage(events: DurableEvent[]): DurableEvent[] {
  let characters = 0
  const over = events.findIndex((event) => {
    characters += JSON.stringify(event).length
    return characters > PAGE_CHARACTERS
  })
  return over === -1 ? events : events.slice(0, Math.max(1, over))
}
