/**
 * @module The tmux backend's host: terminals that outlive the bridge and that a person can attach to.
 */
import { settledWithin } from '../protocol/bounded.js'
import { MeowError } from '../protocol/errors.js'
import type { OnFault } from './events.js'
import { endTree, untilGone } from './process-tree.js'
import { checkStart, createRecord } from './start-check.js'
import type { LeftTerminal, Terminal, TerminalHost, TerminalInfo, TerminalSpec } from './terminal.js'
import { GRACE_MS } from './terminal-base.js'
import { command } from './tmux-quote.js'
import { TmuxServer } from './tmux-server.js'
import { HUB } from './tmux-setup.js'
import { TmuxTerminal } from './tmux-terminal.js'

export interface TmuxHostOptions {
  /** Absolute; made 0700 when missing, refused when it is somebody else's or open to others. Holds `tmux.sock`. */
  readonly socketDir: string
  /** `tmux` from the PATH unless told. */
  readonly tmuxPath?: string
  /** Told of faults that are nobody's call; a warning of the process unless told. */
  readonly onFault?: OnFault
}

/** How long the programs may take to end before their server is ended, in ms. */
const KILLS_MS = 5_000

class TmuxHost implements TerminalHost {
  readonly backend = 'tmux'
  readonly #server: TmuxServer
  readonly #terminals = new Map<string, TmuxTerminal>()
  readonly #opening = new Map<string, Promise<TmuxTerminal>>()
  #disposed: Promise<void> | null = null

  constructor(server: TmuxServer) {
    this.#server = server
  }

  async open(spec: TerminalSpec): Promise<Terminal> {
    await checkStart(spec)
    if (this.#disposed !== null) throw new MeowError('terminal_start_failed', 'this host was disposed')
    if (this.#terminals.has(spec.id) || this.#opening.has(spec.id))
      throw new MeowError('terminal_start_failed', `a terminal with the id ${spec.id} exists`)
    const opening = this.#start(spec)
    this.#opening.set(spec.id, opening)
    try {
      return await opening
    } finally {
      this.#opening.delete(spec.id)
    }
  }

  async list(): Promise<readonly TerminalInfo[]> {
    const format = '#{session_name} #{pane_pid} #{pane_dead}'
    const [panes = ''] = await this.#server.run('list-panes', command('list-panes', '-a', '-F', format))
    return panes
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([id = '']) => id !== '' && id !== HUB)
      .map(([id = '', pid, dead]) => ({ id, pid: Number(pid), dead: dead === '1' }))
  }

  async adopt(left: LeftTerminal): Promise<Terminal | null> {
    if (this.#disposed !== null || this.#terminals.has(left.id)) return null
    const terminal = await TmuxTerminal.adopt(this.#server, left)
    if (terminal === null) return null
    this.#terminals.set(left.id, terminal)
    terminal.onExit(() => this.#terminals.delete(left.id))
    return terminal
  }

  async endLeft(id: string): Promise<boolean> {
    if (this.#terminals.has(id) || this.#opening.has(id)) return false
    const left = (await this.list()).find((one) => one.id === id)
    if (left === undefined) return false
    await endTree(left.pid, untilGone([left.pid]), GRACE_MS)
    // Its end may have been noticed before this; then the session is gone already.
    await this.#server.run(`kill-session ${id}`, command('kill-session', '-t', `=${id}`)).catch(() => {})
    return true
  }

  dispose(): Promise<void> {
    this.#disposed ??= this.#dispose()
    return this.#disposed
  }

  async #start(spec: TerminalSpec): Promise<TmuxTerminal> {
    // A terminal that an earlier bridge left must not lose its session to a failing start here.
    if ((await this.list()).some(({ id }) => id === spec.id))
      throw new MeowError('terminal_start_failed', `a terminal with the id ${spec.id} exists`)
    await createRecord(spec.recordFile)
    const terminal = await TmuxTerminal.start(this.#server, spec)
    this.#terminals.set(spec.id, terminal)
    terminal.onExit(() => this.#terminals.delete(spec.id))
    return terminal
  }

  async #dispose(): Promise<void> {
    await Promise.allSettled(this.#opening.values())
    const left = this.#server.owned ? await this.list().catch(() => []) : []
    const kills = Promise.allSettled([
      ...[...this.#terminals.values()].map((terminal) => terminal.kill()),
      // The end of the server is a SIGHUP to them, which not every program hears.
      ...left.map(({ id }) => this.endLeft(id)),
    ])
    // Hundreds of programs take longer than whoever ends us may wait: the server's end is the end of most of them.
    const inTime = await settledWithin(kills, KILLS_MS)
    // The server goes in any case; a program that would not die is still told about.
    await this.#server.dispose()
    if (!inTime) throw new MeowError('timeout', `not all programs had ended after ${KILLS_MS} ms`)
    for (const result of await kills) if (result.status === 'rejected') throw result.reason
  }
}

/**
 * Starts a tmux server of our own, or joins the one on this folder. `dispose` ends a server that we started or whose
 * owner is gone, with everything on it, and leaves one that another living bridge owns. Errors: `tmux_missing`, `invalid_argument` (the folder), `tmux_failed`, `timeout`.
 */
export const openTmuxHost = async (options: TmuxHostOptions): Promise<TerminalHost> =>
  new TmuxHost(await TmuxServer.open(options.tmuxPath ?? 'tmux', options.socketDir, options.onFault))
