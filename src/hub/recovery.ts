/** @module hub/recovery - what a starting hub does about sessions that an earlier hub left open. */
import type { Journal } from '../journal/journal.js'
import { EVENT_VERSION } from '../protocol/events.js'
import type { IdSource } from '../protocol/ids.js'
import type { SessionInfo } from '../protocol/session.js'
import { attachLine } from '../terminal/index.js'

export interface EndReason {
  readonly reason: 'exited' | 'killed' | 'lost' | 'start_failed'
  readonly detail: string
}

/**
 * Closes every session that is journalled as open: nobody follows its terminal any more.
 * Returns the summaries as they are now.
 */
export function endLostSessions(
  journal: Journal,
  now: () => number,
  newId: IdSource,
  socketDir: string,
): SessionInfo[] {
  const open = journal.sessions().filter((info) => info.state !== 'ended' || info.endedAt === null)
  return open.map((info) =>
    endInJournal(journal, info, now(), newId, {
      reason: 'lost',
      detail: lostDetail(info, socketDir),
    }),
  )
}

const LOST = 'The hub that ran it ended without closing it.'
export const LOST_AND_ENDED = `${LOST} Its program still ran, and a kill has ended it.`

/** A terminal id has no `_`, which session ids have. */
export const terminalIdOf = (sessionId: string): string => sessionId.replaceAll('_', '-')

/** A tmux server outlives its hub, a pty does not. */
function lostDetail({ backend, id }: SessionInfo, socketDir: string): string {
  if (backend !== 'tmux') return LOST
  const join = attachLine(socketDir, terminalIdOf(id))
  return `${LOST} Its program may still run; to join it: ${join} - to end it: agent-meow kill ${id}`
}

/** Appends `session.ended` unless it is there, and saves the summary as ended. */
export function endInJournal(
  journal: Journal,
  info: SessionInfo,
  ts: number,
  newId: IdSource,
  end: EndReason,
): SessionInfo {
  const last = journal.read(info.id, Math.max(0, journal.lastSeq(info.id) - 1)).at(-1)
  if (last?.type !== 'session.ended') {
    journal.append(info.id, [
      {
        v: EVENT_VERSION,
        sessionId: info.id,
        id: newId('e'),
        ts,
        source: 'bridge',
        type: 'session.ended',
        reason: end.reason,
        exitCode: null,
        signal: null,
        detail: end.detail,
      },
    ])
  }
  const ended: SessionInfo = {
    ...info,
    state: 'ended',
    stateRule: `session.${end.reason}`,
    stateEvidence: [end.detail],
    stateSince: ts,
    endedAt: ts,
    lastSeq: journal.lastSeq(info.id),
  }
  journal.saveSession(ended)
  return ended
}
