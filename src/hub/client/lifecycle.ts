/** @module hub/client/lifecycle - starting the daemon, waiting until it answers, and ending it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { bounded } from '../../protocol/bounded.js'
import { ErrorBody } from '../../protocol/commands.js'
import { asMeowError, MeowError } from '../../protocol/errors.js'
import { isLocked } from '../lock.js'
import { prepareState, readHubFile, readToken, stateHome, statePaths } from '../state.js'
import { environment } from '../vendors.js'
import { errorOf, parseJson } from './call.js'
import { HubClient } from './hub-client.js'

export interface StartOptions {
  readonly home?: string
  readonly port?: number
  /** Environment of the daemon, and of vendors that are started without one. */
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** The daemon's program, for tests. */
  readonly entry?: string
}

const READY_MS = 30_000
export const STOP_MS = 40_000
const LOOK_MS = 25
const ATTEMPTS = 3

const ReadyLine = z.union([
  z.object({ ready: z.literal(true), port: z.number().int(), url: z.string() }),
  ErrorBody,
])

/** Starts a daemon of its own session and waits until it is ready; its error is thrown as it told it. */
export async function startHub(options: StartOptions = {}): Promise<HubClient> {
  const paths = prepareState(options.home ?? stateHome())
  const entry = options.entry ?? fileURLToPath(new URL('../main.js', import.meta.url))
  const args = [entry, '--json']
  if (options.port !== undefined) args.push('--port', String(options.port))
  // What node itself says when it cannot even start belongs into the log.
  const errors = openSync(paths.log, 'a', 0o600)
  let child: ChildProcess
  try {
    child = spawn(process.execPath, args, {
      cwd: paths.home,
      detached: true,
      env: { ...(options.env ?? environment(process.env)), AGENT_MEOW_HOME: paths.home },
      stdio: ['ignore', 'pipe', errors],
    })
  } finally {
    closeSync(errors)
  }
  try {
    const line = await bounded(firstLine(child, paths.log, options.signal), READY_MS, 'the hub to be ready')
    const said = ReadyLine.safeParse(parseJson(line))
    if (!said.success) throw new MeowError('internal', `the hub said something else: see ${paths.log}`)
    if ('error' in said.data) throw errorOf(500, said.data)
    const token = readToken(paths)
    if (token === null) throw new MeowError('internal', `the hub made no token: see ${paths.log}`)
    return new HubClient({ url: said.data.url, token })
  } catch (error) {
    // Ours, and nobody knows of it yet.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    throw error
  } finally {
    child.stdout?.destroy()
    child.unref()
  }
}

/** The running hub, or a new one. Of two that start at once, both get the one that won. */
export async function connectOrStart(options: StartOptions = {}): Promise<HubClient> {
  const home = options.home ?? stateHome()
  const paths = statePaths(home)
  for (let attempt = 1; ; attempt += 1) {
    await until(() => !isLocked(paths.lock) || readHubFile(paths) !== null, STOP_MS, 'the hub to be ready')
    const running = isLocked(paths.lock)
    try {
      return running ? await HubClient.connect({ ...options, home }) : await startHub(options)
    } catch (error) {
      // Between the look and the call the running one ended, or another one began.
      const moved = running ? 'hub_unreachable' : 'conflict'
      if (asMeowError(error).code !== moved || attempt === ATTEMPTS) throw error
    }
  }
}

/** Ends the running hub of a home and waits until it is gone. False when none ran. */
export async function stopHub(options: { readonly home?: string } = {}): Promise<boolean> {
  const paths = statePaths(options.home ?? stateHome())
  if (!isLocked(paths.lock)) return false
  await until(() => !isLocked(paths.lock) || readHubFile(paths) !== null, READY_MS, 'the hub to be ready')
  const client = await HubClient.connect({ home: paths.home, anyVersion: true })
  await client.shutdown()
  await until(() => !isLocked(paths.lock), STOP_MS, 'the hub to end')
  return true
}

/** Looks again and again, only while somebody waits for this call. */
async function until(holds: () => boolean, ms: number, what: string): Promise<void> {
  const end = Date.now() + ms
  while (!holds()) {
    if (Date.now() > end) throw new MeowError('timeout', `waited ${ms / 1000} s in vain for ${what}`)
    await pause(LOOK_MS)
  }
}

async function firstLine(child: ChildProcess, log: string, signal: AbortSignal | undefined): Promise<string> {
  return await new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
    })
    child.once('error', (cause) =>
      reject(new MeowError('internal', 'the hub could not be started', { cause })),
    )
    // After `close` everything that it printed has been read.
    child.once('close', (code, by) =>
      reject(new MeowError('internal', `the hub ended at its start (${by ?? code}): see ${log}`)),
    )
    signal?.addEventListener('abort', () => reject(asMeowError(signal.reason)), { once: true })
  })
}
