/** @module test/recording/stage - one vendor's program in tmux, drawn on a screen of ours and recorded from its first byte. */
import { join } from 'node:path'
import { checkRecording } from '../../src/session/recording-check.js'
import { RecordingWriter } from '../../src/session/recording-writer.js'
import {
  checkTmux,
  type KeyName,
  keyBytes,
  openTmuxHost,
  redactText,
  Screen,
  Secrets,
  type Terminal,
  type TerminalHost,
} from '../../src/terminal/index.js'
import type { VendorSetup } from '../support/homes/home.js'
import { VENDOR_BIN } from '../support/homes/home.js'
import { TooLong, within } from './wait.js'

/** The machine may be busy: what takes longer has failed. */
export const BOUND_MS = 90_000
/** No fixture needs more. */
const MAX_BYTES = 2 * 1024 * 1024

export interface StageOptions {
  /** Scratch space; the recording is made in it. */
  readonly root: string
  readonly setup: VendorSetup
  readonly version: string
  readonly title: string
  readonly cols: number
  readonly rows: number
}

/** What is left when the program was recorded. */
export interface Recorded {
  readonly file: string
  readonly alternateScreen: boolean
}

export class Stage {
  readonly secrets: Secrets
  readonly #screen: Screen
  readonly #started = performance.now()
  readonly #watchers = new Set<() => void>()
  #lastOutput = performance.now()
  #sawAlternate = false
  #ended = false

  private constructor(
    private readonly options: StageOptions,
    private readonly host: TerminalHost,
    private readonly terminal: Terminal,
    private readonly writer: RecordingWriter,
    secrets: Secrets,
    started: number,
  ) {
    this.#started = started
    this.secrets = secrets
    this.#screen = new Screen({ cols: options.cols, rows: options.rows })
    this.#screen.onFrame(() => this.#changed())
    terminal.onData((bytes) => {
      this.#lastOutput = performance.now()
      writer.output(bytes)
      this.#screen.write(bytes)
      this.#sawAlternate ||= this.#screen.modes.altScreen
    })
    terminal.onResize(({ cols, rows }) => {
      writer.event('r', `${cols}x${rows}`)
      this.#screen.resize(cols, rows)
    })
    terminal.onExit(() => {
      this.#ended = true
      this.#changed()
    })
  }

  /** Starts the program; what it draws from then on is recorded. */
  static async open(options: StageOptions): Promise<Stage> {
    const { root, setup, version, title, cols, rows } = options
    const secrets = new Secrets({ env: setup.env })
    const started = performance.now()
    const file = join(root, 'session.cast')
    const writer = RecordingWriter.create({
      info: {
        name: title,
        sessionId: title,
        vendor: setup.vendor,
        vendorVersion: version,
        file,
        sideFile: join(root, 'session.side.jsonl'),
        bytes: 0,
        startedAt: Date.now(),
        endedAt: null,
        state: 'recording',
        check: 'unchecked',
        detail: null,
      },
      header: {
        cols,
        rows,
        term: 'tmux-256color',
        timestamp: Date.now() / 1000,
        command: redactText(secrets, [setup.vendor, ...setup.args].join(' ')),
        title,
        vendor: { id: setup.vendor, version },
        backend: 'tmux',
        tmux: await checkTmux('tmux'),
        fromStart: true,
        redacted: secrets.rules,
      },
      secrets,
      maxBytes: MAX_BYTES,
      clock: () => performance.now() - started,
      onFault: (error) => {
        throw error
      },
    })
    const host = await openTmuxHost({ socketDir: join(root, 'tmux') })
    try {
      const terminal = await host.open({
        id: 'recorded',
        argv: [join(VENDOR_BIN, setup.vendor), ...setup.args],
        cwd: setup.cwd,
        env: setup.env,
        cols,
        rows,
        recordFile: join(root, 'terminal.raw'),
      })
      return new Stage(options, host, terminal, writer, secrets, started)
    } catch (error) {
      await host.dispose()
      throw error
    }
  }

  /** Seconds since the recording's start. */
  now(): number {
    return Math.round(performance.now() - this.#started) / 1000
  }

  /** The screen, row by row. */
  text(): string {
    return Array.from({ length: this.#screen.rows }, (_, y) => this.#screen.text(y)).join('\n')
  }

  /** Waits until the screen's text satisfies a test. */
  async see(what: string, test: RegExp | ((text: string) => boolean), boundMs = BOUND_MS): Promise<void> {
    const right = typeof test === 'function' ? test : (text: string) => test.test(text)
    await this.#until(what, () => right(this.text()), boundMs)
  }

  /** How often some words stand on the screen, in letters and digits, whatever breaks the lines. */
  count(words: string): number {
    return letters(this.text()).split(letters(words)).length - 1
  }

  /** Waits until some words stand on the screen more often than they did. */
  async seeWords(words: string, before = 0): Promise<void> {
    await this.see(`"${words}" on the screen`, () => this.count(words) > before)
  }

  /** Waits until nothing was drawn for a while; when the bound comes first, that is an error or, if not strict, told. */
  async quiet(quietMs: number, boundMs: number, strict = true): Promise<void> {
    const end = performance.now() + boundMs
    for (;;) {
      const now = performance.now()
      const left = this.#lastOutput + quietMs - now
      if (left <= 0) return
      if (now >= end) {
        if (!strict) return
        throw new TooLong(`not within ${boundMs / 1000} s: ${quietMs} ms without a byte drawn`)
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, end - now)))
    }
  }

  /** Waits until something was drawn, and then nothing for a while. */
  async settled(): Promise<void> {
    const since = this.#lastOutput
    await this.#until('something is drawn', () => this.#lastOutput > since, BOUND_MS)
    await this.quiet(600, BOUND_MS)
  }

  async paste(text: string): Promise<void> {
    this.writer.input(text)
    await this.terminal.paste(text)
  }

  async type(text: string): Promise<void> {
    this.writer.input(text)
    await this.terminal.type(text)
  }

  async keys(...names: KeyName[]): Promise<void> {
    this.writer.input(keyBytes(names, this.#screen.modes.applicationCursor))
    await this.terminal.keys(names)
  }

  async resize(cols: number, rows: number): Promise<void> {
    await this.terminal.resize(cols, rows)
  }

  /** A chapter of the recording. */
  mark(label: string): void {
    this.writer.event('m', label)
  }

  /** Ends the recording while the program still stands, and looks it through for secrets. */
  async finish(): Promise<Recorded> {
    this.writer.finish('stopped', null)
    const { state, detail } = await this.writer.closed
    if (state !== 'stopped') throw new Error(`the recording ended as ${state}: ${detail}`)
    const file = join(this.options.root, 'session.cast')
    const checked = await checkRecording(file, this.secrets)
    if (checked.check !== 'clean' && checked.check !== 'patched')
      throw new Error(`the recording may show a secret: ${checked.detail}`)
    return { file, alternateScreen: this.#sawAlternate }
  }

  /** Ends the program and its tmux; harmless in any state. */
  async close(): Promise<void> {
    this.writer.finish('stopped', null)
    await this.writer.closed
    await this.host.dispose()
    this.#screen.dispose()
  }

  async #until(what: string, test: () => boolean, boundMs: number): Promise<void> {
    let watcher: (() => void) | null = null
    const met = new Promise<void>((resolve, reject) => {
      watcher = () => {
        if (test()) resolve()
        else if (this.#ended) reject(new Error(`the program ended before: ${what}`))
      }
      watcher()
      this.#watchers.add(watcher)
    })
    try {
      await within(what, boundMs, met)
    } finally {
      if (watcher !== null) this.#watchers.delete(watcher)
    }
  }

  #changed(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }
}

/** The letters and digits of a text. */
export function letters(text: string): string {
  return text.normalize('NFC').replaceAll(/[^\p{L}\p{N}]/gu, '')
}
