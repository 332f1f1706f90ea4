/**
 * @module web/model/conversation - events and boards in, view out; pure, and the same whatever way the events came.
 *
 * Durable events count once, by `seq`: a repeated one is dropped, a missing one is a hole. Live text counts once, by
 * offset. A hole is never papered over: the caller subscribes again from `lastSeq`, and the snapshot fills it.
 */
import { type DurableEvent, isLive, type MeowEvent } from '../../../protocol/events.js'
import type { Board } from '../../../protocol/session.js'
import { Draft } from './draft.js'
import { applyDurable, mark } from './durable.js'
import { applyBoard, applyLive } from './live.js'
import { type Conversation, emptyConversation } from './view.js'

export interface Applied {
  readonly view: Conversation
  /** What is missing: subscribe again from `view.lastSeq`. */
  readonly hole: string | null
}

/** Applies events as they arrive. Everything after a missing durable event waits for the snapshot. */
export function applyEvents(view: Conversation, events: readonly MeowEvent[]): Applied {
  const draft = new Draft(view)
  let hole: string | null = null
  for (const event of events) {
    if (isLive(event)) {
      if (applyLive(draft, event)) hole ??= `text before ${event.type} of ${event.id}`
      continue
    }
    const next = draft.get('lastSeq') + 1
    if (event.seq < next) continue
    if (event.seq > next) return { view: draft.finish(), hole: `events ${next} to ${event.seq - 1}` }
    applyDurable(draft, event)
    draft.set({ lastSeq: event.seq })
  }
  return { view: draft.finish(), hole }
}

export interface Snapshot {
  readonly events: readonly MeowEvent[]
  readonly board: Board
  readonly lastSeq: number
}

/**
 * Applies the first answer to a subscription, taken at one instant. What a snapshot itself lacks is lost: it is told
 * in the conversation instead of being asked for again and again.
 */
export function applySnapshot(view: Conversation, snapshot: Snapshot): Applied {
  if (snapshot.lastSeq < view.lastSeq) {
    return { view: emptyConversation(view.sessionId), hole: 'the journal is shorter than what was seen' }
  }
  const draft = new Draft(view)
  for (const event of snapshot.events) {
    if (isLive(event)) continue
    if (event.seq <= draft.get('lastSeq')) continue
    skipTo(draft, event)
    applyDurable(draft, event)
    draft.set({ lastSeq: event.seq })
  }
  const reached = draft.get('lastSeq')
  if (reached < snapshot.lastSeq) {
    // A page of a long history: go on from there. Without progress the rest is lost.
    if (reached > view.lastSeq) return { view: draft.finish(), hole: `events after ${reached}` }
    mark(draft, `missing:${reached}`, 'warning', missing(reached + 1, snapshot.lastSeq), null)
    draft.set({ lastSeq: snapshot.lastSeq })
  }
  applyBoard(draft, snapshot.board)
  return { view: draft.finish(), hole: null }
}

function skipTo(draft: Draft, event: DurableEvent): void {
  const next = draft.get('lastSeq') + 1
  if (event.seq > next) {
    mark(draft, `missing:${next}`, 'warning', missing(next, event.seq - 1), null)
  }
}

function missing(from: number, to: number): string {
  return from === to ? `Event ${from} is missing` : `Events ${from} to ${to} are missing`
}
