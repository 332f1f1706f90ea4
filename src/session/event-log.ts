/** @module session/event-log - stamps drafts, journals the durable ones, then tells everyone. */
import type { Journal, UnplacedEvent } from '../journal/journal.js'
import type { DurableDraft, DurableEvent, EventDraft, LiveEvent, MeowEvent } from '../protocol/events.js'
import { EVENT_VERSION, isLive } from '../protocol/events.js'
import type { IdSource } from '../protocol/ids.js'
import type { SessionInfo } from '../protocol/session.js'
import { faultName } from './fault-name.js'
import { Listeners } from './listeners.js'
import { summarize } from './summary.js'

interface EventLogDeps {
  readonly journal: Journal
  readonly now: () => number
  readonly newId: IdSource
  readonly log: (line: string) => void
}

/** One session's way to the journal and to its observers. */
export class EventLog {
  private summary: SessionInfo
  /** A listener may record more: that is told after everyone has had what came before it. */
  private readonly untold: (readonly MeowEvent[])[] = []
  private telling = false
  readonly events: Listeners<[readonly MeowEvent[]]>
  readonly infos: Listeners<[SessionInfo]>

  constructor(
    private readonly deps: EventLogDeps,
    info: SessionInfo,
  ) {
    this.summary = info
    const fault = (error: unknown) => deps.log(`listener of ${info.id} failed: ${faultName(error)}`)
    this.events = new Listeners(fault)
    this.infos = new Listeners(fault)
    deps.journal.saveSession(info)
  }

  get info(): SessionInfo {
    return this.summary
  }

  /** Facts of the summary that no event carries (size). */
  patch(change: Partial<Pick<SessionInfo, 'cols' | 'rows' | 'name'>>): void {
    this.summary = { ...this.summary, ...change }
    this.keepSummary()
    this.infos.tell(this.summary)
  }

  /** The events are journalled and say the same: a listing that is behind is no reason to keep them from anyone. */
  private keepSummary(): void {
    try {
      this.deps.journal.saveSession(this.summary)
    } catch (error) {
      this.deps.log(`the summary of ${this.summary.id} was not saved: ${faultName(error)}`)
    }
  }

  /** Journals first: every durable event that an observer saw can be read again by its `seq`. */
  record(drafts: readonly EventDraft[]): void {
    if (drafts.length === 0) return
    const ts = this.deps.now()
    const stamp = <D extends EventDraft>(draft: D) => ({
      v: EVENT_VERSION,
      sessionId: this.summary.id,
      id: this.deps.newId('e'),
      ts,
      ...draft,
    })
    const durable: UnplacedEvent[] = drafts
      .filter((d): d is DurableDraft => !isLive(d))
      .map((d) => stamp(d) as UnplacedEvent)
    let { summary } = this
    // One commit for both: a listing is never behind the events, and a batch costs one write.
    const placed =
      durable.length === 0
        ? []
        : this.deps.journal.append(summary.id, durable, (events) => {
            for (const event of events) summary = summarize(summary, event)
            return summary
          })
    this.summary = summary
    let next = 0
    const all = drafts.map(
      (d): MeowEvent => (isLive(d) ? (stamp(d) as LiveEvent) : (placed[next++] as DurableEvent)),
    )
    this.untold.push(all)
    if (this.telling) return
    this.telling = true
    try {
      for (let batch = this.untold.shift(); batch; batch = this.untold.shift()) this.events.tell(batch)
    } finally {
      this.telling = false
    }
    if (placed.length > 0) this.infos.tell(this.summary)
  }
}
