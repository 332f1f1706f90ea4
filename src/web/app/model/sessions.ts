/** @module web/model/sessions - the list of sessions, and one session as its header shows it. */
import type { SessionState, Tokens } from '../../../protocol/events.js'
import type { SessionInfo } from '../../../protocol/session.js'
import type { Conversation } from './view.js'

export type SessionMap = ReadonlyMap<string, SessionInfo>

/** The map with these summaries; an older summary than the known one changes nothing. */
export function withSession(sessions: SessionMap, info: SessionInfo): SessionMap {
  const known = sessions.get(info.id)
  if (known !== undefined && known.lastSeq > info.lastSeq) return sessions
  return new Map(sessions).set(info.id, info)
}

export function sessionMap(list: readonly SessionInfo[]): SessionMap {
  return new Map(list.map((info) => [info.id, info]))
}

/** Newest first. */
export function newestFirst(sessions: SessionMap): SessionInfo[] {
  return [...sessions.values()].sort((a, b) => b.createdAt - a.createdAt || a.id.localeCompare(b.id))
}

/** What the header shows: the summary, or the events where they are ahead of it. */
export interface Shown {
  readonly state: SessionState
  readonly rule: string
  readonly evidence: readonly string[]
  readonly since: number
  readonly model: string | null
  readonly mode: string | null
  readonly tokens: Tokens
  readonly usd: number | null
}

export function shown(info: SessionInfo, view: Conversation | undefined): Shown {
  const base = {
    state: info.state,
    rule: info.stateRule,
    evidence: info.stateEvidence,
    since: info.stateSince,
    model: info.model,
    mode: info.mode,
    tokens: info.tokens,
    usd: info.usd,
  }
  if (view === undefined || info.state === 'ended' || view.lastSeq <= info.lastSeq) return base
  return {
    ...base,
    ...(view.state ?? {}),
    model: view.model ?? info.model,
    mode: view.mode ?? info.mode,
    ...(view.total === null ? {} : { tokens: view.total.tokens, usd: view.total.usd }),
  }
}
