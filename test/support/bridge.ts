/** @module test/support/bridge - a real hub daemon with a throw-away home, and a scripted model beside it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type ModelServer, startModelServer } from '../../src/model-server/index.js'
import { Api } from './api.js'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
/** Another build of the program may be tested. */
const DIST = process.env.MEOW_DIST ?? join(ROOT, 'dist')
export const HUB_MAIN = join(DIST, 'src', 'hub', 'main.js')
export const CLI_MAIN = join(DIST, 'src', 'cli', 'main.js')

export interface Bridge {
  /** The bridge's state folder. */
  readonly home: string
  /** Scratch space for vendors' homes and folders. */
  readonly root: string
  readonly url: string
  readonly api: Api
  readonly model: ModelServer
  readonly hub: ChildProcess
  /** kill -9; what it ran in tmux goes on. */
  kill9(): Promise<void>
  /** Starts it again on the same state folder and port. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts hub and model; the built program runs as users run it. */
export async function startBridge(): Promise<Bridge> {
  const root = mkdtempSync(join(tmpdir(), 'meow-test-'))
  const home = join(root, 'state')
  const model = await startModelServer({ persona: 'demo' })
  const start = (port: string) =>
    spawn(process.execPath, [HUB_MAIN, '--foreground', '--port', port, '--json'], {
      env: {
        PATH: process.env.PATH ?? '',
        HOME: root,
        AGENT_MEOW_HOME: home,
        XDG_RUNTIME_DIR: root,
        LANG: 'C.UTF-8',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  let hub = start('0')
  const url = await readyUrl(hub)
  const token = readFileSync(join(home, 'token'), 'utf8').trim()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (hub.exitCode !== null || hub.signalCode !== null) return
    const gone = new Promise((resolve) => hub.once('exit', resolve))
    hub.kill(signal)
    await gone
  }
  return {
    home,
    root,
    url,
    api: new Api(url, token),
    model,
    get hub() {
      return hub
    },
    kill9: () => end('SIGKILL'),
    restart: async () => {
      hub = start(new URL(url).port)
      await readyUrl(hub)
    },
    close: async () => {
      await end('SIGTERM')
      await model.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function readyUrl(hub: ChildProcess): Promise<string> {
  if (!hub.stdout) throw new Error('the hub has no output')
  const lines = createInterface({ input: hub.stdout })
  for await (const line of lines) {
    const answer = JSON.parse(line) as { ready?: boolean; url?: string; error?: unknown }
    if (answer.error) throw new Error(JSON.stringify(answer.error))
    if (answer.ready && answer.url) return answer.url.replace(/\/$/, '')
  }
  throw new Error('the hub ended without a word')
}
