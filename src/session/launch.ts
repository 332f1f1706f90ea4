/** @module session/launch - starts a vendor's program with its sources and waits until it takes prompts. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Adapter, HostProbe, LaunchPlan, Observation, SideChannel } from '../adapter/index.js'
import type { CreateSession } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import { randomId } from '../protocol/ids.js'
import type { SessionInfo } from '../protocol/session.js'
import { Screen, type Terminal, type TerminalHost } from '../terminal/index.js'
import { Conversation } from './conversation.js'
import { EventLog } from './event-log.js'
import { requireBinary } from './find-binary.js'
import type { LaunchSession, SessionDeps } from './handle.js'
import { tablePrice } from './pricing.js'
import { Watch } from './script.js'
import { Session } from './session.js'
import { startingInfo } from './starting.js'

/** Longest wait for a vendor's prompt, in ms. Measured cold starts: 0.7 to 15 s; loaded machines take several times that. */
const READY_MS = 90_000

export interface LauncherOptions {
  readonly adapters: readonly Adapter[]
  /** The version of a program, or null; asked beside the launch. */
  readonly versionOf: (adapter: Adapter, binary: string) => Promise<string | null>
}

/** The file system as adapters may look at it. */
export function hostProbe(env: Readonly<Record<string, string>>): HostProbe {
  return {
    env,
    readFile: (path) => {
      try {
        return readFileSync(path, 'utf8')
      } catch {
        return null
      }
    },
    exists: existsSync,
  }
}

/** A {@link LaunchSession} over the given adapters. Every failure leaves nothing running. */
export function makeLauncher(options: LauncherOptions): LaunchSession {
  return async (id, request, deps) => {
    const adapter = options.adapters.find((a) => a.vendor.id === request.vendor)
    if (!adapter) {
      const known = options.adapters.map((a) => a.vendor.id).join(', ')
      throw new MeowError('vendor_unknown', `no adapter is called ${request.vendor}`, {
        hint: `known vendors: ${known}`,
      })
    }
    const env = request.env ?? deps.env
    checkFolder(request.cwd)
    const binary = requireBinary(adapter.vendor, env)
    const probe = hostProbe(env)
    checkAuth(adapter, probe, request)
    const sessionDir = join(deps.home, 'sessions', id)
    mkdirSync(sessionDir, { recursive: true, mode: 0o700 })
    const plan = adapter.launch({
      sessionId: id,
      binary,
      cwd: request.cwd,
      model: request.model ?? null,
      args: request.args,
      env,
      sessionDir,
      socketDir: deps.socketDir,
      hook: deps.hook,
      probe,
      uuid: randomUUID,
    })
    for (const file of plan.files) writeFileSync(file.path, file.text, { mode: 0o600 })
    const host = await deps.hostFor(request.backend)
    const version = await options.versionOf(adapter, binary).catch(() => null)
    const started = await start({ id, adapter, plan, request, probe, deps, sessionDir, host, version })
    // The vendor's settings carry the hook token: they go with it.
    void started.session.ended.then(() => {
      for (const file of plan.files) rmSync(file.path, { force: true })
    })
    try {
      await untilReady(started, adapter, request.cwd)
    } catch (error) {
      await started.session.kill()
      throw error
    }
    return started.session
  }
}

function checkFolder(cwd: string): void {
  if (!isAbsolute(cwd)) throw new MeowError('invalid_argument', `the folder must be an absolute path: ${cwd}`)
  const stat = statSync(cwd, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) throw new MeowError('invalid_argument', `there is no folder ${cwd}`)
}

function checkAuth(adapter: Adapter, probe: HostProbe, request: CreateSession): void {
  if (request.skipAuthCheck) return
  const auth = adapter.auth(probe)
  if (auth.status !== 'missing') return
  throw new MeowError('vendor_auth_missing', `${adapter.vendor.name} has no credentials: ${auth.detail}`, {
    hint: adapter.vendor.loginHint,
  })
}

interface Start {
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

interface Started {
  readonly session: Session
  readonly watch: Watch
  readonly terminal: Terminal
  /** The screen's last lines with text, for errors. */
  readonly tail: () => string
}

/** Sources first, then the program: nothing that it tells at its start is missed. */
async function start(s: Start): Promise<Started> {
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
  let terminal: Terminal
  const screen = new Screen({ cols: s.request.cols, rows: s.request.rows })
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
    terminal = await s.host.open({
      id: s.id.replaceAll('_', '-'),
      argv: s.plan.argv,
      cwd: s.request.cwd,
      env: s.plan.env,
      cols: s.request.cols,
      rows: s.request.rows,
      recordFile: join(s.sessionDir, 'terminal.raw'),
    })
  } catch (error) {
    stopped.abort()
    screen.dispose()
    await stopAll(channels)
    throw error
  }
  const conversation = new Conversation(randomId, tablePrice, s.request.model ?? null)
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
  const watch = new Watch()
  const session = new Session({
    id: s.id,
    adapter: s.adapter,
    plan: s.plan,
    terminal,
    screen,
    channels,
    conversation,
    log,
    watch,
    deps: s.deps,
    newId: randomId,
  })
  if (hookHandler) session.setHookHandler(hookHandler)
  session.signal.addEventListener('abort', () => stopped.abort(), { once: true })
  session.followDeliveries()
  s.deps.adopt?.(session)
  emit = (o) => session.observe(o)
  for (const o of early) session.observe(o)
  started(terminal.pid)
  return { session, watch, terminal, tail: () => lastLines(screen, terminal.size.rows) }
}

/**
 * Waits until the vendor takes prompts, or shows a dialog that only a person can answer (then the session is
 * handed over as blocked and becomes ready later).
 */
async function untilReady(s: Started, adapter: Adapter, cwd: string): Promise<void> {
  const { session, watch } = s
  const mark = watch.begin()
  const ready = watch.until((seen) => adapter.ready(seen), mark.observations, READY_MS, session.signal)
  void ready.then((yes) => yes && session.becomeReady())
  const handed = await watch.until(
    (seen) => adapter.ready(seen) || seen.reading?.state === 'blocked',
    mark.observations,
    READY_MS,
    session.signal,
  )
  if (handed) {
    await Promise.resolve()
    void ready.finally(() => mark.end())
    return
  }
  mark.end()
  const tail = s.tail()
  const { name } = adapter.vendor
  if (session.signal.aborted) {
    await session.ended
    throw new MeowError(
      'vendor_start_failed',
      `${name} ended before it took prompts. Its last lines: ${tail}`,
      {
        hint: `run it by itself in ${cwd} to see what it needs`,
      },
    )
  }
  throw new MeowError(
    'vendor_start_failed',
    `${name} showed no prompt within ${READY_MS / 1000} s. Its screen: ${tail}`,
  )
}

function lastLines(screen: Screen, rows: number): string {
  const lines: string[] = []
  for (let y = 0; y < rows; y += 1) {
    const line = screen.text(y).trim()
    if (line) lines.push(line)
  }
  return lines.slice(-8).join(' / ') || '(nothing)'
}

async function stopAll(channels: readonly SideChannel[]): Promise<void> {
  for (const channel of channels) await channel.stop().catch(() => undefined)
}
