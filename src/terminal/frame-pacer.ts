/**
 * @module When a screen counts as settled: at once after quiet, then at a bounded rate, and not within a synchronized
 * update. One timer while something is pending, none otherwise.
 */
import type { Disposable } from './disposable.js'
import type { ScreenClock } from './screen-types.js'

/** The process's own monotonic time. */
export const systemClock: ScreenClock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return { dispose: () => clearTimeout(timer) }
  },
}

/** How long a drawing with a hidden cursor may take, in ms: beyond it the cursor is just hidden. */
const DRAWING_MS = 50

export class FramePacer {
  readonly #clock: ScreenClock
  readonly #minFrameMs: number
  readonly #maxSyncMs: number
  readonly #emit: () => void
  #lastFrame = Number.NEGATIVE_INFINITY
  #syncSince: number | null = null
  #timer: Disposable | null = null
  #timerAt = 0

  constructor(clock: ScreenClock, minFrameMs: number, maxSyncMs: number, emit: () => void) {
    this.#clock = clock
    this.#minFrameMs = minFrameMs
    this.#maxSyncMs = maxSyncMs
    this.#emit = emit
  }

  /**
   * The screen changed.
   * @param inSync it is within a synchronized update now
   * @param drawing the cursor that was shown is hidden now: a program that knows no such updates draws like this
   */
  changed(inSync: boolean, drawing = false): void {
    const now = this.#clock.now()
    if (!inSync && !drawing) this.#syncSince = null
    else this.#syncSince ??= now
    const bound = inSync ? this.#maxSyncMs : Math.min(this.#maxSyncMs, DRAWING_MS)
    const held = this.#syncSince === null ? 0 : this.#syncSince + bound
    const due = Math.max(this.#lastFrame + this.#minFrameMs, held)
    if (due <= now) this.#frame(now)
    else this.#schedule(due, due - now)
  }

  /** A change waits for its frame. */
  get pending(): boolean {
    return this.#timer !== null
  }

  /** Whether a change now could be a frame at once. */
  get ready(): boolean {
    return this.#lastFrame + this.#minFrameMs <= this.#clock.now()
  }

  /** A drawing ended, and the screen goes on changing: what comes next is another drawing. */
  drawn(): void {
    this.#syncSince = null
  }

  #schedule(due: number, ms: number): void {
    if (this.#timer !== null && this.#timerAt === due) return
    this.#timer?.dispose()
    this.#timerAt = due
    this.#timer = this.#clock.after(ms, () => this.#frame(this.#clock.now()))
  }

  dispose(): void {
    this.#timer?.dispose()
    this.#timer = null
  }

  #frame(now: number): void {
    this.dispose()
    this.#lastFrame = now
    // A block that outlived its bound starts a new one, or every later write would be a frame.
    if (this.#syncSince !== null) this.#syncSince = now
    this.#emit()
  }
}
