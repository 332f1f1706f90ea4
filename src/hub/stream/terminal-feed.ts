/** @module hub/stream/terminal-feed - one terminal to one client: a snapshot, then the record's bytes, none skipped. */
import { asMeowError } from '../../protocol/errors.js'
import { encodeTerminalFrame } from '../../protocol/stream.js'
import type { Disposable, SessionHandle } from '../../session/handle.js'
import type { Feed, Outbox } from './outbox.js'

export class TerminalFeed implements Feed {
  readonly #out: Outbox
  readonly #id: string
  readonly #channel: number
  #handle: SessionHandle | null = null
  #subscriptions: Disposable[] = []
  /** Offset of the next byte; null while the client is behind. */
  #next: number | null = null

  constructor(out: Outbox, id: string, channel: number, handle: SessionHandle | null) {
    this.#out = out
    this.#id = id
    this.#channel = channel
    if (handle !== null) this.#follow(handle)
  }

  /** The session has its terminal from now on. */
  attach(handle: SessionHandle): void {
    if (this.#handle !== null) return
    this.#follow(handle)
    this.#out.later(this)
  }

  resume(): void {
    if (this.#handle === null) return
    try {
      const shot = this.#handle.terminalSnapshot()
      this.#out.send({ type: 'terminal.snapshot', sessionId: this.#id, channel: this.#channel, ...shot })
      this.#next = shot.offset
    } catch (error) {
      this.#out.fail(this.#id, asMeowError(error))
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions.splice(0)) subscription.dispose()
  }

  #follow(handle: SessionHandle): void {
    this.#handle = handle
    this.#subscriptions = [
      handle.onTerminal((bytes, offset) => this.#bytes(bytes, offset)),
      handle.onTerminalResize((size) => this.#resized(size)),
    ]
  }

  #bytes(bytes: Uint8Array, offset: number): void {
    const next = this.#next
    if (next === null) return
    const end = offset + bytes.length
    if (end <= next) return
    // A hole in the record, or a client that does not keep up: the screen as it is now replaces what it missed.
    if (offset > next || this.#out.full) {
      this.#fallBehind()
      return
    }
    this.#out.sendBytes(encodeTerminalFrame(this.#channel, next, bytes.subarray(next - offset)))
    this.#next = end
  }

  #resized(size: { cols: number; rows: number }): void {
    if (this.#next === null) return
    if (this.#out.full) this.#fallBehind()
    else this.#out.send({ type: 'terminal.resize', sessionId: this.#id, channel: this.#channel, ...size })
  }

  #fallBehind(): void {
    this.#next = null
    this.#out.later(this)
  }
}
