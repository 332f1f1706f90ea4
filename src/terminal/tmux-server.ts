/**
 * @module One tmux server of our own: started or joined, driven over one control client, watched for ends.
 *
 * How an end is noticed (measured on 3.3a). A hook cannot speak to a control client: notices are switched off while it
 * runs, and a subscription is looked at only once a second. So the `pane-died` hook writes the status into an option
 * and kills the pane; that closes the pane's pipe; the pipe's shell sees the end of input and touches a marker file in
 * the socket folder; one `fs.watch` on that folder hears it. The same road tells a dead pipe, a killed window and a
 * dead server. The subscription is the net below it.
 */
import { type FSWatcher, watch } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { settledWithin } from '../protocol/bounded.js'
import { MeowError } from '../protocol/errors.js'
import { type OnFault, warn } from './events.js'
import { processMark, untilGone } from './process-tree.js'
import { signalName } from './signals.js'
import type { TerminalExit, TerminalSize } from './terminal.js'
import { TmuxControl } from './tmux-control.js'
import { command, sequence } from './tmux-quote.js'
import { checkTmux, HUB, prepareSocket, serverEnv, settings } from './tmux-setup.js'

/** What the server tells about one pane. */
export interface PaneListener {
  /** Something about the pane or its pipe is not as it was: look. */
  stateMayHaveChanged(): void
  resized(size: TerminalSize): void
  /** The server is gone with everything on it. */
  serverLost(): void
}

export interface PaneState {
  /** Set when the program ended and its status is known. */
  readonly exit: TerminalExit | null
  readonly exists: boolean
  readonly dead: boolean
  readonly pipe: boolean
}

const SUBSCRIPTION = 'meow'
/** A marker file says that a pane's pipe ended. */
const MARKER = 'end-'
/** This one says that the hook noted an exit. A terminal id's marker has its process id at the end, so it is no other's. */
const EXIT_MARKER = 'end-noted'
/** A client that lives shorter than this, in ms, this often in a row, is not reopened any more. */
const SHORT_LIFE_MS = 1000
const SHORT_LIVES = 3
const EXIT_BOUND_MS = 5000
/** How long the first answer to a control client may take at the first try, in ms (40 when nothing else runs), and the tries. */
const HEARD_MS = 2500
const HEARD_TRIES = 4

export class TmuxServer {
  readonly tmuxPath: string
  readonly socket: string
  readonly version: string
  readonly onFault: OnFault
  readonly #panes = new Map<string, { readonly window: string; readonly listener: PaneListener }>()
  readonly #markers = new Map<string, () => void>()
  readonly #prefixes = new Map<string, () => void>()
  readonly #exits = new Map<string, TerminalExit>()
  #watcher: FSWatcher | null = null
  #connection: Promise<TmuxControl> | null = null
  #control: TmuxControl | null = null
  #started = false
  #disposed = false
  #shortLives = 0

  private constructor(tmuxPath: string, socket: string, version: string, onFault: OnFault) {
    this.tmuxPath = tmuxPath
    this.socket = socket
    this.version = version
    this.onFault = onFault
  }

  /** Errors: `tmux_missing`, `invalid_argument` (the folder), `tmux_failed` or `timeout` (it does not start). */
  static async open(tmuxPath: string, socketDir: string, onFault: OnFault = warn): Promise<TmuxServer> {
    const version = await checkTmux(tmuxPath)
    const server = new TmuxServer(tmuxPath, await prepareSocket(socketDir), version, onFault)
    await server.#connected()
    return server
  }

  /** Whether it is ours to end: we started it, or its owner is gone. */
  get owned(): boolean {
    return this.#started
  }

  get folder(): string {
    return dirname(this.socket)
  }

  /** Runs a command line on the control client; see {@link TmuxControl.run}. */
  async run(label: string, line: string): Promise<readonly string[]> {
    const control = await this.#connected()
    return control.run(label, line)
  }

  addPane(pane: string, window: string, listener: PaneListener): void {
    this.#panes.set(pane, { window, listener })
  }

  removePane(pane: string): void {
    this.#panes.delete(pane)
    this.#exits.delete(pane)
  }

  /** The path of a marker file, and a promise for the moment when something touches it. */
  marker(name: string): { readonly path: string; readonly touched: Promise<void> } {
    const file = `${MARKER}${name}`
    const touched = new Promise<void>((resolve) => this.#markers.set(file, resolve))
    return { path: join(this.folder, file), touched }
  }

  /** A promise for the moment when something touches a marker whose name begins so: an earlier bridge named it. */
  anyMarker(prefix: string): Promise<void> {
    return new Promise<void>((resolve) => this.#prefixes.set(`${MARKER}${prefix}`, resolve))
  }

  /** Looks at a pane, and takes the statuses that the hook noted since the last look. */
  async look(pane: string): Promise<PaneState> {
    const [noted = '', , list = ''] = await this.run(
      'look at the panes',
      sequence(
        command('show-options', '-gqv', '@meow_exits'),
        command('set-option', '-g', '@meow_exits', ''),
        command('list-panes', '-a', '-F', '#{pane_id} #{pane_dead} #{pane_pipe}'),
      ),
    )
    for (const note of noted.split(' ')) {
      const [id = '', status = '', signal = ''] = note.split(':')
      if (id === '') continue
      const name = signalName(signal)
      const code = status === '' || name !== null ? null : Number(status)
      this.#exits.set(id, { code, signal: name })
    }
    const [, dead, pipe] =
      list
        .split('\n')
        .find((line) => line.startsWith(`${pane} `))
        ?.split(' ') ?? []
    return {
      exit: this.#exits.get(pane) ?? null,
      exists: dead !== undefined,
      dead: dead === '1',
      pipe: pipe === '1',
    }
  }

  /**
   * Makes tmux reap. Builds with utempter lose the SIGCHLD of a program that ends while utempter's helper runs, which
   * is at every start and end of a pane (3 of 10 exits, measured): the pane then stays dead without a status. Any
   * other child's end makes tmux wait for all of them.
   */
  static readonly reap = command('run-shell', '-b', ':')

  /** Ends the server, when it is ours to end, and lets everything go. */
  async dispose(): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    const control = await this.#connection?.catch(() => null)
    if (control) {
      if (this.#started) {
        const [pid = ''] = await control
          .run('pid', command('display-message', '-p', '#{pid}'))
          .catch(() => [])
        await control.run('kill-server', 'kill-server').catch(() => {})
        await untilGone([Number(pid)])
      } else control.close()
      await control.closed
    }
    this.#watcher?.close()
    if (this.#started) await rm(this.socket, { force: true })
    for (const file of await readdir(this.folder).catch(() => []))
      if (file.startsWith(MARKER)) await rm(join(this.folder, file), { force: true })
  }

  #connected(): Promise<TmuxControl> {
    if (this.#disposed) return Promise.reject(new MeowError('tmux_failed', 'the tmux host was disposed'))
    if (this.#connection === null) {
      const connection = this.#connect([
        ...['new-session', '-A', '-s', HUB, '-x', '80', '-y', '24'],
        // An idle program for the hub's own window: it waits for input that never comes.
        ...['--', 'cat', '-'],
      ])
      this.#connection = connection
      connection.catch(() => {
        if (this.#connection === connection) this.#connection = null
      })
    }
    return this.#connection
  }

  async #connect(attach: readonly string[]): Promise<TmuxControl> {
    this.#watcher ??= this.#watch()
    const env = serverEnv(process.env)
    const control = await this.#heard(attach, env)
    control.onNotice(({ name, rest }) => this.#notice(name, rest))
    const [owner = ''] = await control.run('owner', command('show-options', '-gqv', '@meow_owner'))
    // Of an owner that was killed we take over: nobody else would ever end what runs here.
    if (owner === '' || (await processMark(Number.parseInt(owner, 10))) !== owner) {
      this.#started = true
      const mine = command('set-option', '-g', '@meow_owner', (await processMark(process.pid)) ?? '')
      await control.run(
        'settings',
        sequence(settings(Object.keys(env), join(this.folder, EXIT_MARKER)), mine),
      )
    }
    const watched = `${SUBSCRIPTION}:%*:#{pane_dead}#{pane_pipe}`
    await control.run('subscribe', command('refresh-client', '-B', watched))
    this.#control = control
    const since = Date.now()
    control.closed.then(() => this.#closed(control, Date.now() - since))
    return control
  }

  /**
   * A control client that the server hears. After a client was killed the next one is sometimes not heard (3.3a, 1 of
   * 40): the server does not watch its input, whatever is written there. Then another one is tried.
   */
  async #heard(attach: readonly string[], env: Readonly<Record<string, string>>): Promise<TmuxControl> {
    for (let tries = 1; ; tries += 1) {
      const control = await TmuxControl.open({
        tmuxPath: this.tmuxPath,
        args: ['-S', this.socket, '-f', '/dev/null', '-u', '-C', ...attach],
        env,
        onFault: this.onFault,
      })
      try {
        // No bytes on this client: the record has them. Sizes are never told by it, so that it shrinks no window.
        await control.run('refresh-client', command('refresh-client', '-f', 'no-output'), HEARD_MS * tries)
        return control
      } catch (error) {
        control.kill()
        if (tries >= HEARD_TRIES || !(error instanceof MeowError) || error.code !== 'timeout') throw error
      }
    }
  }

  #watch(): FSWatcher {
    try {
      const watcher = watch(this.folder, (_event, file) => file?.startsWith(MARKER) && this.#marked(file))
      return watcher.on('error', this.onFault)
    } catch (cause) {
      throw new MeowError('tmux_failed', `the folder ${this.folder} cannot be watched: ${String(cause)}`, {
        cause,
      })
    }
  }

  /** The control client ended by itself: attach another one, or learn that the server is gone. */
  #closed(control: TmuxControl, lifeMs: number): void {
    if (this.#disposed || this.#control !== control) return
    this.#shortLives = lifeMs < SHORT_LIFE_MS ? this.#shortLives + 1 : 0
    const again =
      this.#shortLives < SHORT_LIVES
        ? this.#connect(['attach-session', '-t', `=${HUB}`])
        : Promise.reject(new MeowError('tmux_failed', 'the tmux control client keeps ending'))
    this.#connection = again
    const panes = [...this.#panes.values()]
    again.then(
      () => {
        for (const { listener } of panes) listener.stateMayHaveChanged()
      },
      () => {
        // The next `open` starts a new server.
        if (this.#connection === again) this.#connection = null
        for (const { listener } of panes) listener.serverLost()
      },
    )
  }

  #notice(name: string, rest: string): void {
    if (name === '%subscription-changed') {
      // meow $0 @1 1 %1 : 01
      const [subscription, , , , pane = '', , value] = rest.split(' ')
      if (subscription === SUBSCRIPTION && value !== '01')
        this.#panes.get(pane)?.listener.stateMayHaveChanged()
    } else if (name === '%layout-change') {
      // @1 b25d,120x40,0,0,1 ...
      const match = /^(@\d+) [0-9a-f]+,(\d+)x(\d+),/.exec(rest)
      for (const { window, listener } of this.#panes.values())
        if (match !== null && window === match[1])
          listener.resized({ cols: Number(match[2]), rows: Number(match[3]) })
    }
  }

  async #exitNoted(): Promise<void> {
    await this.look('').catch(() => {})
    for (const [pane, { listener }] of this.#panes) if (this.#exits.has(pane)) listener.stateMayHaveChanged()
  }

  #marked(file: string): void {
    if (file === EXIT_MARKER) void this.#exitNoted()
    const resolve = this.#markers.get(file)
    this.#markers.delete(file)
    resolve?.()
    for (const [prefix, left] of resolve ? [] : this.#prefixes) {
      if (!file.startsWith(prefix)) continue
      this.#prefixes.delete(prefix)
      left()
    }
    void rm(join(this.folder, file), { force: true }).catch(() => {})
  }

  /** Whether a promise came true while a record's writer had time to end. */
  static writerEnded(touched: Promise<void>): Promise<boolean> {
    return settledWithin(touched, EXIT_BOUND_MS)
  }
}
