/** @module session/launch - starts a vendor's program with its sources and waits until it takes prompts. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Adapter, HostProbe, Seen } from '../adapter/index.js'
import type { CreateSession } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import { faultName } from './fault-name.js'
import { requireBinary } from './find-binary.js'
import type { LaunchSession } from './handle.js'
import { removeSessionFile, saveSessionFile } from './session-file.js'
import { type StartedSession, startSession } from './start-session.js'

/** Longest wait for a vendor's prompt, in ms. Measured cold starts: 0.7 to 15 s; loaded machines take several times that. */
const READY_MS = 90_000

export interface LauncherOptions {
  readonly adapters: readonly Adapter[]
  /** The version of a program, or null. */
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
    const cleanUp = () => {
      // The vendor's settings carry the hook token: they go with it.
      for (const file of plan.files) rmSync(file.path, { force: true })
      removeSessionFile(sessionDir)
    }
    try {
      for (const file of plan.files) writeFileSync(file.path, file.text, { mode: 0o600 })
      const host = await deps.hostFor(request.backend)
      const version = await options.versionOf(adapter, binary).catch(() => null)
      saveSessionFile(sessionDir, {
        v: 1,
        vendor: adapter.vendor.id,
        version,
        hookToken: deps.hook.token,
        hookUrl: deps.hook.url,
        name: request.name ?? null,
        argv: [...plan.argv],
        files: plan.files.map((file) => file.path),
        vendorSessionId: plan.vendorSessionId,
        facts: { ...plan.facts },
      })
      const started = await startSession({
        id,
        adapter,
        plan,
        request,
        probe,
        deps,
        sessionDir,
        host,
        version,
      })
      void started.session.ended.then(cleanUp).catch((error: unknown) => {
        deps.log(`settings of ${id} were not removed: ${faultName(error)}`)
      })
      await untilReady(started, adapter, request.cwd)
      return started.session
    } catch (error) {
      cleanUp()
      throw error
    }
  }
}

function checkFolder(cwd: string): void {
  if (!isAbsolute(cwd)) {
    throw new MeowError('invalid_argument', `the folder must be an absolute path: ${cwd}`, {
      hint: 'give it in full',
    })
  }
  const stat = statSync(cwd, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) {
    throw new MeowError('invalid_argument', `there is no folder ${cwd}`, {
      hint: 'make it, or name another with --cwd',
    })
  }
}

function checkAuth(adapter: Adapter, probe: HostProbe, request: CreateSession): void {
  if (request.skipAuthCheck) return
  const auth = adapter.auth(probe)
  if (auth.status !== 'missing') return
  throw new MeowError('vendor_auth_missing', `${adapter.vendor.name} has no credentials: ${auth.detail}`, {
    hint: adapter.vendor.loginHint,
  })
}

/**
 * Waits until the vendor takes prompts, or shows a dialog that only a person can answer (then the session is
 * handed over as blocked and becomes ready later).
 */
async function untilReady(s: StartedSession, adapter: Adapter, cwd: string): Promise<void> {
  const { session, watch } = s
  const mark = watch.begin()
  const isReady = (seen: Seen) => adapter.ready(seen)
  // Without a bound: a dialog may be answered tomorrow.
  const ready = watch.until(isReady, mark.observations, null, session.signal).finally(() => mark.end())
  void ready.then((yes) => yes && session.becomeReady())
  const handed = await watch.until(
    (seen) => isReady(seen) || seen.reading?.state === 'blocked',
    mark.observations,
    READY_MS,
    session.signal,
  )
  // What `ready` says has been acted on when its caller goes on.
  if (handed) return await Promise.resolve()
  const tail = s.tail()
  const { name } = adapter.vendor
  const hint = `run it by itself in ${cwd} to see what it needs`
  const ended = session.signal.aborted
  await session.kill()
  const how = ended ? 'ended before it took prompts' : `showed no prompt within ${READY_MS / 1000} s`
  throw new MeowError('vendor_start_failed', `${name} ${how}. Its last lines: ${tail}`, { hint })
}
