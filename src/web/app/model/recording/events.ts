/** @module web/model/recording/events - the replayed events of a recording, checked, and the view at any time of it. */
import { ReplaySummary } from '../../../../protocol/api.js'
import { EventSchema, isLive, type MeowEvent } from '../../../../protocol/events.js'
import { applyEvents } from '../conversation.js'
import { type Conversation, emptyConversation } from '../view.js'
import type { Sliced } from './slices.js'

export interface TimedEvent {
  /** Recorded seconds. */
  readonly at: number
  readonly event: MeowEvent
}

export interface Replay {
  readonly summary: ReplaySummary
  readonly events: readonly TimedEvent[]
}

/** Lines between two rests. */
const SLICE = 100

/**
 * Reads the hub's answer: a summary, then an event a line, which get here the envelope that a journal would give them;
 * their `ts` counts from the recording's start.
 * Throws when the summary is none; an event that is none is left out, and the summary says so.
 */
export function* readReplay(text: string): Sliced<Replay> {
  const [first = '', ...lines] = text.split('\n')
  const summary = ReplaySummary.parse(JSON.parse(first))
  const events: TimedEvent[] = []
  let seq = 0
  let wrong = 0
  let clock = 0
  for (const [n, line] of lines.entries()) {
    if (n % SLICE === SLICE - 1) yield
    if (line === '') continue
    const told = object(line)
    const t = typeof told?.t === 'number' && told.t >= 0 ? told.t : clock
    clock = Math.max(clock, t)
    const envelope = { v: 1, sessionId: summary.recording, id: `r${n}`, ts: Math.round(clock * 1000) }
    // Durable ones are numbered without a hole; on a live one the number means nothing.
    const parsed = EventSchema.safeParse({ ...told, ...envelope, seq: seq + 1 })
    if (!parsed.success) {
      wrong += 1
      continue
    }
    if (!isLive(parsed.data)) seq += 1
    events.push({ at: clock, event: parsed.data })
  }
  if (wrong === 0) return { summary, events }
  const detail = `${wrong} events are not understood by this page`
  return { summary: { ...summary, complete: false, detail: summary.detail ?? detail }, events }
}

function object(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Events between two views that are kept for going back. */
const KEEP_EVERY = 200

/** The conversation at any time. Going back starts from the nearest view that was kept. */
export class ConversationAt {
  readonly #events: readonly TimedEvent[]
  /** After `n * KEEP_EVERY` events. */
  readonly #kept: Conversation[]
  #view: Conversation
  #applied = 0

  constructor(name: string, events: readonly TimedEvent[]) {
    this.#events = events
    this.#view = emptyConversation(name)
    this.#kept = [this.#view]
  }

  /** The very same object as before when nothing happened in between. */
  at(time: number): Conversation {
    const upTo = this.#countUpTo(time)
    if (upTo < this.#applied) {
      const n = Math.min(Math.floor(upTo / KEEP_EVERY), this.#kept.length - 1)
      this.#view = this.#kept[n] ?? this.#view
      this.#applied = n * KEEP_EVERY
    }
    while (this.#applied < upTo) {
      const next = Math.min(upTo, (Math.floor(this.#applied / KEEP_EVERY) + 1) * KEEP_EVERY)
      const piece = this.#events.slice(this.#applied, next).map(({ event }) => event)
      this.#view = applyEvents(this.#view, piece).view
      this.#applied = next
      if (next === this.#kept.length * KEEP_EVERY) this.#kept.push(this.#view)
    }
    return this.#view
  }

  /** How many events there are up to a time, that time included. */
  #countUpTo(time: number): number {
    let low = 0
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#events[middle]?.at ?? 0) <= time) low = middle + 1
      else high = middle
    }
    return low
  }
}
