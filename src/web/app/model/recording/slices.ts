/** @module web/model/recording/slices - long work that rests now and then, so that the page stays alive. */

/** Work that may be left at each `yield`. */
export type Sliced<T> = Generator<void, T, void>

/** Longest piece of work between two rests, in milliseconds. */
const PIECE_MS = 12

export interface Rest {
  now(): number
  /** Resolves after others had their turn. */
  rest(): Promise<void>
  readonly signal: AbortSignal
}

/** Does all of it; throws the signal's reason when it is aborted. */
export async function inSlices<T>(work: Sliced<T>, { now, rest, signal }: Rest): Promise<T> {
  let began = now()
  for (;;) {
    signal.throwIfAborted()
    const step = work.next()
    if (step.done === true) return step.value
    if (now() - began < PIECE_MS) continue
    await rest()
    began = now()
  }
}

/** Does all of it at once. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
