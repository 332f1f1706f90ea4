/** @module test/delivery/tui/real - a real session on the test TUI as a program, under tmux or a pty, in real time. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { openJournal } from '../../../src/journal/sqlite-journal.js'
import { CreateSession, type Receipt } from '../../../src/protocol/commands.js'
import type { MeowEvent } from '../../../src/protocol/events.js'
import type { SessionHandle } from '../../../src/session/handle.js'
import { makeLauncher } from '../../../src/session/launch.js'
import { type Backend, openPtyHost, openTmuxHost, type TerminalHost } from '../../../src/terminal/index.js'
import { tuiAdapter } from './adapter.js'
import { type LogEntry, script, type TuiScript } from './script.js'

const HERE = dirname(fileURLToPath(import.meta.url))
/** The program's own files; it imports nothing else. */
const PARTS = ['program', 'core', 'box', 'draw', 'input', 'turns', 'script']
/** Longest wait for anything, in ms; a loaded machine takes a part of it. */
const PATIENCE_MS = 40_000

/** The program as JavaScript, in a folder. */
function build(folder: string): string {
  mkdirSync(folder)
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  for (const part of PARTS) {
    const { outputText } = ts.transpileModule(readFileSync(join(HERE, `${part}.ts`), 'utf8'), {
      compilerOptions,
    })
    writeFileSync(join(folder, `${part}.js`), outputText)
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return join(folder, 'program.js')
}

export interface RealWorld {
  readonly host: TerminalHost
  readonly session: SessionHandle
  readonly events: readonly MeowEvent[]
  log(): LogEntry[]
  until(condition: () => boolean, what: string): Promise<void>
  settled(...messageIds: string[]): Promise<Receipt[]>
  close(): Promise<void>
}

/** Starts the program under a real host; `beside`: on the host of another, as its own session, closed before that one. */
export async function startReal(
  backend: Backend,
  given: Partial<TuiScript>,
  beside?: RealWorld,
): Promise<RealWorld> {
  const home = mkdtempSync(join(tmpdir(), 'mr-'))
  const logFile = join(home, 'log.jsonl')
  writeFileSync(logFile, '')
  const what = script(given)
  const fault = (error: unknown) => {
    throw error
  }
  const openHost = () =>
    backend === 'tmux'
      ? openTmuxHost({ socketDir: join(home, 's'), onFault: fault })
      : openPtyHost({ onFault: fault })
  const host = beside?.host ?? (await openHost())
  const journal = openJournal(':memory:')
  const adapter = tuiAdapter({
    steer: what.midTurn,
    argv: [process.execPath, build(join(home, 'program'))],
    env: { TEST_TUI_LOG: logFile, TEST_TUI_SCRIPT: JSON.stringify(what) },
    echoMs: 10_000,
    acceptMs: 10_000,
  })
  const events: MeowEvent[] = []
  let wake: () => void = () => undefined
  const dispose = async () => {
    if (!beside) await host.dispose()
    journal.close()
    rmSync(home, { recursive: true, force: true })
  }
  const request = CreateSession.parse({
    vendor: 'tui',
    cwd: home,
    backend,
    cols: 90,
    rows: 30,
    env: { PATH: process.env.PATH ?? '', TEST_TUI_BINARY: process.execPath },
  })
  const launch = makeLauncher({ adapters: [adapter], versionOf: async () => '1' })
  let session: SessionHandle
  try {
    session = await launch(beside ? 's_beside' : 's_real', request, {
      journal,
      hostFor: async () => host,
      home,
      socketDir: home,
      hook: { url: 'http://127.0.0.1:1/', token: 't' },
      env: {},
      now: Date.now,
      log: () => undefined,
      adopt: (handle) => {
        handle.onEvents((list) => {
          events.push(...list)
          wake()
        })
      },
    })
  } catch (error) {
    await dispose()
    throw error
  }
  const log = () =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogEntry)
  const until = async (condition: () => boolean, what: string) => {
    const late = Date.now() + PATIENCE_MS
    while (!condition()) {
      const left = late - Date.now()
      if (left <= 0) throw new Error(`${what} did not come; the program received ${JSON.stringify(log())}`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
  const receipt = (id: string): Receipt => {
    const one = session.receipt(id)
    if (!one) throw new Error(`there is no message ${id}`)
    return one
  }
  return {
    host,
    session,
    events,
    log,
    until,
    settled: async (...ids) => {
      await until(() => ids.every((id) => /completed|failed/u.test(receipt(id).state)), `the end of ${ids}`)
      return ids.map(receipt)
    },
    close: async () => {
      await session.kill()
      await dispose()
    },
  }
}
