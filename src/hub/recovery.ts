/** @module hub/recovery - what a starting hub does about sessions that an earlier hub left open. */
import type { Journal } from '../journal/journal.js'
import { EVENT_VERSION } from '../protocol/events.js'
import type { IdSource } from '../protocol/ids.js'
import type { SessionInfo } from '../protocol/session.js'
import { leftHookToken } from '../session/resume-session.js'
import { settleLost } from '../session/settle-lost.js'
import { terminalIdOf } from '../session/starting.js'
import { attachLine } from '../terminal/index.js'
import { describeError } from './log.js'
import type { Registry } from './registry.js'

export interface EndReason {
  readonly reason: 'exited' | 'killed' | 'lost' | 'start_failed'
  readonly detail: string
}

/** How often a program that does not answer is asked. */
const TRIES = 3

/** Sessions that an earlier hub left open, newest first. */
export function openSessions(journal: Journal): SessionInfo[] {
  return journal.sessions().filter((info) => info.state !== 'ended' || info.endedAt === null)
}

/**
 * Goes on with every session whose program still runs, and closes the others. Resolves when that is decided; a session
 * can be reached as soon as it is joined.
 */
export async function recoverSessions(
  left: readonly SessionInfo[],
  registry: Registry,
  options: {
    readonly journal: Journal
    readonly now: () => number
    readonly newId: IdSource
    readonly socketDir: string
    readonly home: string
    readonly log: (line: string) => void
  },
): Promise<void> {
  const { journal, now, newId, socketDir, home, log } = options
  // A fault is no proof that a program is gone: a tmux that answers late is asked again.
  const resumed = async (info: SessionInfo, token: string): Promise<boolean> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await registry.resume(info, token)
      } catch (error) {
        log(`session ${info.id} could not be gone on with: ${describeError(error)}`)
        if (tries >= TRIES) return false
      }
    }
  }
  const one = async (info: SessionInfo): Promise<void> => {
    const token = leftHookToken(home, info.id)
    if (token !== null && (await resumed(info, token))) {
      log(`session ${info.id} goes on`)
      return
    }
    let settled = info
    try {
      settled = settleLost(info, { journal, home, now, log })
    } catch (error) {
      log(`what session ${info.id} left open could not be settled: ${describeError(error)}`)
    }
    endInJournal(journal, settled, now(), newId, { reason: 'lost', detail: lostDetail(info, socketDir) })
    log(`session ${info.id} was lost`)
  }
  await Promise.all(left.map(one))
}

const LOST = 'The hub that ran it ended without closing it.'
export const LOST_AND_ENDED = `${LOST} Its program still ran, and a kill has ended it.`

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
