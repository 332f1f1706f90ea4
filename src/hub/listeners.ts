/** @module hub/listeners - a set of listeners, one of which cannot harm the others. */
import type { Disposable } from '../session/handle.js'

export class Listeners<A extends unknown[]> {
  readonly #set = new Set<(...args: A) => void>()
  readonly #fault: (error: unknown) => void

  constructor(fault: (error: unknown) => void) {
    this.#fault = fault
  }

  add(listener: (...args: A) => void): Disposable {
    // Wrapped, so that a function added twice is told twice and taken away once.
    const entry = (...args: A): void => listener(...args)
    this.#set.add(entry)
    return { dispose: () => void this.#set.delete(entry) }
  }

  get size(): number {
    return this.#set.size
  }

  tell(...args: A): void {
    for (const listener of [...this.#set]) {
      try {
        listener(...args)
      } catch (error) {
        this.#fault(error)
      }
    }
  }
}
