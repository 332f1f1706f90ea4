/** @module bench/hub/fleet - a real hub in a process of its own with as many sessions as asked for, shared by the ratios. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { HubClient } from '../../src/hub/client.js'
import { cpuMs, rssMb, tmuxOf } from '../processes.js'
import { type Driver, startDriver, ttyOf, writeProgram } from './drive.js'

/** CPU of the parts over some time, in ms a second. */
export interface Usage {
  readonly hub: number
  readonly tmux: number
  readonly writers: number
}

export class Fleet {
  readonly sessions: { readonly id: string; readonly tty: string }[] = []
  private readonly emptyRss: number

  private constructor(
    readonly root: string,
    readonly client: HubClient,
    readonly driver: Driver,
    private readonly hub: ChildProcess,
  ) {
    this.emptyRss = rssMb(this.pid)
  }

  static async start(): Promise<Fleet> {
    const root = mkdtempSync(join(tmpdir(), 'meow-bench-'))
    const program = writeProgram(root)
    const home = join(root, 'state')
    const entry = fileURLToPath(new URL('main.js', import.meta.url))
    const hub = spawn(process.execPath, [entry, '--foreground', '--port', '0', '--json'], {
      env: {
        PATH: process.env.PATH ?? '',
        HOME: root,
        AGENT_MEOW_HOME: home,
        XDG_RUNTIME_DIR: root,
        MEOW_BENCH_PROGRAM: program,
        LANG: 'C.UTF-8',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    for await (const line of createInterface({ input: hub.stdout })) {
      const { url } = JSON.parse(line) as { url?: string }
      if (url === undefined) throw new Error(`the hub did not start: ${line}`)
      const token = readFileSync(join(home, 'token'), 'utf8').trim()
      return new Fleet(root, new HubClient({ url: url.replace(/\/$/, ''), token }), startDriver(), hub)
    }
    throw new Error('the hub ended without a word')
  }

  get pid(): number {
    return this.hub.pid ?? 0
  }

  /** Sessions until there are so many, a few at a time. */
  async grow(count: number): Promise<void> {
    while (this.sessions.length < count) {
      const batch = Array.from({ length: Math.min(4, count - this.sessions.length) }, (_, n) => n)
      const made = batch.map(async (n) => {
        const note = join(this.root, `tty-${this.sessions.length + n}`)
        const session = await this.client.createSession({ vendor: 'bench', cwd: this.root, args: [note] })
        return { id: session.id, tty: await ttyOf(note) }
      })
      this.sessions.push(...(await Promise.all(made)))
    }
  }

  get ttys(): readonly string[] {
    return this.sessions.map(({ tty }) => tty)
  }

  /** Memory that a session has added to the hub, in MB. */
  get mbPerSession(): number {
    return (rssMb(this.pid) - this.emptyRss) / Math.max(1, this.sessions.length)
  }

  /** What the parts use while something happens. */
  async usage(work: () => Promise<unknown>): Promise<Usage> {
    const { server, writers } = tmuxOf(this.root)
    const now = () => [[this.pid], server, writers].map((pids) => cpuMs(pids))
    const [before, start] = [now(), performance.now()]
    await work()
    const seconds = (performance.now() - start) / 1000
    const [hub = 0, tmux = 0, helpers = 0] = now().map((ms, n) => (ms - (before[n] ?? 0)) / seconds)
    return { hub, tmux, writers: helpers }
  }

  async close(): Promise<void> {
    this.driver.close()
    const gone = new Promise((resolve) => this.hub.once('exit', resolve))
    this.hub.kill('SIGTERM')
    await Promise.race([gone, pause(30_000, undefined, { ref: false })])
    // What two hundred programs on a loaded machine left behind: the hub's own end has a bound.
    const { server } = tmuxOf(this.root)
    if (server.length > 0) process.stderr.write('  the hub left its tmux server; ended here\n')
    end(this.pid, 'SIGKILL')
    for (const pid of server) end(pid, 'SIGTERM')
    rmSync(this.root, { recursive: true, force: true })
  }
}

function end(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}

let shared: Promise<Fleet> | null = null

/** The one fleet of this run. */
export const fleet = (): Promise<Fleet> => {
  shared ??= Fleet.start()
  return shared
}

export async function endFleet(): Promise<void> {
  const running = await shared?.catch(() => null)
  shared = null
  await running?.close()
}
