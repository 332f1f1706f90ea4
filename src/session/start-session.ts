/** @module session/start-session - starts sources and program, and connects them to a session. */
import { join } from 'node:path'
import type { Adapter, HostProbe, LaunchPlan, Observation, SideChannel } from '../adapter/index.js'
import type { CreateSession } from '../protocol/commands.js'
import { randomId } from '../protocol/ids.js'
import type { SessionInfo } from '../protocol/session.js'
import { Screen, type Terminal, type TerminalHost } from '../terminal/index.js'
import { Conversation } from './conversation.js'
import { EventLog } from './event-log.js'
import { faultName } from './fault-name.js'
import type { SessionDeps } from './handle.js'
import { tablePrice } from './pricing.js'
import type { SessionRecorder } from './recording.js'
import { Watch } from './script.js'
import { Session } from './session.js'
import { RAW_FILE, recorderOf } from './session-recorder.js'
import { startingInfo, terminalIdOf } from './starting.js'

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
  const recorder = recorderOf({ ...s, argv: s.plan.argv, env: s.plan.env, name: s.request.name ?? null })
  const screen = screenOf(s)
  const sources = new Sources(s.adapter.sources(s.plan))
  let terminal: Terminal | null = null
  try {
    await sources.start(s.probe, false)
    // Before the program: its first byte is in the recording.
    if (s.request.record !== undefined) await recorder.start(s.request.record)
    terminal = await s.host.open({
      id: terminalIdOf(s.id),
      argv: s.plan.argv,
      cwd: s.request.cwd,
      env: s.plan.env,
      cols: s.request.cols,
      rows: s.request.rows,
      recordFile: join(s.sessionDir, RAW_FILE),
    })
    const session = connect(s, terminal, screen, sources.channels, recorder)
    sources.connect(session, terminal.pid, () => s.deps.adopt?.(session))
    const { rows } = terminal.size
    return { session, watch: session.watch, tail: () => lastLines(screen, rows) }
  } catch (error) {
    await terminal?.kill().catch(() => undefined)
    await recorder.close(null)
    await sources.stop()
    screen.dispose()
    throw error
  }
}

/** The emulator of a session; its faults are told to the log. */
export function screenOf(s: {
  readonly id: string
  readonly request: { readonly cols: number; readonly rows: number }
  readonly deps: SessionDeps
}): Screen {
  return new Screen({
    cols: s.request.cols,
    rows: s.request.rows,
    onFault: (error) => s.deps.log(`the screen of ${s.id}: ${faultName(error)}`),
  })
}

/** Side channels that speak before their session is there. */
export class Sources {
  private early: Observation[] | null = []
  private session: Session | null = null
  private hookHandler: ((body: unknown) => Promise<unknown>) | null = null
  private readonly stopped = new AbortController()
  private started: (pid: number) => void = () => undefined
  private readonly pid = new Promise<number>((resolve) => {
    this.started = resolve
  })

  constructor(readonly channels: readonly SideChannel[]) {}

  /** @param resumed the program ran before this bridge did */
  async start(probe: HostProbe, resumed: boolean): Promise<void> {
    for (const channel of this.channels) {
      await channel.start({
        emit: (o) => {
          if (this.early) this.early.push(o)
          else this.session?.observe(o)
        },
        pid: this.pid,
        onHook: (handler) => {
          this.hookHandler = handler
        },
        probe,
        signal: this.stopped.signal,
        resumed,
      })
    }
  }

  /** From now on the session hears them; first what they have told already. */
  connect(session: Session, pid: number, adopt: () => void): void {
    if (this.hookHandler) session.setHookHandler(this.hookHandler)
    session.signal.addEventListener('abort', () => this.stopped.abort(), { once: true })
    adopt()
    const early = this.early ?? []
    this.early = null
    this.session = session
    for (const o of early) session.observe(o)
    this.started(pid)
  }

  async stop(): Promise<void> {
    this.stopped.abort()
    for (const channel of this.channels) await channel.stop().catch(() => undefined)
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
    sessionDir: s.sessionDir,
    resumed: null,
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
