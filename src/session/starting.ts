/** @module session/starting - a session as listings show it before its program runs. */
import { basename } from 'node:path'
import type { CreateSession } from '../protocol/commands.js'
import type { Board, SessionInfo } from '../protocol/session.js'
import { NO_TOKENS } from './pricing.js'

/** The board of a session that has nothing open. */
export const EMPTY_BOARD: Board = { turnId: null, activity: null, items: [] }

/** What is known of a session from its request alone. */
export function startingInfo(id: string, request: CreateSession, now: number): SessionInfo {
  return {
    id,
    name: request.name ?? `${request.vendor} in ${basename(request.cwd) || '/'}`,
    vendor: request.vendor,
    vendorVersion: null,
    vendorSessionId: null,
    cwd: request.cwd,
    model: request.model ?? null,
    mode: null,
    backend: request.backend,
    pid: null,
    cols: request.cols,
    rows: request.rows,
    state: 'starting',
    stateRule: 'session.launch',
    stateEvidence: [],
    stateSince: now,
    createdAt: now,
    endedAt: null,
    lastSeq: 0,
    turns: 0,
    lastOutcome: null,
    tokens: NO_TOKENS,
    usd: 0,
  }
}

/** A terminal id has no `_`, which session ids have. */
export const terminalIdOf = (sessionId: string): string => sessionId.replaceAll('_', '-')
