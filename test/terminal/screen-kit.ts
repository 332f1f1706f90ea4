/** @module test/terminal/screen-kit - a headless screen on a clock that moves when it is told to. */
import { type Frame, Screen, type ScreenClock, type ScreenOptions } from '../../src/terminal/index.js'

/** Time that moves only when told. */
export class FakeClock implements ScreenClock {
  #now = 1000
  #timers: { at: number; callback: () => void }[] = []

  now(): number {
    return this.#now
  }

  after(ms: number, callback: () => void) {
    const timer = { at: this.#now + ms, callback }
    this.#timers.push(timer)
    return {
      dispose: () => {
        this.#timers = this.#timers.filter((other) => other !== timer)
      },
    }
  }

  get pending(): number {
    return this.#timers.length
  }

  pass(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.#timers = this.#timers.filter((timer) => timer !== next)
      this.#now = next.at
      next.callback()
    }
    this.#now = end
  }
}

/** A small screen, its frames, and a way to write on it. */
export const make = (options: Partial<ScreenOptions> = {}, publicOnly = false) => {
  const clock = new FakeClock()
  const screen = new Screen({ cols: 20, rows: 6, clock, ...options }, publicOnly)
  const frames: Frame[] = []
  screen.onFrame((frame) => frames.push(frame))
  const write = (text: string) => screen.write(Buffer.from(text))
  return { clock, screen, frames, write }
}
