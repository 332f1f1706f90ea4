/**
 * @module hub/stream/outbox - what one client is sent, with a bound.
 *
 * Nothing is queued here. Feeds read from what is kept anyway (the journal, the board, the screen); when a client
 * does not keep up, its feeds stop sending and go on with a fresh snapshot once the socket has drained.
 */
import type { WebSocket } from 'ws'
import type { MeowError } from '../../protocol/errors.js'
import type { ServerFrame } from '../../protocol/stream.js'

/** Something that a client follows. */
export interface Feed {
  /** The socket has room: send what is next, one frame or so. */
  resume(): void
  dispose(): void
}

/** Where feeds send to. */
export interface Outbox {
  /** The client is too far behind for anything but a later snapshot. */
  readonly full: boolean
  send(frame: ServerFrame): void
  sendBytes(bytes: Uint8Array): void
  /** Asks for a {@link Feed.resume} when there is room. */
  later(feed: Feed): void
  fail(about: string | null, error: MeowError): void
}

export interface OutboxLimits {
  /** Bytes waiting in the socket above which a client counts as slow. */
  readonly fullBytes: number
  /** Bytes below which it has caught up. */
  readonly roomBytes: number
}

export const DEFAULT_LIMITS: OutboxLimits = { fullBytes: 8 * 1024 * 1024, roomBytes: 256 * 1024 }

export class SocketOutbox implements Outbox {
  readonly #socket: WebSocket
  readonly #limits: OutboxLimits
  readonly #waiting = new Set<Feed>()
  #inFlight = 0
  #woken = false

  constructor(socket: WebSocket, limits: OutboxLimits) {
    this.#socket = socket
    this.#limits = limits
  }

  get full(): boolean {
    return this.#socket.bufferedAmount > this.#limits.fullBytes
  }

  send(frame: ServerFrame): void {
    this.#write(JSON.stringify(frame))
  }

  sendBytes(bytes: Uint8Array): void {
    this.#write(bytes)
  }

  later(feed: Feed): void {
    this.#waiting.add(feed)
    // What is in flight will call back; with nothing in flight nobody would.
    if (this.#inFlight > 0 || this.#woken) return
    this.#woken = true
    setImmediate(() => {
      this.#woken = false
      this.#flushed()
    })
  }

  /** A feed that is gone is not resumed. */
  forget(feed: Feed): void {
    this.#waiting.delete(feed)
  }

  fail(about: string | null, error: MeowError): void {
    // Errors answer frames of the client: one that is not reading gets no more of them.
    if (!this.full) this.send({ type: 'error', about, error: error.toJSON() })
  }

  #write(data: string | Uint8Array): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#inFlight += 1
    this.#socket.send(data, { binary: typeof data !== 'string' }, () => {
      this.#inFlight -= 1
      this.#flushed()
    })
  }

  #flushed(): void {
    if (this.#waiting.size === 0 || this.#socket.readyState !== this.#socket.OPEN) return
    for (const feed of [...this.#waiting]) {
      if (this.#socket.bufferedAmount > this.#limits.roomBytes) return
      this.#waiting.delete(feed)
      feed.resume()
    }
  }
}
