/** @module hub/stream/list-feed - the list of sessions to one client, now and on every change. */
import { asMeowError } from '../../protocol/errors.js'
import type { Disposable } from '../../session/handle.js'
import type { Registry } from '../registry.js'
import type { Feed, Outbox } from './outbox.js'

export class ListFeed implements Feed {
  readonly #out: Outbox
  readonly #registry: Registry
  readonly #subscriptions: Disposable[]
  /** The list has been sent and single changes may follow. */
  #live = false

  constructor(out: Outbox, registry: Registry) {
    this.#out = out
    this.#registry = registry
    this.#subscriptions = [
      registry.onInfo((session) => {
        if (!this.#live) return
        if (out.full) this.#fallBehind()
        else out.send({ type: 'session.info', session })
      }),
      // There is no frame that takes a session away: the list without it says so.
      registry.onRemoved(() => this.#fallBehind()),
    ]
  }

  resume(): void {
    try {
      this.#out.send({ type: 'sessions', sessions: this.#registry.list() })
      this.#live = true
    } catch (error) {
      this.#out.fail(null, asMeowError(error))
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  #fallBehind(): void {
    this.#live = false
    this.#out.later(this)
  }
}
