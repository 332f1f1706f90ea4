/** @module cli/find-session - what a person may type for a session: its id, the start of it, or its name. */
import { MeowError } from '../protocol/errors.js'
import type { SessionInfo } from '../protocol/session.js'
import { safeLine } from './safe-text.js'

const MOST_CANDIDATES = 8

/**
 * The one session that `ref` means: an exact id, else an exact name, else the start of an id (with or without the part
 * before its `_`). Where several fit and one of them is alive, that one is meant.
 */
export function findSession(ref: string, sessions: readonly SessionInfo[]): SessionInfo {
  const exact = sessions.find((session) => session.id === ref)
  if (exact !== undefined) return exact
  const named = sessions.filter((session) => session.name === ref)
  const matches = named.length > 0 ? named : sessions.filter((session) => startsWith(session.id, ref))
  const alive = matches.filter((session) => session.state !== 'ended')
  const [only] = alive.length === 1 ? alive : matches
  if (only !== undefined && (alive.length === 1 || matches.length === 1)) return only
  if (matches.length > 1) {
    throw new MeowError('invalid_argument', `"${safeLine(ref, 80)}" means more than one session`, {
      hint: `say which: ${list(alive.length > 0 ? alive : matches)}`,
    })
  }
  throw new MeowError('not_found', `no session is called "${safeLine(ref, 80)}"`, { hint: known(sessions) })
}

function startsWith(id: string, ref: string): boolean {
  if (ref === '') return false
  return id.startsWith(ref) || id.slice(id.indexOf('_') + 1).startsWith(ref)
}

function known(sessions: readonly SessionInfo[]): string {
  const alive = sessions.filter((session) => session.state !== 'ended')
  if (alive.length > 0) return `there are: ${list(alive)}`
  return sessions.length > 0
    ? 'no session is running; agent-meow ls --all shows the ended ones'
    : 'start one with: agent-meow run <vendor>'
}

function list(sessions: readonly SessionInfo[]): string {
  const shown = sessions.slice(0, MOST_CANDIDATES).map((one) => `${one.id} (${safeLine(one.name, 40)})`)
  const rest = sessions.length - shown.length
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
