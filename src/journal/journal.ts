/** @module journal/journal - the interface of the journal; see sqlite-journal.ts for the real one. */
import type { DurableEvent } from '../protocol/events.js'
import type { SessionInfo } from '../protocol/session.js'

/** A durable event before the journal gave it its place. */
export type UnplacedEvent = DurableEvent extends infer E
  ? E extends DurableEvent
    ? Omit<E, 'seq'>
    : never
  : never

export interface Journal {
  /**
   * Writes a batch in one commit and returns it with dense `seq`, continuing the session's.
   * @param summary the session's summary after the batch, saved in the same commit
   */
  append(
    sessionId: string,
    events: readonly UnplacedEvent[],
    summary?: (placed: readonly DurableEvent[]) => SessionInfo,
  ): DurableEvent[]
  /** Events with `seq` > `since`, in order, at most `limit` (default 10,000). */
  read(sessionId: string, since: number, limit?: number): DurableEvent[]
  lastSeq(sessionId: string): number
  /** Inserts or replaces the summary of a session. */
  saveSession(info: SessionInfo): void
  /** Newest first, at most `limit` (default all). */
  sessions(limit?: number): SessionInfo[]
  session(id: string): SessionInfo | null
  close(): void
}
