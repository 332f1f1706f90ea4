/**
 * @module A list of listeners. One that throws does not keep the others from hearing.
 */
import type { Disposable } from './disposable.js'

/** Is told what went wrong in a listener, or beside the calls of anybody. Nothing that it is told is fatal. */
export type OnFault = (error: unknown) => void

/** What is heard of a fault when nobody asked: its kind and place. A message may quote what a program printed. */
export const warn: OnFault = (error) => {
  const name = error instanceof Error ? error.name : typeof error
  const places =
    error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : []
  process.emitWarning(`a fault in a terminal: ${name}`, { type: 'TerminalFault', detail: places.join('\n') })
}

/** Calls one listener. A broken observer must neither stop the byte stream nor end the process, nor go unnoticed. */
export const callListener = <A extends readonly unknown[]>(
  onFault: OnFault,
  listener: (...args: A) => void,
  ...args: A
): void => {
  try {
    listener(...args)
  } catch (error) {
    onFault(error)
  }
}

/** One event and those who hear it. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>()
  readonly #onFault: OnFault

  constructor(onFault: OnFault) {
    this.#onFault = onFault
  }

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
    for (const listener of [...this.#listeners]) callListener(this.#onFault, listener, value)
  }

  clear(): void {
    this.#listeners.clear()
  }
}
