/** @module session/replay - a recording's bytes through the same road as a live session, on the recording's own clock. */
import type { Explained, VendorReader } from '../adapter/index.js'
import type { EventDraft } from '../protocol/events.js'
import { countingIds } from '../protocol/ids.js'
import { type Cast, castSize, Screen, type ScreenClock } from '../terminal/index.js'
import { Conversation } from './conversation.js'
import { ScreenConversation } from './screen-conversation.js'

/** An event of a replay; `t` in seconds since the recording's start. */
export type ReplayedEvent = EventDraft & { readonly t: number }

export interface ReplayOptions {
  /** Stop after this many milliseconds of the recording. */
  readonly untilMs?: number
  /** Told each event as it comes, in order. */
  readonly onEvent?: (event: ReplayedEvent) => void
  /** Told before each piece of the recording is fed; the replay waits for it (a player's pace). */
  readonly pace?: (atMs: number) => Promise<void>
  /** Told when a settled screen has been read, in ms of the recording. */
  readonly onFrame?: (atMs: number) => void
}

export interface Replayed {
  readonly events: readonly ReplayedEvent[]
  /** What the last screen shows and was taken for. */
  readonly explained: Explained | null
  /** Text of the last screen, row by row. */
  readonly screen: readonly string[]
}

/** Time that passes only as the recording says. */
export class ReplayClock implements ScreenClock {
  private time = 0
  private timers: { due: number; run: () => void }[] = []

  now(): number {
    return this.time
  }

  after(ms: number, callback: () => void) {
    const timer = { due: this.time + ms, run: callback }
    this.timers.push(timer)
    return {
      dispose: () => {
        this.timers = this.timers.filter((t) => t !== timer)
      },
    }
  }

  /** Moves on, and calls back whatever is due on the way, in order. */
  advance(to: number): void {
    for (;;) {
      let next: { due: number; run: () => void } | null = null
      for (const timer of this.timers) if (timer.due <= to && (!next || timer.due < next.due)) next = timer
      if (!next) break
      const { due, run } = next
      this.timers = this.timers.filter((t) => t !== next)
      this.time = Math.max(this.time, due)
      run()
    }
    this.time = Math.max(this.time, to)
  }
}

/** Replays the bytes of a recording; screen only. */
export async function replay(
  cast: Cast,
  vendor: VendorReader,
  options: ReplayOptions = {},
): Promise<Replayed> {
  const run = startReplay(cast, vendor, options)
  for (const event of cast.events) {
    if (options.untilMs !== undefined && event.at > options.untilMs) break
    if (options.pace) await options.pace(event.at)
    run.feed(event)
  }
  return run.end()
}

/** The same without waiting for anything. */
export function replayAtOnce(cast: Cast, vendor: VendorReader, options: ReplayOptions = {}): Replayed {
  const run = startReplay(cast, vendor, options)
  for (const event of cast.events) {
    if (options.untilMs !== undefined && event.at > options.untilMs) break
    run.feed(event)
  }
  return run.end()
}

/** The reader's own names of things mean nothing outside of it. */
export function withoutKey(draft: EventDraft): EventDraft {
  if (!('key' in draft)) return draft
  const { key: _, ...rest } = draft
  return rest as EventDraft
}

/** How long the clock runs on after the last byte, so that what waits for quiet is told, in ms. */
const TAIL_MS = 4000

/** A hidden page tells a size of nothing; no terminal has it. */
export const drawable = (cells: number): boolean => cells >= 2 && cells <= 1000

function startReplay(cast: Cast, vendor: VendorReader, options: ReplayOptions) {
  const clock = new ReplayClock()
  const events: ReplayedEvent[] = []
  const conversation = new Conversation(countingIds(), () => null, null, 'unknown')
  const tell = (drafts: readonly EventDraft[]) => {
    for (const draft of drafts) {
      const event = { ...withoutKey(draft), t: Math.round(clock.now()) / 1000 }
      events.push(event)
      options.onEvent?.(event)
    }
  }
  const { cols, rows } = cast.header
  const screen = new Screen({ cols, rows, clock })
  const reader = new ScreenConversation(vendor, clock, (observations) => {
    for (const observation of observations) tell(conversation.observe(observation))
  })
  screen.onFrame((frame) => {
    reader.frame(frame)
    options.onFrame?.(clock.now())
  })
  return {
    feed(event: Cast['events'][number]) {
      clock.advance(event.at)
      if (event.kind === 'o') screen.write(Buffer.from(event.data, 'utf8'))
      const size = event.kind === 'r' ? castSize(event.data) : null
      if (size && drawable(size.cols) && drawable(size.rows)) screen.resize(size.cols, size.rows)
    },
    end(): Replayed {
      // Time that the recording does not have must not make states: only what waits for quiet is told.
      clock.advance(clock.now() + TAIL_MS)
      reader.end()
      const explained = reader.explain()
      const lines = Array.from({ length: screen.rows }, (_, y) => screen.text(y))
      screen.dispose()
      return { events, explained, screen: lines }
    },
  }
}
