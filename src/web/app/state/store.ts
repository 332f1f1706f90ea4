/** @module web/state/store - holds the page's state and tells React of changes, at most once a drawn frame. */

/** Runs a callback soon; also in a tab that is not drawn. */
export type Schedule = (callback: () => void) => void

const soon: Schedule = (callback) => {
  if (document.hidden) setTimeout(callback, 100)
  else requestAnimationFrame(callback)
}

export class Store<T extends object> {
  #state: T
  readonly #listeners = new Set<() => void>()
  readonly #schedule: Schedule
  #scheduled = false

  constructor(initial: T, schedule: Schedule = soon) {
    this.#state = initial
    this.#schedule = schedule
  }

  readonly get = (): T => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Changes fields; listeners hear of it with the next drawn frame. */
  set(fields: Partial<T>): void {
    this.#state = { ...this.#state, ...fields }
    if (this.#scheduled) return
    this.#scheduled = true
    this.#schedule(() => {
      this.#scheduled = false
      this.#tell()
    })
  }

  /** Changes fields at once: for what a person types. */
  setNow(fields: Partial<T>): void {
    this.#state = { ...this.#state, ...fields }
    this.#tell()
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }
}
