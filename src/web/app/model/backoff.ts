/** @module web/model/backoff - waits between attempts: exponential, with jitter, bounded. */

export interface BackoffLimits {
  readonly firstMs: number
  readonly maxMs: number
}

/** Milliseconds before attempt `n` (from 1); `random` in [0, 1) spreads the upper half. */
export function backoff(n: number, random: number, { firstMs, maxMs }: BackoffLimits): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(n - 1, 30))
  return Math.round(full / 2 + (full / 2) * random)
}
