/**
 * @module web/model/recording/timeline - two times of one recording: as it was made, and as it is watched.
 *
 * A pause that is longer than the limit is watched in as many seconds as the limit says; there the clock of the
 * recording runs faster. Everything is told in recorded time; only pace and the bar's geometry are watched time.
 */

/** Longest pause that is watched as it was, in seconds, while pauses are cut. */
export const IDLE_LIMIT = 2

interface Knot {
  readonly recorded: number
  readonly watched: number
}

export class Timeline {
  /** Where the pace changes; between two knots it is even. */
  readonly #knots: readonly Knot[]
  /** Seconds that watching takes at speed 1. */
  readonly watchedLength: number
  /** Seconds that were recorded. */
  readonly length: number

  /** `times`: when something happened, in order, in recorded seconds. `limit` null: no pause is cut. */
  constructor(times: readonly number[], length: number, limit: number | null) {
    this.length = length
    const knots: Knot[] = [{ recorded: 0, watched: 0 }]
    let watched = 0
    let before = 0
    const until = (time: number) => {
      const pause = time - before
      if (limit !== null && pause > limit) {
        knots.push({ recorded: before, watched })
        watched += limit
        knots.push({ recorded: time, watched })
      } else watched += pause
      before = time
    }
    for (const time of times) if (time > before && time <= length) until(time)
    if (length > before) until(length)
    knots.push({ recorded: length, watched })
    this.#knots = knots
    this.watchedLength = watched
  }

  /** The watched time of a recorded one. */
  watched(recorded: number): number {
    return this.#map(recorded, 'recorded', 'watched')
  }

  /** The recorded time of a watched one. */
  recorded(watched: number): number {
    return this.#map(watched, 'watched', 'recorded')
  }

  #map(time: number, from: keyof Knot, to: keyof Knot): number {
    const knots = this.#knots
    let low = 0
    let high = knots.length - 1
    // The last knot at or before the time.
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((knots[middle]?.[from] ?? 0) <= time) low = middle
      else high = middle - 1
    }
    const start = knots[low]
    const end = knots[low + 1]
    if (start === undefined) return 0
    if (end === undefined || time <= start[from]) return start[to]
    const span = end[from] - start[from]
    return span === 0 ? start[to] : start[to] + ((time - start[from]) / span) * (end[to] - start[to])
  }
}
