/**
 * @module The one control-mode client of a tmux server: commands in, replies and notices out.
 *
 * One request is under way at a time. It is a line with the commands and a line that prints a token: the number of
 * reply blocks is not known beforehand (`if-shell` adds some, an error takes some away), the token's block ends it.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { bounded } from '../protocol/bounded.js'
import { MeowError } from '../protocol/errors.js'
import { Emitter, type OnFault } from './events.js'
import { ControlLines, type ControlMessage } from './tmux-lines.js'
import { command } from './tmux-quote.js'

interface Request {
  readonly label: string
  readonly line: string
  readonly token: string
  readonly replies: string[]
  error: string | null
  readonly resolve: (replies: readonly string[]) => void
  readonly reject: (error: MeowError) => void
}

/** Waiting requests; a bridge that gets here has a tmux that no longer answers. */
const QUEUE_BOUND = 1000
/** For one request from its call to its reply. Making a window takes 20 to 40 ms, a 100 KB paste 30. */
const REQUEST_BOUND_MS = 10_000
/** For the client's start, the server's included: 40 ms when nothing else runs. */
const START_BOUND_MS = 10_000

export interface ControlOptions {
  readonly tmuxPath: string
  /** After `tmux -C`: server flags and the command that attaches. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly onFault: OnFault
}

export class TmuxControl {
  readonly #process: ChildProcessWithoutNullStreams
  readonly #notices: Emitter<{ readonly name: string; readonly rest: string }>
  readonly #waiting: Request[] = []
  readonly #label: string
  #current: Request | null = null
  #tokens = 0
  #stderr = ''
  #lastWords = ''
  #closed = false
  /** Settles when the client has ended, with what it said last. */
  readonly closed: Promise<string>

  private constructor(options: ControlOptions) {
    this.#notices = new Emitter(options.onFault)
    this.#label = options.args.join(' ')
    this.#process = spawn(options.tmuxPath, [...options.args], { env: options.env, stdio: 'pipe' })
    this.#process.stderr.on('data', (data: Buffer) => {
      this.#stderr = (this.#stderr + data).slice(-2000)
    })
    // A write to a client that is just ending; `closed` tells the end itself.
    this.#process.stdin.on('error', () => {})
    const lines = new ControlLines((message) => this.#receive(message))
    this.#process.stdout.on('data', (data: Buffer) => lines.feed(data))
    this.closed = new Promise((resolve) => {
      this.#process.on('error', (error) => this.#end(String(error), resolve))
      this.#process.on('close', () =>
        this.#end(this.#stderr.trim() || this.#lastWords || 'no reason', resolve),
      )
    })
  }

  /** Attaches. Throws `tmux_failed` when the client ends instead, `timeout` when it says nothing. */
  static async open(options: ControlOptions): Promise<TmuxControl> {
    const control = new TmuxControl(options)
    // The trap: tmux may run stdin commands before the attach, on no session. Wait until it says that it is attached.
    const attached = new Promise<void>((resolve, reject) => {
      control.onNotice(({ name }) => name === '%session-changed' && resolve())
      control.closed.then((reason) => reject(new MeowError('tmux_failed', `tmux ended: ${reason}`)))
    })
    try {
      await bounded(attached, START_BOUND_MS, `tmux to attach (${control.#label})`)
    } catch (error) {
      control.close()
      throw error
    }
    return control
  }

  /**
   * Runs a command line and gives the text of each reply. Errors: `tmux_failed` (tmux refused a command, the client
   * ended, the queue is full) or `timeout`; each names the label and never the line, which may hold secrets.
   */
  run(label: string, line: string, boundMs = REQUEST_BOUND_MS): Promise<readonly string[]> {
    if (this.#closed) return Promise.reject(this.#lost(label))
    if (this.#waiting.length >= QUEUE_BOUND)
      return Promise.reject(
        new MeowError('tmux_failed', `${QUEUE_BOUND} tmux commands are waiting: ${label}`, {
          retryable: true,
        }),
      )
    const replies = new Promise<readonly string[]>((resolve, reject) => {
      const token = `meow-${process.pid}-${this.#tokens++}`
      this.#waiting.push({ label, line, token, replies: [], error: null, resolve, reject })
    })
    this.#next()
    // A late reply still ends its request, so that the following ones are matched rightly.
    return bounded(replies, boundMs, `tmux to answer: ${label}`)
  }

  onNotice(listener: (notice: { readonly name: string; readonly rest: string }) => void): void {
    this.#notices.on(listener)
  }

  /** Detaches; the server goes on. */
  close(): void {
    this.#process.stdin.end()
    this.#process.kill('SIGTERM')
  }

  /** Ends a client that nobody hears; the server goes on. */
  kill(): void {
    this.#process.stdin.destroy()
    this.#process.kill('SIGKILL')
  }

  #next(): void {
    if (this.#current !== null || this.#closed) return
    const request = this.#waiting.shift()
    if (request === undefined) return
    this.#current = request
    this.#process.stdin.write(`${request.line}\n${command('display-message', '-p', request.token)}\n`)
  }

  #receive(message: ControlMessage): void {
    if (message.type === 'notice') {
      if (message.name === '%exit') this.#lastWords = `exit ${message.rest}`.trim()
      this.#notices.emit(message)
      return
    }
    const request = this.#current
    if (request === null) return
    if (message.text !== request.token) {
      if (message.ok) request.replies.push(message.text)
      else request.error ??= message.text
      return
    }
    this.#current = null
    if (request.error === null) request.resolve(request.replies)
    else request.reject(new MeowError('tmux_failed', `tmux refused ${request.label}: ${request.error}`))
    this.#next()
  }

  #end(reason: string, resolve: (reason: string) => void): void {
    if (this.#closed) return
    this.#closed = true
    const lost = [...(this.#current === null ? [] : [this.#current]), ...this.#waiting]
    this.#current = null
    this.#waiting.length = 0
    for (const request of lost) request.reject(this.#lost(request.label))
    resolve(reason)
  }

  #lost(label: string): MeowError {
    return new MeowError('tmux_failed', `the tmux control client ended before the answer to: ${label}`)
  }
}
