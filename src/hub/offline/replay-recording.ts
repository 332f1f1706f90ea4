/** @module hub/offline/replay-recording - a recording's events, at once or at a pace, up to a moment or to its end. */
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { type ReplayedEvent, type ReplayOptions, replay } from '../../session/replay.js'
import { replayWithSide } from '../../session/replay-side.js'
import type { Cast, CastEvent } from '../../terminal/index.js'
import type { OpenedRecording } from './recording-file.js'

export interface ReplayHow {
  /** Times faster than it was recorded; as fast as it goes unless told. */
  readonly speed?: number
  /** Stop at this moment, in ms from its start. */
  readonly untilMs?: number
  readonly onEvent?: (event: ReplayedEvent) => void
  readonly signal?: AbortSignal
}

/** So long a replay may hold up whoever wants to end it, in ms. */
const BREATH_MS = 50
/** Events come as late as the next piece of the recording: pieces of nothing are put between, this far apart, in ms. */
const TICK_MS = 100
/** A timer counts in 31 bits and takes a longer wait for none: one that lasts for weeks is waited for in parts, in ms. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000
/** Nothing is told later than this after the last piece, in ms. */
const LAST_WORD_MS = 4500

/** Rejects with the signal's reason when it fires. */
export async function replayRecording(
  { cast, vendor, side }: OpenedRecording,
  how: ReplayHow = {},
): Promise<readonly ReplayedEvent[]> {
  const { untilMs = Number.POSITIVE_INFINITY, speed, onEvent } = how
  const told: ReplayedEvent[] = []
  const options: ReplayOptions = {
    pace: pacer(speed, how.signal),
    onEvent: (event) => {
      // Where it is stopped nothing is over: what the end of a recording settles is not told.
      if (event.t * 1000 > untilMs) return
      told.push(event)
      onEvent?.(event)
    },
  }
  const whole = speed === undefined ? cast : { ...cast, events: withTicks(cast.events) }
  const cut = cutAt(whole, untilMs)
  if (side === null) await replay(cut, vendor, options)
  else {
    const facts = side.facts.filter(({ at }) => at <= untilMs)
    await replayWithSide(cut, side.adapter, facts, options)
  }
  return told
}

/** The recording up to a moment; its clock comes to that very moment. */
export function cutAt(cast: Cast, untilMs: number): Cast {
  const last = cast.events.at(-1)?.at ?? 0
  if (untilMs >= last) return cast
  const events = cast.events.filter(({ at }) => at <= untilMs)
  return { ...cast, events: [...events, nothing(untilMs)] }
}

function withTicks(events: readonly CastEvent[]): CastEvent[] {
  return events.flatMap((event, n) => {
    const next = events[n + 1]?.at ?? event.at + LAST_WORD_MS
    const end = Math.min(next, event.at + LAST_WORD_MS)
    const count = Math.max(0, Math.ceil((end - event.at) / TICK_MS) - 1)
    return [event, ...Array.from({ length: count }, (_, i) => nothing(event.at + (i + 1) * TICK_MS))]
  })
}

const nothing = (at: number): CastEvent => ({ at, kind: 'm', data: '' })

function pacer(speed: number | undefined, signal: AbortSignal | undefined) {
  const start = performance.now()
  let breath = start
  return async (atMs: number): Promise<void> => {
    signal?.throwIfAborted()
    const left = () => (speed === undefined ? 0 : start + atMs / speed - performance.now())
    const waits = left() > 1
    while (left() > 1)
      await delay(Math.min(left(), LONGEST_WAIT_MS), undefined, signal === undefined ? {} : { signal })
    if (!waits && performance.now() - breath > BREATH_MS) {
      await setImmediate()
      breath = performance.now()
    }
  }
}
