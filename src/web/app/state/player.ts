/** @module web/state/player - one recording being watched: what was loaded, where it stands, what follows from that. */

import { type CastMark, type Recorded, readCast } from '../model/recording/cast.js'
import { ConversationAt, type Replay, readReplay, type TimedEvent } from '../model/recording/events.js'
import { type Marker, markersOf, nextMarker, previousMarker } from '../model/recording/markers.js'
import { atSpeed, goTo, type Pace, position, run, STANDING, stand } from '../model/recording/pace.js'
import { inSlices } from '../model/recording/slices.js'
import { IDLE_LIMIT, Timeline } from '../model/recording/timeline.js'
import type { Conversation } from '../model/view.js'
import { ApiFault, asFault, hub } from '../net/http.js'
import { Store } from './store.js'

export interface PlayerState {
  readonly cast: Recorded | null
  readonly castFault: ApiFault | null
  /** What was read back of the conversation; null until it is there. */
  readonly summary: Replay['summary'] | null
  readonly replayFault: ApiFault | null
  readonly markers: readonly Marker[]
  readonly playing: boolean
  readonly speed: number
  readonly cutPauses: boolean
  /** Recorded seconds. */
  readonly at: number
  readonly length: number
  /** Watched seconds, for the bar. */
  readonly watched: number
  readonly watchedLength: number
  readonly view: Conversation | null
  /** The terminal shows what it should at this time. */
  readonly caughtUp: boolean
  readonly timeline: Timeline
}

/** What draws the recording's output. */
export interface Shows {
  /** The screen at a time, in recorded seconds. */
  show(time: number): void
}

/** How often the numbers change while it plays, in milliseconds. */
const TELL_MS = 100
/** The longest recording that a page takes, in UTF-16 units. */
const LONGEST = 256 * 1024 * 1024

const NOTHING = new Timeline([], 0, null)

export class Player {
  readonly store: Store<PlayerState>
  readonly #name: string
  readonly #ending = new AbortController()
  readonly #settled: (at: number) => void
  #pace: Pace = STANDING
  #timeline = NOTHING
  #conversation: ConversationAt | null = null
  #screen: Shows | null = null
  #told = 0
  #frame = 0
  /** Where it begins once it is loaded, in recorded seconds. */
  #start = 0
  #marks: readonly CastMark[] = []
  #events: readonly TimedEvent[] = []

  /** `settled`: told where it stands, whenever a person stopped it or went elsewhere. */
  constructor(name: string, settled: (at: number) => void) {
    this.#name = name
    this.#settled = settled
    this.store = new Store<PlayerState>({
      cast: null,
      castFault: null,
      summary: null,
      replayFault: null,
      markers: [],
      playing: false,
      speed: 1,
      cutPauses: true,
      at: 0,
      length: 0,
      watched: 0,
      watchedLength: 0,
      view: null,
      caughtUp: false,
      timeline: NOTHING,
    })
  }

  /** Loads both halves; each is shown as soon as it is there. */
  async load(): Promise<void> {
    const { signal } = this.#ending
    await Promise.all([
      this.#loadCast(signal).catch((thrown: unknown) => {
        if (!signal.aborted) this.store.set({ castFault: asFault(thrown) })
      }),
      this.#loadEvents(signal).catch((thrown: unknown) => {
        if (!signal.aborted) this.store.set({ replayFault: asFault(thrown) })
      }),
    ])
  }

  /** The terminal is there (again). */
  attach(screen: Shows): void {
    this.#screen = screen
    this.#show()
  }

  caughtUp(caughtUp: boolean): void {
    this.store.set({ caughtUp })
  }

  dispose(): void {
    this.#ending.abort(new Error('the player was closed'))
    cancelAnimationFrame(this.#frame)
    this.#screen = null
  }

  toggle(): void {
    if (this.store.get().cast === null) return
    const { watchedLength } = this.#timeline
    const now = performance.now()
    const stops = this.#pace.since !== null
    this.#pace = stops ? stand(this.#pace, now, watchedLength) : run(this.#pace, now, watchedLength)
    this.#show()
    if (stops) this.#settled(this.store.get().at)
  }

  /** Goes to a recorded time. */
  seek(at: number): void {
    // Before the recording is there the wish is kept.
    this.#start = at
    this.seekWatched(this.#timeline.watched(at))
  }

  seekWatched(watched: number): void {
    if (this.store.get().cast === null) return
    this.#pace = goTo(this.#pace, watched, performance.now(), this.#timeline.watchedLength)
    this.#show()
    this.#settled(this.store.get().at)
  }

  skip(watchedSeconds: number): void {
    this.seekWatched(this.#now() + watchedSeconds)
  }

  jump(direction: 'next' | 'previous'): void {
    const { markers, at, length } = this.store.get()
    if (direction === 'next') this.seek(nextMarker(markers, at)?.at ?? length)
    else this.seek(previousMarker(markers, at)?.at ?? 0)
  }

  setSpeed(speed: number): void {
    this.#pace = atSpeed(this.#pace, speed, performance.now(), this.#timeline.watchedLength)
    this.store.setNow({ speed })
    this.#show()
  }

  setCutPauses(cutPauses: boolean): void {
    const { cast } = this.store.get()
    this.store.setNow({ cutPauses })
    if (cast !== null) this.#setTimeline(cast, cutPauses)
  }

  async #loadCast(signal: AbortSignal): Promise<void> {
    const text = await hub.recording(this.#name, signal)
    if (text.length > LONGEST) {
      const hint = 'asciinema plays the file itself'
      throw new ApiFault('too_large', 'This recording is too long for a page.', false, hint)
    }
    const cast = await inSlices(readCast(text), rest(signal))
    this.#marks = cast.marks
    this.store.set({ cast, length: cast.length })
    this.#setTimeline(cast, this.store.get().cutPauses)
    this.#setMarkers()
    this.#pace = goTo(
      this.#pace,
      this.#timeline.watched(this.#start),
      performance.now(),
      Number.POSITIVE_INFINITY,
    )
    this.#show()
  }

  async #loadEvents(signal: AbortSignal): Promise<void> {
    const text = await hub.recordingEvents(this.#name, signal)
    const { summary, events } = await inSlices(readReplay(text), rest(signal))
    this.#events = events
    this.#conversation = new ConversationAt(this.#name, events)
    this.store.set({ summary })
    this.#setMarkers()
    this.#show()
  }

  /** The place in the recording stays. */
  #setTimeline(cast: Recorded, cutPauses: boolean): void {
    const at = this.#timeline.recorded(this.#now())
    const times = cast.frames.map((frame) => frame.at)
    this.#timeline = new Timeline(times, cast.length, cutPauses ? IDLE_LIMIT : null)
    const { watchedLength } = this.#timeline
    this.#pace = goTo(this.#pace, this.#timeline.watched(at), performance.now(), watchedLength)
    this.store.set({ timeline: this.#timeline, watchedLength })
    this.#show()
  }

  #setMarkers(): void {
    this.store.set({ markers: markersOf(this.#marks, this.#events) })
  }

  #now(): number {
    return position(this.#pace, performance.now(), this.#timeline.watchedLength)
  }

  /** Shows the present place, and goes on while it runs. */
  #show(): void {
    cancelAnimationFrame(this.#frame)
    const { cast, view: shown } = this.store.get()
    if (cast === null) return
    const { watchedLength, length } = this.#timeline
    const watched = this.#now()
    const ends = watched >= watchedLength
    const at = ends ? length : this.#timeline.recorded(watched)
    if (ends) this.#pace = stand(this.#pace, performance.now(), watchedLength)
    const playing = this.#pace.since !== null
    this.#screen?.show(at)
    // What the reading told only after the last byte belongs to the end.
    const view = this.#conversation?.at(ends ? Number.POSITIVE_INFINITY : at) ?? null
    const now = performance.now()
    if (!playing || view !== shown || now - this.#told >= TELL_MS) {
      this.#told = now
      this.store.set({ playing, at, watched, view })
    }
    if (playing) this.#frame = requestAnimationFrame(() => this.#show())
  }
}

function rest(signal: AbortSignal) {
  return {
    now: () => performance.now(),
    rest: () => new Promise<void>((resolve) => setTimeout(resolve, 0)),
    signal,
  }
}
