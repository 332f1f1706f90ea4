/**
 * @module session/replay-side - replays a recording with what its side channels told: they write the content, and the
 * screen says the state where a live session would let it.
 */
import type { Adapter, Observation, Reading } from '../adapter/index.js'
import type { EventDraft } from '../protocol/events.js'
import { countingIds } from '../protocol/ids.js'
import { type Cast, type CastEvent, castSize, type Frame, Screen } from '../terminal/index.js'
import { Conversation } from './conversation.js'
import { tablePrice } from './pricing.js'
import { drawable, ReplayClock, type ReplayedEvent, type ReplayOptions, withoutKey } from './replay.js'
import { screenView } from './screen-view.js'
import type { SideFact } from './side-log.js'

/** How long the clock runs on after the last byte, so that the last frame settles, in ms. */
const TAIL_MS = 1000

/** Replays both files on one clock. What stands at the same time comes from the terminal first. */
export async function replayWithSide(
  cast: Cast,
  adapter: Adapter,
  facts: readonly SideFact[],
  options: ReplayOptions = {},
): Promise<readonly ReplayedEvent[]> {
  const run = new SideReplay(cast, adapter, options)
  const until = options.untilMs ?? Number.POSITIVE_INFINITY
  for (const step of onOneClock(cast.events, facts)) {
    if (step.at > until) break
    if (options.pace) await options.pace(step.at)
    if ('observation' in step) run.observe(step)
    else run.feed(step)
  }
  return run.end()
}

function onOneClock(events: readonly CastEvent[], facts: readonly SideFact[]): (CastEvent | SideFact)[] {
  return [...events, ...facts].sort((a, b) => a.at - b.at)
}

class SideReplay {
  private readonly clock = new ReplayClock()
  private readonly screen: Screen
  private readonly conversation = new Conversation(countingIds(), tablePrice, null, 'unknown')
  private readonly events: ReplayedEvent[] = []
  private readonly seen: Observation[] = []
  private reading: Reading | null = null
  private ready = false

  constructor(
    private readonly cast: Cast,
    private readonly adapter: Adapter,
    private readonly options: ReplayOptions,
  ) {
    const { cols, rows } = cast.header
    this.screen = new Screen({ cols, rows, clock: this.clock })
    this.screen.onFrame((frame) => this.frame(frame))
  }

  feed(event: CastEvent): void {
    this.clock.advance(event.at)
    if (event.kind === 'o') this.screen.write(Buffer.from(event.data, 'utf8'))
    const size = event.kind === 'r' ? castSize(event.data) : null
    if (size && drawable(size.cols) && drawable(size.rows)) this.screen.resize(size.cols, size.rows)
    if (event.kind === 'x') this.tell(this.conversation.close('failed', "the vendor's program ended"))
  }

  observe({ at, observation }: SideFact): void {
    this.clock.advance(at)
    this.tell(this.conversation.observe(observation))
    this.seen.push(observation)
    this.mayBeReady()
  }

  end(): readonly ReplayedEvent[] {
    this.clock.advance(this.clock.now() + TAIL_MS)
    this.screen.dispose()
    return this.events
  }

  private frame(frame: Frame): void {
    const reading = this.adapter.read(screenView(frame))
    this.reading = reading
    this.readState(reading)
    this.mayBeReady()
  }

  /** As in a session: the screen says the state until the vendor is ready, and later where no other source does. */
  private readState(reading: Reading): void {
    const { adapter, conversation } = this
    const asks = conversation.currentState === 'blocked' && reading.dialog !== null
    if (this.ready && adapter.stateWriter === 'observations' && !asks) return
    // A recording from the middle has no beginning to wait for.
    const midway = this.cast.header.fromStart === false
    const early = !this.ready && !midway && conversation.currentState === 'starting'
    if (early && reading.state !== 'blocked') return
    const { state, rule, evidence } = reading
    this.tell(conversation.observe({ type: 'state', source: 'screen', state, rule, evidence: [...evidence] }))
    if (midway && state !== 'unknown') this.ready = true
  }

  private mayBeReady(): void {
    if (this.ready || !this.adapter.ready({ reading: this.reading, observations: this.seen })) return
    this.ready = true
    const { conversation } = this
    if (conversation.currentState !== 'starting' && conversation.currentState !== 'unknown') return
    this.tell(
      conversation.observe({
        type: 'state',
        source: 'bridge',
        state: 'idle',
        rule: 'session.ready',
        evidence: ['the vendor takes prompts'],
      }),
    )
  }

  private tell(drafts: readonly EventDraft[]): void {
    for (const draft of drafts) {
      const event = { ...withoutKey(draft), t: Math.round(this.clock.now()) / 1000 }
      this.events.push(event)
      this.options.onEvent?.(event)
    }
  }
}
