/**
 * @module session/screen-conversation - a screen's frames become observations: reads each settled frame by a vendor's
 * grammar, and settles what is drawn once the screen has been quiet.
 */
import {
  type Explained,
  type Observation,
  type Reading,
  TranscriptReader,
  type VendorReader,
} from '../adapter/index.js'
import type { Frame, ScreenClock } from '../terminal/index.js'
import { screenView } from './screen-view.js'

/** A frame between two writes of one drawing: what it does not show counts only if nothing else follows, in ms. */
const TORN_MS = 250
/** How long an idle screen must not change before what it shows counts as whole, in ms. */
const QUIET_MS = 400
/** The same while a prompt stands unanswered: programs show their work up to a second after Enter, in ms. */
const UNANSWERED_MS = 3000

export class ScreenConversation {
  private readonly reader: TranscriptReader
  /** The newest reading that was told. */
  private known: Reading | null = null
  private timer: { dispose(): void } | null = null
  private held: { dispose(): void } | null = null
  private last: Frame | null = null

  constructor(
    private readonly vendor: VendorReader,
    private readonly clock: ScreenClock,
    private readonly tell: (observations: readonly Observation[]) => void,
  ) {
    this.reader = new TranscriptReader(vendor.grammar)
  }

  /** Takes a settled frame; good as a listener of `Screen.onFrame`. */
  frame(frame: Frame): void {
    const last = this.last
    this.last = frame
    if (last && this.held === null && sameScreen(last, frame)) {
      this.hear(this.reader.same())
      return
    }
    const view = screenView(frame)
    const reading = this.vendor.read(view)
    this.held?.dispose()
    this.held = null
    if (this.torn(reading)) {
      this.held = this.clock.after(TORN_MS, () => this.hear(this.reader.state(reading)))
      return
    }
    const rested = this.known?.state === reading.state
    this.known = reading
    this.hear(this.reader.frame(view, reading))
    // An animation is no news: what settles goes on settling.
    if (rested && this.timer && !this.reader.moved) return
    this.timer?.dispose()
    const quiet = this.reader.unanswered ? UNANSWERED_MS : (reading.quietMs ?? QUIET_MS)
    this.timer = this.clock.after(quiet, () => this.hear(this.reader.settle()))
  }

  /** Whether a reading knows less than the one before: it may be a drawing that is not finished. */
  private torn(reading: Reading): boolean {
    if (!this.known || this.known.state === 'unknown') return false
    return (
      reading.state === 'unknown' ||
      (this.known.dialog !== null && reading.state === 'blocked' && !reading.dialog)
    )
  }

  /** The program is gone: what is drawn is all there is. */
  end(): void {
    this.timer?.dispose()
    this.held?.dispose()
    this.hear(this.reader.settle(true))
  }

  explain(): Explained | null {
    return this.reader.explain()
  }

  private hear(observations: readonly Observation[]): void {
    if (observations.length > 0) this.tell(observations)
  }
}

/** Whether two frames look the same: programs draw dozens that do. Rows that did not change are the same objects. */
function sameScreen(a: Frame, b: Frame): boolean {
  if (a.rows !== b.rows || a.cols !== b.cols || a.base !== b.base || a.oldest !== b.oldest) return false
  if (a.title !== b.title || a.signals !== b.signals) return false
  if (a.modes.altScreen !== b.modes.altScreen || a.modes.bracketedPaste !== b.modes.bracketedPaste)
    return false
  const [at, now] = [a.cursor, b.cursor]
  if (at.x !== now.x || at.y !== now.y || at.visible !== now.visible) return false
  for (let y = 0; y < a.rows; y += 1) if (a.row(y) !== b.row(y)) return false
  return true
}
