/** @module web/model/recording/pace - a clock that can be stopped, set, and made faster; plain data. */

/** Speeds that are offered. */
export const SPEEDS: readonly number[] = [0.5, 1, 1.5, 2, 4, 8]

export interface Pace {
  /** Watched seconds at `since`, or for good while it stands. */
  readonly at: number
  /** Wall time at which it began to run, in milliseconds; null while it stands. */
  readonly since: number | null
  readonly speed: number
}

export const STANDING: Pace = { at: 0, since: null, speed: 1 }

/** Watched seconds now, at most `length`. */
export function position({ at, since, speed }: Pace, now: number, length: number): number {
  const ran = since === null ? 0 : (Math.max(0, now - since) / 1000) * speed
  return Math.min(length, Math.max(0, at + ran))
}

/** Runs on; from the start when it stands at the end. */
export function run(pace: Pace, now: number, length: number): Pace {
  if (pace.since !== null) return pace
  return { ...pace, at: pace.at >= length ? 0 : pace.at, since: now }
}

export function stand(pace: Pace, now: number, length: number): Pace {
  return { ...pace, at: position(pace, now, length), since: null }
}

/** Goes to a time; it runs on if it ran. */
export function goTo(pace: Pace, to: number, now: number, length: number): Pace {
  return { ...pace, at: Math.min(length, Math.max(0, to)), since: pace.since === null ? null : now }
}

/** Another speed from now on. */
export function atSpeed(pace: Pace, speed: number, now: number, length: number): Pace {
  return { ...goTo(pace, position(pace, now, length), now, length), speed }
}
