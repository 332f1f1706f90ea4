/** @module journal/every-event - all durable events of a session, read in pages. */
import type { DurableEvent } from '../protocol/events.js'
import type { Journal } from './journal.js'

/** Events that are read at once. */
const PAGE = 5000

/** Every durable event of a session, in order. */
export function* everyEvent(journal: Journal, sessionId: string): Generator<DurableEvent> {
  for (let since = 0; ; ) {
    const page = journal.read(sessionId, since, PAGE)
    yield* page
    const last = page.at(-1)
    if (!last) return
    since = last.seq
  }
}
