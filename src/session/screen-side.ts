/** @module session/screen-side - a live session's frames: readings, and the facts that only the screen has. */
import { type Adapter, type Observation, type Reading, readerOf } from '../adapter/index.js'
import type { EventDraft, SessionState } from '../protocol/events.js'
import { type Frame, systemClock } from '../terminal/index.js'
import { ScreenConversation } from './screen-conversation.js'
import { DialogWatch, DraftWatch } from './screen-facts.js'
import { screenView } from './screen-view.js'
import type { Watch } from './script.js'

export interface ScreenSideHost {
  readonly adapter: Adapter
  readonly watch: Watch
  /** The vendor takes prompts. */
  ready(): boolean
  state(): SessionState
  /** A script of the bridge is typing. */
  typing(): boolean
  observe(observations: readonly Observation[]): void
  tell(drafts: readonly EventDraft[]): void
  now(): number
}

export class ScreenSide {
  readonly dialogs = new DialogWatch()
  private readonly draft = new DraftWatch()
  private readonly content: ScreenConversation | null
  private ended = false
  /** When the newest reading was made, in ms since the epoch. */
  readAt = 0

  constructor(private readonly host: ScreenSideHost) {
    const { adapter } = host
    const reader = adapter.contentWriter === 'screen' ? readerOf(adapter) : null
    // Its dialogs are told by `dialogs`, with their answers.
    const isContent = (o: Observation) =>
      o.type !== 'dialog.opened' && o.type !== 'dialog.closed' && !(this.ended && o.type === 'turn.ended')
    this.content =
      reader && new ScreenConversation(reader, systemClock, (told) => host.observe(told.filter(isContent)))
  }

  /** What a person has typed into the prompt box and not sent. */
  get draftText(): string | null {
    return this.draft.current
  }

  frame(frame: Frame): void {
    const { adapter, watch, now } = this.host
    const reading = adapter.read(screenView(frame))
    this.readAt = now()
    this.content?.frame(frame)
    watch.read(reading)
    this.readState(reading)
    this.host.observe(this.dialogs.read(reading, adapter.answer !== undefined))
    const text = this.draft.read(reading, this.host.typing())
    if (text !== undefined) this.host.tell([{ type: 'session.draft', source: 'screen', text }])
  }

  /** What is drawn is all there is. How the turn ended is not the screen's to say: the program is gone. */
  end(): void {
    this.ended = true
    this.content?.end()
  }

  /** The screen says the state until the vendor is ready, and later where no other source does. */
  private readState(reading: Reading): void {
    const { adapter } = this.host
    const state = this.host.state()
    const ready = this.host.ready()
    // Where another source says that a dialog is open, the screen says which one.
    const asks = state === 'blocked' && reading.dialog !== null
    if (ready && adapter.stateWriter === 'observations' && !asks) return
    if (!ready && reading.state !== 'blocked' && state === 'starting') return
    const { rule, evidence } = reading
    this.host.observe([
      { type: 'state', source: 'screen', state: reading.state, rule, evidence: [...evidence] },
    ])
  }
}
