/** @module hub/daemon - one hub as a process: single, on a port, until it is told to end; then nothing is left. */
import * as fs from 'node:fs'
import { writePrivateFile } from '../journal/private-files.js'
import { openJournal } from '../journal/sqlite-journal.js'
import { bounded } from '../protocol/bounded.js'
import { asMeowError, MeowError } from '../protocol/errors.js'
import { errorBody } from './answers.js'
import { type DaemonArguments, daemonArguments, portsToTry } from './arguments.js'
import { takeLock } from './lock.js'
import { describeError, type Log, openLog } from './log.js'
import { detachOutput, tellOutput } from './output.js'
import { HUB_CLOSE_MS, type Hub, type HubOptions, openHub } from './server.js'
import {
  ensureToken,
  prepareSocketDir,
  prepareState,
  readHubFile,
  readLastPort,
  removeHubFile,
  type StatePaths,
  stateHome,
  writeHubFile,
} from './state.js'
import { environment } from './vendors.js'
import { packageVersion } from './version.js'

/** What the daemon does not make itself: vendors, terminals, the page. */
export interface Parts
  extends Pick<
    HubOptions,
    'launch' | 'resume' | 'hostFor' | 'endLeft' | 'vendors' | 'screenText' | 'replay' | 'webRoot'
  > {
  /** Ends the terminal hosts: every program that they started, and their servers. */
  dispose(): Promise<void>
}

export interface DaemonOptions {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly compose: (context: {
    socketDir: string
    env: Readonly<Record<string, string>>
    log: (line: string) => void
  }) => Parts
}

const DISPOSE_MS = 8_000
/** All of it together, and a moment for what has no bound of its own. */
export const END_MS = HUB_CLOSE_MS + DISPOSE_MS + 2_000

/** Runs until a signal or `POST /v1/shutdown`; resolves with the exit code. One line on stdout says how it began. */
export async function runDaemon(options: DaemonOptions): Promise<number> {
  const undo: (() => unknown)[] = []
  const end = () => bounded(takeBack(undo), END_MS, 'the hub to end').catch(() => undefined)
  try {
    const args = daemonArguments(options.argv, options.env)
    const ending = until()
    const running = await begin(options, args, undo, ending.end)
    tellOutput(args, { ready: true, port: running.port, url: running.url })
    if (!args.foreground) detachOutput()
    const code = await ending.ended
    await end()
    return code
  } catch (error) {
    // Told last: whoever hears of it may start another hub at once.
    await end()
    tellOutput(null, errorBody(asMeowError(error)))
    return 1
  }
}

/** Every step that makes something leaves the way back on `undo`, newest last. */
async function begin(
  { env, compose }: DaemonOptions,
  args: DaemonArguments,
  undo: (() => unknown)[],
  end: (code: number) => void,
): Promise<Hub> {
  const paths = prepareState(stateHome(env))
  const lock = takeLock(paths.lock)
  if (lock === null) throw alreadyRunning(paths)
  undo.push(() => lock.dispose())
  // Of a hub that ended without a word; nobody may find it while this one has no port yet.
  removeHubFile(paths)

  const log = openDaemonLog(paths, args)
  undo.push(() => log.close())
  undo.push(followSignals(log, end))
  const journal = openJournal(paths.journal, { onBadRow: (error) => log.line(describeError(error)) })
  undo.push(() => journal.close())
  const socketDir = prepareSocketDir(paths.home, env)
  const vendorEnv = environment(env)
  const parts = compose({ socketDir, env: vendorEnv, log: (line) => log.line(line) })
  undo.push(() => bounded(parts.dispose(), DISPOSE_MS, 'the terminals to end'))

  const version = packageVersion()
  const hub = await firstPort(portsToTry(args.port, readLastPort(paths)), (port) =>
    openHub({
      ...parts,
      port,
      version,
      journal,
      socketDir,
      home: paths.home,
      token: ensureToken(paths),
      browsers: {
        load: () => readIfThere(paths.browsers),
        save: (text) => writePrivateFile(paths.browsers, text),
      },
      env: vendorEnv,
      log: (line) => log.line(line),
      onShutdown: () => end(0),
    }),
  )
  undo.push(() => hub.close())
  writeHubFile(paths, { pid: process.pid, port: hub.port, startedAt: Date.now(), version })
  undo.push(() => removeHubFile(paths))
  log.line(`hub ${version} listens on ${hub.url}`)
  undo.push(() => log.line('hub ends'))
  return hub
}

function alreadyRunning(paths: StatePaths): MeowError {
  const running = readHubFile(paths)
  const where =
    running === null ? 'is starting' : `runs at http://127.0.0.1:${running.port} (pid ${running.pid})`
  return new MeowError('conflict', `a hub ${where} for ${paths.home}`, {
    hint: 'Use it, or end it: agent-meow down',
  })
}

/** The first port that is to be had; any other failure is the answer. */
async function firstPort(ports: readonly number[], open: (port: number) => Promise<Hub>): Promise<Hub> {
  let taken: unknown
  for (const port of ports) {
    try {
      return await open(port)
    } catch (error) {
      if (asMeowError(error).code !== 'port_taken') throw error
      taken ??= error
    }
  }
  throw taken
}

function openDaemonLog(paths: StatePaths, args: DaemonArguments): Log {
  const log = openLog(paths.log, Date.now)
  if (!args.foreground) return log
  return {
    line(text) {
      log.line(text)
      process.stderr.write(`${text}\n`)
    },
    close: () => log.close(),
  }
}

/** Signals end the hub; so does a fault that nobody caught, with its place in the log and the code 1. */
function followSignals(log: Log, end: (code: number) => void): () => void {
  const stop = (): void => end(0)
  const fault = (error: unknown): void => {
    log.line(`uncaught: ${describeError(error)}`)
    end(1)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, stop)
  process.on('uncaughtException', fault)
  process.on('unhandledRejection', fault)
  return () => {
    for (const signal of signals) process.off(signal, stop)
    process.off('uncaughtException', fault)
    process.off('unhandledRejection', fault)
  }
}

/** Undoes in reverse; a step that fails does not keep the ones below it from being done. */
async function takeBack(undo: (() => unknown)[]): Promise<void> {
  for (const step of undo.reverse()) {
    try {
      await step()
    } catch {
      // There is nobody left to tell but the log, which may be closed.
    }
  }
}

function until(): { ended: Promise<number>; end: (code: number) => void } {
  let end = (_code: number): void => undefined
  const ended = new Promise<number>((resolve) => {
    end = resolve
  })
  return { ended, end }
}

function readIfThere(path: string): string | null {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
