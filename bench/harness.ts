/**
 * @module bench/harness - both sides of a ratio in one process, one after the other, again and again: a machine that
 * is slow for a while is slow for both.
 */

/** One side of a ratio, made ready; only `run` is measured. */
export interface Side {
  run(): void
  done(): void
}

export interface Compared {
  /** Middle of the rounds' ratios. */
  readonly ratio: number
  /** Least CPU time of each side, in ms: what a machine with other work says least wrongly. */
  readonly over: number
  readonly under: number
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** CPU time of this process for a side, in ms. */
export function cpuOf(side: Side): number {
  const before = process.cpuUsage()
  side.run()
  const { user, system } = process.cpuUsage(before)
  side.done()
  return (user + system) / 1000
}

/** Rounds that do not count: a hub runs for days, so both sides are measured when the compiler has done its work. */
const WARM_UP = 4

/**
 * Measures two sides in turn. No collection of garbage is forced before a side: that throws compiled code away, and
 * makes the bare side up to eight times dearer than it is.
 */
export function compare(over: () => Side, under: () => Side, rounds: number): Compared {
  const pairs: { over: number; under: number }[] = []
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    const pair = { under: cpuOf(under()), over: cpuOf(over()) }
    if (round >= WARM_UP) pairs.push(pair)
  }
  return {
    ratio: median(pairs.map((pair) => pair.over / pair.under)),
    over: Math.min(...pairs.map((pair) => pair.over)),
    under: Math.min(...pairs.map((pair) => pair.under)),
  }
}
