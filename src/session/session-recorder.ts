/** @module session/session-recorder - the recorder of one session, from what the session is. */
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Adapter } from '../adapter/index.js'
import { Secrets } from '../terminal/index.js'
import type { SessionDeps } from './handle.js'
import { SessionRecorder } from './recording.js'

/** The terminal's bytes, in the session's folder. */
export const RAW_FILE = 'terminal.raw'

export interface RecordedSession {
  readonly id: string
  readonly adapter: Adapter
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly name: string | null
  readonly request: {
    readonly cwd: string
    readonly cols: number
    readonly rows: number
    readonly backend: 'tmux' | 'pty'
  }
  readonly deps: SessionDeps
  readonly sessionDir: string
  readonly version: string | null
}

/** Makes it; nothing is recorded until it is started. */
export function recorderOf(s: RecordedSession): SessionRecorder {
  const { home, hook, now, log } = s.deps
  const { cwd, cols, rows, backend } = s.request
  return new SessionRecorder({
    sessionId: s.id,
    sessionDir: s.sessionDir,
    home,
    vendor: { id: s.adapter.vendor.id, version: s.version },
    backend,
    size: { cols, rows },
    term: s.env.TERM,
    command: s.argv.join(' '),
    title: s.name ?? `${s.adapter.vendor.id} in ${cwd}`,
    secrets: new Secrets({ env: { ...s.env, HOOK_TOKEN: hook.token }, user: userInfo().username }),
    rawFile: join(s.sessionDir, RAW_FILE),
    now,
    log,
  })
}
