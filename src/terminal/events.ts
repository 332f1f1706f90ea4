/**
 * @module A list of listeners. One that throws does not keep the others from hearing.
 */
import type { Disposable } from './disposable.js'

/**
 * Calls one listener. Its error is thrown again outside the caller's stack, where the process's own handler sees it:
 * a broken observer must neither stop the byte stream nor go unnoticed.
 */
export const callListener = <A extends readonly unknown[]>(
  listener: (...args: A) => void,
  ...args: A
): void => {
  try {
    listener(...args)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

/** One event and those who hear it. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>()

  on(listener: (value: T) => void): Disposable {
    // Wrapped so that the same function registered twice is two subscriptions.
    const entry = (value: T): void => listener(value)
    this.#listeners.add(entry)
    return {
      dispose: () => {
        this.#listeners.delete(entry)
      },
    }
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) callListener(listener, value)
  }

  clear(): void {
    this.#listeners.clear()
  }
}
