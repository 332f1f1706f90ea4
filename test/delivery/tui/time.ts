/** @module test/delivery/tui/time - a time of the tests' own: it passes only while somebody waits. */
import { vi } from 'vitest'

/** Virtual time that a test waits for anything, in ms. */
export const PATIENCE_MS = 120_000
/** Turns of the real loop after which nothing of a session is on its way any more. */
const LOOPS = 4

const loop = () => new Promise<void>((resolve) => setImmediate(resolve))
async function calm(): Promise<void> {
  for (let n = 0; n < LOOPS; n += 1) await loop()
}

/** `vi`'s clock takes over. */
export function ownTime(): void {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    now: 1_700_000_000_000,
  })
}

export function systemTime(): void {
  vi.useRealTimers()
}

/** Lets time pass until the condition holds; it is looked at after every timer. */
export async function advance(
  condition: () => boolean,
  what: string,
  ms = PATIENCE_MS,
  report: () => string = () => '',
): Promise<void> {
  const late = Date.now() + ms
  for (;;) {
    await calm()
    if (condition()) return
    if (Date.now() >= late || vi.getTimerCount() === 0)
      throw new Error(`${ms} ms of virtual time were not enough for ${what}\n${report()}`)
    vi.advanceTimersToNextTimer()
  }
}

/** Lets so much time pass, in ms. */
export async function pass(ms: number): Promise<void> {
  const end = Date.now() + ms
  const timer = setTimeout(() => undefined, ms)
  await advance(() => Date.now() >= end, `${ms} ms`, ms + 1)
  clearTimeout(timer)
}
