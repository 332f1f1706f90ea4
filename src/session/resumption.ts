/**
 * @module session/resumption - the first moments of a session that goes on after a restart of the bridge: its screen is
 * drawn again, its sources tell what they had, and only then can it be asked about what stands there.
 */
import type { Observation, Seen } from '../adapter/index.js'
import { settledWithin } from '../protocol/bounded.js'
import { CatchUp, type ToldBefore } from './catch-up.js'
import type { Watch } from './script.js'

/** Longest that an answer waits for the screen after a restart, in ms. */
const KNOWN_MS = 25_000
/** Longest wait for the frame of a screen that was drawn again, in ms. */
const REDRAW_MS = 2000

/** How a session goes on. */
export interface Resumed {
  /** Up to this byte the record only draws the screen again: nothing is read from it. */
  readonly redrawUntil: number
  /** What its sources tell first is told already, for the most part. */
  readonly catchUp: boolean
}

export class Resumption {
  /** Resolves when the screen is drawn again. */
  readonly redrawn: Promise<void>
  /** It knows its screen and what its sources had. */
  recovered: () => void = () => undefined
  private readonly known: Promise<void>
  private drawn: (() => void) | null = null
  private catchingUp: CatchUp | null

  constructor(
    private readonly resumed: Resumed | null,
    told: ToldBefore,
    private readonly watch: Watch,
    private readonly signal: AbortSignal,
  ) {
    this.catchingUp = resumed?.catchUp ? new CatchUp(told) : null
    this.redrawn = new Promise((resolve) => {
      if (resumed && resumed.redrawUntil > 0) this.drawn = resolve
      else resolve()
    })
    this.known = new Promise((resolve) => {
      this.recovered = resolve
      if (!resumed) resolve()
    })
  }

  /** The record is still drawing the screen again: nothing is read from it. */
  get redrawing(): boolean {
    return this.drawn !== null
  }

  /** The record was drawn up to this byte; true when that was the last one, and the screen is to be read. */
  drawnTo(offset: number): boolean {
    const done = this.drawn
    if (!done || !this.resumed || offset < this.resumed.redrawUntil) return false
    this.drawn = null
    // With the frame of what stands there now, which comes after this call.
    void this.watch.until(({ reading }) => reading !== null, [], REDRAW_MS, this.signal).finally(done)
    return true
  }

  /** What is new of a fact: nothing while a source catches up, then all of that at once. */
  take(observation: Observation): readonly Observation[] {
    const told = this.catchingUp ? this.catchingUp.take(observation) : [observation]
    if (told === null) return []
    this.catchingUp = null
    return told
  }

  /** Resolves true when the sources have told what they had; false after `withinMs` without that. */
  async caughtUp(withinMs: number): Promise<boolean> {
    if (!this.catchingUp) return true
    const mark = this.watch.begin()
    const told = (seen: Seen) => seen.observations.some((o) => o.type === 'caught_up')
    await this.watch.until(told, mark.observations, withinMs, this.signal)
    mark.end()
    return this.catchingUp === null
  }

  /** Waits, for a bounded time, until dialogs can be asked about. */
  async isKnown(): Promise<void> {
    await settledWithin(this.known, KNOWN_MS)
  }
}
