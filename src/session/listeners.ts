/** @module session/listeners - a set of callbacks. */
import type { Disposable } from './handle.js'

/** Listeners of one kind; one that throws does not keep the others from being told. */
export class Listeners<A extends unknown[]> {
  private readonly set = new Set<(...args: A) => void>()

  constructor(private readonly onFault: (error: unknown) => void) {}

  get size(): number {
    return this.set.size
  }

  /** A listener that is added twice is told twice. */
  add(listener: (...args: A) => void): Disposable {
    const own = (...args: A) => listener(...args)
    this.set.add(own)
    return { dispose: () => this.set.delete(own) }
  }

  tell(...args: A): void {
    for (const listener of [...this.set]) {
      try {
        listener(...args)
      } catch (error) {
        this.onFault(error)
      }
    }
  }
}
