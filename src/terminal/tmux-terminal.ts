/**
 * @module One program in one tmux pane: started with its record in one command list, ended with its status read.
 */
import { type FSWatcher, watch } from 'node:fs'
import { stat } from 'node:fs/promises'
import { MeowError } from '../protocol/errors.js'
import { exactArgv } from './exact-env.js'
import { dependsOnCursorMode, type KeyName, keyBytes } from './keys.js'
import type { AttachCommand, LeftTerminal, TerminalExit, TerminalSize, TerminalSpec } from './terminal.js'
import { TerminalBase } from './terminal-base.js'
import { cursorKeyCommands, PANE_DEAD, pasteCommands, writeCommands } from './tmux-input.js'
import { attachArgv } from './tmux-join.js'
import { PANE_FORMAT, paneIds } from './tmux-pane.js'
import { command, quoteForShell, sequence } from './tmux-quote.js'
import { type PaneListener, TmuxServer } from './tmux-server.js'
import { HUB } from './tmux-setup.js'

/** tmux puts these into every environment; TERM, TMUX and TMUX_PANE stay, they are true. */
const ADDED_BY_TMUX = ['TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'SHELL', 'PWD']
const ADOPT_FORMAT =
  '#{session_name} #{pane_id} #{window_id} #{pane_pid} #{pane_dead} #{window_width} #{window_height}'
type Birth = Pick<TerminalSpec, 'id' | 'cols' | 'rows' | 'recordFile'>
const UNKNOWN_EXIT: TerminalExit = { code: null, signal: null }
/** Looks at a dead pane whose status does not come, before it is taken away without one. */
const STATUS_LOOKS = 3

export class TmuxTerminal extends TerminalBase implements PaneListener {
  readonly backend = 'tmux'
  #pid = 0
  #pane = ''
  #window = ''
  readonly #server: TmuxServer
  readonly #recordFile: string
  readonly #watcher: FSWatcher
  #pipes = 0
  #pipeEnded: Promise<void> = Promise.resolve()
  #writerEnded = false
  #sizeAtReopen = -1
  #recordStopped = false
  #checks: Promise<void> = Promise.resolve()

  private constructor(server: TmuxServer, spec: Birth, start = 0) {
    super(spec, server.onFault, start)
    this.#server = server
    this.#recordFile = spec.recordFile
    this.#watcher = watch(spec.recordFile, this.feed.pump).on('error', this.onFault)
  }

  /** The spec is checked and its record file exists. Throws `terminal_start_failed`. */
  static async start(server: TmuxServer, spec: TerminalSpec): Promise<TmuxTerminal> {
    const argv = exactArgv(spec, ADDED_BY_TMUX)
    let terminal: TmuxTerminal | null = null
    try {
      terminal = new TmuxTerminal(server, spec)
      await terminal.#open(spec, argv)
      return terminal
    } catch (cause) {
      if (terminal !== null) terminal.#watcher.close()
      await server
        .run(`kill-session ${spec.id}`, command('kill-session', '-t', `=${spec.id}`))
        .catch(() => {})
      const detail = cause instanceof MeowError ? cause.detail : String(cause)
      throw new MeowError('terminal_start_failed', `tmux did not start ${spec.id}: ${detail}`, { cause })
    }
  }

  /** See {@link TerminalHost.adopt}. */
  static async adopt(server: TmuxServer, left: LeftTerminal): Promise<TmuxTerminal | null> {
    const [panes = ''] = await server.run('list-panes', command('list-panes', '-a', '-F', ADOPT_FORMAT))
    const pane = panes
      .split('\n')
      .map((line) => line.split(' '))
      .find(([id]) => id === left.id)
    const [, paneId = '', window = '', pid, dead, cols, rows] = pane ?? []
    if (Number(pid) !== left.pid || dead !== '0') return null
    const size = { cols: Number(cols), rows: Number(rows) }
    const terminal = new TmuxTerminal(
      server,
      { ...size, id: left.id, recordFile: left.recordFile },
      left.offset,
    )
    terminal.#pid = left.pid
    terminal.#pane = paneId
    terminal.#window = window
    // The writer of the record is the tmux server's child: it went on while nobody listened.
    terminal.#pipeEnded = server.anyMarker(`${left.id}-`)
    server.addPane(paneId, window, terminal)
    terminal.#watchWriter()
    terminal.stateMayHaveChanged()
    return terminal
  }

  get pid(): number {
    return this.#pid
  }

  async keys(names: readonly KeyName[]): Promise<void> {
    const normal = Buffer.from(keyBytes(names, false), 'latin1')
    if (!dependsOnCursorMode(names)) return this.write(normal)
    this.refuseWhenEnded()
    const application = Buffer.from(keyBytes(names, true), 'latin1')
    await this.#input('keys', cursorKeyCommands(this.#pane, normal, application))
  }

  /** A person's prefix key is C-b; d detaches, [ looks back, C-b sends C-b. */
  attachCommand(): AttachCommand {
    const { tmuxPath, socket } = this.#server
    return { argv: attachArgv(tmuxPath, socket, this.id) }
  }

  stateMayHaveChanged(): void {
    // One at a time: two looks at once could open two pipes.
    this.#checks = this.#checks
      .then(() => this.#check())
      // What tmux refuses while it goes is told by `serverLost`.
      .catch((error: unknown) => error instanceof MeowError || this.onFault(error))
      .then(() => {})
  }

  resized(size: TerminalSize): void {
    this.setSize(size)
  }

  serverLost(): void {
    this.#end(UNKNOWN_EXIT).catch(this.onFault)
  }

  protected sendPaste(text: string): Promise<void> {
    return this.#input('paste', pasteCommands(this.#pane, text))
  }

  protected sendBytes(bytes: Uint8Array): Promise<void> {
    return this.#input('write', writeCommands(this.#pane, bytes))
  }

  protected async sendResize(cols: number, rows: number): Promise<void> {
    const window = this.#window
    const replies = await this.#run(
      'resize',
      sequence(
        command(
          'if-shell',
          // The size is a person's while one is attached; the hub's client is on another session and does not count.
          ...['-F', '-t', `=${this.id}:`, '#{session_attached}'],
          '',
          sequence(
            command('resize-window', '-t', window, '-x', String(cols), '-y', String(rows)),
            // resize-window leaves the window on `manual`, which would take the size away from a person for good.
            command('set-option', '-w', '-t', window, 'window-size', 'latest'),
          ),
        ),
        command('display-message', '-p', '-t', this.#pane, '#{window_width} #{window_height}'),
      ),
    )
    const [width, height] = (replies.at(-1) ?? '').split(' ').map(Number)
    if (width && height) this.setSize({ cols: width, rows: height })
  }

  async #open(spec: TerminalSpec, argv: readonly string[]): Promise<void> {
    const { id, cols, rows, cwd, env } = spec
    const environment = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    const target = `=${id}:`
    const replies = await this.#server.run(
      `new-session ${id}`,
      sequence(
        // By an option, whose value is not expanded again: a path may hold `#{` or `%`.
        command('set-option', '-g', '@meow_cwd', cwd),
        ...this.#pipeOptions(),
        command(
          'new-session',
          ...['-d', '-s', id, '-n', id, '-x', String(cols), '-y', String(rows), '-c', '#{@meow_cwd}'],
          ...['-P', '-F', PANE_FORMAT, ...environment, '--', ...argv],
        ),
        this.#pipeCommand(target),
        command('set-option', '-w', '-t', target, 'window-size', 'latest'),
        command('link-window', '-d', '-s', target, '-t', `=${HUB}:`),
        TmuxServer.reap,
      ),
    )
    const { pane, window, pid } = paneIds(replies)
    this.#pane = pane
    this.#window = window
    this.#pid = pid
    this.#server.addPane(pane, window, this)
    this.#watchWriter()
  }

  /**
   * The writer of the record. It also holds the pane's tty open, so that the program's end shows as SIGCHLD before it
   * shows as end of file: the other order is the one in which tmux loses the status (see TmuxServer.reap). The second
   * `cat` keeps the pipe and its end marker alive when the record cannot be written.
   */
  #pipeOptions(): string[] {
    const marker = this.#server.marker(`${this.id}-${process.pid}-${this.#pipes++}`)
    this.#pipeEnded = marker.touched
    const end = `: >${quoteForShell(marker.path)}`
    const script = `umask 077; cat >>${quoteForShell(this.#recordFile)}; ${end}; cat >/dev/null; ${end}`
    return [command('set-option', '-g', '@meow_pipe', script)]
  }

  #pipeCommand(target: string): string {
    return command(
      'pipe-pane',
      ...['-O', '-t', target, 'command exec 9<#{pane_tty} 2>/dev/null; #{@meow_pipe}'],
    )
  }

  async #run(label: string, line: string): Promise<readonly string[]> {
    try {
      return await this.#server.run(`${label} ${this.id}`, line)
    } catch (error) {
      const lost = error instanceof MeowError && /can't find (pane|window|session)/.test(error.detail)
      throw lost ? this.gone() : error
    }
  }

  async #input(label: string, line: string): Promise<void> {
    if ((await this.#run(label, line)).includes(PANE_DEAD)) throw this.gone()
  }

  /** Looks at the pane and does what its state asks for. */
  async #check(): Promise<void> {
    for (let look = 0; !this.ended; look++) {
      const state = await this.#server.look(this.#pane)
      if (state.exit !== null || !state.exists) return this.#end(state.exit ?? UNKNOWN_EXIT)
      if (!state.dead) return state.pipe && !this.#writerEnded ? undefined : this.#reopenPipe()
      if (look < STATUS_LOOKS) await this.#server.run('reap', command('run-shell', ':'))
      else {
        await this.#server.run('kill-pane', command('kill-pane', '-t', this.#pane)).catch(() => {})
        return this.#end(UNKNOWN_EXIT)
      }
    }
  }

  #watchWriter(): void {
    const ended = this.#pipeEnded
    this.#writerEnded = false
    ended.then(() => {
      if (ended !== this.#pipeEnded) return
      this.#writerEnded = true
      this.stateMayHaveChanged()
    })
  }

  async #reopenPipe(): Promise<void> {
    if (this.#recordStopped) return
    const { size } = await stat(this.#recordFile)
    // A writer that ends again without a byte (a full disk) would be reopened for ever.
    this.#recordStopped = size === this.#sizeAtReopen
    this.#sizeAtReopen = size
    if (this.#recordStopped)
      return this.reportGap({ atOffset: size, reason: 'the record cannot be written any more' })
    await this.#server.run(
      `pipe-pane ${this.id}`,
      sequence(...this.#pipeOptions(), this.#pipeCommand(this.#pane)),
    )
    this.#watchWriter()
    this.reportGap({ atOffset: size, reason: "the record's writer ended" })
  }

  async #end(exit: TerminalExit): Promise<void> {
    if (this.ended) return
    this.#server.removePane(this.#pane)
    if (!(await TmuxServer.writerEnded(this.#pipeEnded))) {
      // A record that is not there any more must not keep the end from being told.
      const atOffset = await stat(this.#recordFile).then(
        ({ size }) => size,
        () => 0,
      )
      this.reportGap({ atOffset, reason: "the record's writer did not end with the program" })
    }
    await this.finish(exit)
    this.#watcher.close()
  }
}
