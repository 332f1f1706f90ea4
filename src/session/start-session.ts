/** @module session/start-session - starts sources and program, and connects them to a session. */
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Adapter, HostProbe, LaunchPlan, Observation, SideChannel } from '../adapter/index.js'
import type { CreateSession } from '../protocol/commands.js'
import { randomId } from '../protocol/ids.js'
import type { SessionInfo } from '../protocol/session.js'
import { Screen, Secrets, type Terminal, type TerminalHost } from '../terminal/index.js'
import { Conversation } from './conversation.js'
import { EventLog } from './event-log.js'
import { faultName } from './fault-name.js'
import type { SessionDeps } from './handle.js'
import { tablePrice } from './pricing.js'
import { SessionRecorder } from './recording.js'
import { Watch } from './script.js'
import { Session } from './session.js'
import { startingInfo } from './starting.js'

/** The terminal's bytes, in the session's folder. */
const RAW_FILE = 'terminal.raw'

/** What a start needs; see {@link startSession}. */
export interface Start {
  readonly id: string
  readonly adapter: Adapter
  readonly plan: LaunchPlan
  readonly request: CreateSession
  readonly probe: HostProbe
  readonly deps: SessionDeps
  readonly sessionDir: string
  readonly host: TerminalHost
  readonly version: string | null
}

export interface StartedSession {
  readonly session: Session
  readonly watch: Watch
  /** The screen's last lines with text, for errors. */
  readonly tail: () => string
}

/** Sources first, then the program: nothing that it tells at its start is missed. */
export async function startSession(s: Start): Promise<StartedSession> {
  const channels = s.adapter.sources(s.plan)
  const early: Observation[] = []
  let emit = (o: Observation): void => {
    early.push(o)
  }
  let hookHandler: ((body: unknown) => Promise<unknown>) | null = null
  let started = (_pid: number): void => undefined
  const pid = new Promise<number>((resolve) => {
    started = resolve
  })
  const stopped = new AbortController()
  const recorder = recorderOf(s)
  const screen = new Screen({
    cols: s.request.cols,
    rows: s.request.rows,
    onFault: (error) => s.deps.log(`the screen of ${s.id}: ${faultName(error)}`),
  })
  let terminal: Terminal | null = null
  try {
    for (const channel of channels) {
      await channel.start({
        emit: (o) => emit(o),
        pid,
        onHook: (handler) => {
          hookHandler = handler
        },
        probe: s.probe,
        signal: stopped.signal,
      })
    }
    // Before the program: its first byte is in the recording.
    if (s.request.record !== undefined) await recorder.start(s.request.record)
    terminal = await s.host.open({
      id: s.id.replaceAll('_', '-'),
      argv: s.plan.argv,
      cwd: s.request.cwd,
      env: s.plan.env,
      cols: s.request.cols,
      rows: s.request.rows,
      recordFile: join(s.sessionDir, RAW_FILE),
    })
    const session = connect(s, terminal, screen, channels, recorder)
    if (hookHandler) session.setHookHandler(hookHandler)
    session.signal.addEventListener('abort', () => stopped.abort(), { once: true })
    s.deps.adopt?.(session)
    emit = (o) => session.observe(o)
    for (const o of early.splice(0)) session.observe(o)
    started(terminal.pid)
    const { rows } = terminal.size
    return { session, watch: session.watch, tail: () => lastLines(screen, rows) }
  } catch (error) {
    stopped.abort()
    await terminal?.kill().catch(() => undefined)
    await recorder.close(null)
    for (const channel of channels) await channel.stop().catch(() => undefined)
    screen.dispose()
    throw error
  }
}

/** The session of a running program: its start is journalled, and it follows the terminal from byte 0. */
function connect(
  s: Start,
  terminal: Terminal,
  screen: Screen,
  channels: readonly SideChannel[],
  recorder: SessionRecorder,
): Session {
  const { now, log: logLine, journal } = s.deps
  const info: SessionInfo = {
    ...startingInfo(s.id, s.request, now()),
    ...terminal.size,
    backend: terminal.backend,
    pid: terminal.pid,
    vendorSessionId: s.plan.vendorSessionId,
  }
  const log = new EventLog({ journal, now, newId: randomId, log: logLine }, info)
  log.record([
    {
      type: 'session.started',
      source: 'bridge',
      vendor: s.adapter.vendor.id,
      vendorVersion: s.version,
      cwd: s.request.cwd,
      model: s.request.model ?? null,
      backend: terminal.backend,
      pid: terminal.pid,
    },
  ])
  return new Session({
    id: s.id,
    adapter: s.adapter,
    terminal,
    screen,
    channels,
    conversation: new Conversation(randomId, tablePrice, s.request.model ?? null),
    log,
    watch: new Watch(),
    recorder,
    deps: s.deps,
    newId: randomId,
  })
}

function recorderOf({ id, adapter, plan, request, deps, sessionDir, version }: Start): SessionRecorder {
  const { home, hook, now, log } = deps
  return new SessionRecorder({
    sessionId: id,
    sessionDir,
    home,
    vendor: { id: adapter.vendor.id, version },
    backend: request.backend,
    size: { cols: request.cols, rows: request.rows },
    term: plan.env.TERM,
    command: plan.argv.join(' '),
    title: request.name ?? `${request.vendor} in ${request.cwd}`,
    secrets: new Secrets({ env: { ...plan.env, HOOK_TOKEN: hook.token }, user: userInfo().username }),
    rawFile: join(sessionDir, RAW_FILE),
    now,
    log,
  })
}

function lastLines(screen: Screen, rows: number): string {
  const lines: string[] = []
  for (let y = 0; y < rows; y += 1) {
    const line = screen.text(y).trim()
    if (line) lines.push(line)
  }
  return lines.slice(-8).join(' / ') || '(nothing)'
}
