/** @module test/delivery/tui/memory-terminal - a terminal in memory, over the test TUI's core. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { MeowError } from '../../../src/protocol/errors.js'
import { keyBytes } from '../../../src/terminal/keys.js'
import { PtyModes } from '../../../src/terminal/pty-modes.js'
import type {
  AttachCommand,
  Disposable,
  KeyName,
  Terminal,
  TerminalExit,
  TerminalSize,
  TerminalSpec,
} from '../../../src/terminal/terminal.js'
import { TestTui } from './core.js'
import type { LogEntry, Seat, Told, TuiScript } from './script.js'

export interface MemoryOptions {
  readonly script: TuiScript
  /** How long bytes are on their way, in ms, each way; asked for each of them. */
  readonly latency?: () => number
}

type DataListener = (bytes: Uint8Array, offset: number) => void

/** Bytes go one after another, each after its latency and never past the one before. */
class Wire {
  private last = 0
  constructor(
    private readonly latency: () => number,
    private readonly arrive: (bytes: Uint8Array, by: Seat) => void,
  ) {}

  send(bytes: Uint8Array, by: Seat = 'bridge'): void {
    const due = Math.max(this.last, Date.now() + this.latency())
    this.last = due
    setTimeout(() => this.arrive(bytes, by), due - Date.now())
  }
}

export class MemoryTerminal implements Terminal {
  readonly backend = 'pty'
  readonly id: string
  /** No process: nothing is ever found under it. */
  readonly pid = 2_000_000_000
  readonly log: (LogEntry & { readonly at: number })[] = []
  /** What was written, by whom and when. */
  readonly sent: { readonly at: number; readonly by: Seat; readonly bytes: string }[] = []
  readonly facts: Told[] = []
  readonly tui: TestTui
  private readonly modes = new PtyModes()
  private readonly toProgram: Wire
  private readonly fromProgram: Wire
  private readonly chunks: Uint8Array[] = []
  private offset = 0
  private readonly data = new Set<DataListener>()
  private readonly resizes = new Set<(size: TerminalSize) => void>()
  private readonly exits = new Set<(exit: TerminalExit) => void>()
  private readonly hooks = new Set<(fact: Told) => void>()
  private exit: TerminalExit | null = null
  private told = false
  private wanted: TerminalSize

  /** @param record where its output goes as well; null: nowhere */
  constructor(
    spec: Pick<TerminalSpec, 'id' | 'cols' | 'rows'>,
    options: MemoryOptions,
    private readonly record: string | null = null,
  ) {
    this.id = spec.id
    if (record !== null) writeFileSync(record, '')
    this.wanted = { cols: spec.cols, rows: spec.rows }
    const latency = options.latency ?? (() => 1)
    this.toProgram = new Wire(latency, (bytes, by) => this.tui.input(bytes, by))
    this.fromProgram = new Wire(latency, (bytes) => this.arrived(bytes))
    this.tui = new TestTui(
      options.script,
      {
        write: (text) => this.fromProgram.send(Buffer.from(text, 'utf8')),
        after: (ms, callback) => {
          const timer = setTimeout(callback, ms)
          return () => clearTimeout(timer)
        },
        now: () => Date.now(),
        log: (kind, text, by) =>
          void this.log.push({ seq: this.log.length + 1, at: Date.now(), kind, text, by }),
        told: (fact) => {
          this.facts.push(fact)
          for (const hook of [...this.hooks]) hook(fact)
        },
        exit: (code) => this.end({ code, signal: null }),
      },
      this.wanted,
    )
    this.tui.start(() => undefined)
  }

  get size(): TerminalSize {
    return this.wanted
  }

  /** What a hook would tell, from now on. */
  onTold(listener: (fact: Told) => void): void {
    this.hooks.add(listener)
  }

  onData(listener: DataListener): Disposable {
    const past = [...this.chunks]
    return this.onNew(listener, () => {
      let offset = 0
      for (const bytes of past) {
        listener(bytes, offset)
        offset += bytes.length
      }
    })
  }

  /** Tells the past, then what arrives from now on; never from within this call. `from`: where the past ends. */
  onNew(listener: DataListener, past: () => void, from = this.offset): Disposable {
    if (from !== this.offset) throw new Error(`the record has ${from} bytes, and ${this.offset} were written`)
    const late: [Uint8Array, number][] = []
    const hold: DataListener = (bytes, at) => late.push([bytes, at])
    let over = false
    this.data.add(hold)
    queueMicrotask(() => {
      this.data.delete(hold)
      if (over) return
      past()
      for (const [bytes, at] of late) listener(bytes, at)
      this.data.add(listener)
    })
    return {
      dispose: () => {
        over = true
        this.data.delete(hold)
        this.data.delete(listener)
      },
    }
  }

  onExit(listener: (exit: TerminalExit) => void): Disposable {
    const { exit } = this
    if (this.told && exit) queueMicrotask(() => listener(exit))
    else this.exits.add(listener)
    return { dispose: () => void this.exits.delete(listener) }
  }

  onResize(listener: (size: TerminalSize) => void): Disposable {
    this.resizes.add(listener)
    return { dispose: () => void this.resizes.delete(listener) }
  }

  onGap(): Disposable {
    return { dispose: () => undefined }
  }

  async paste(text: string): Promise<void> {
    const [before, after] = this.modes.bracketedPaste ? ['\x1b[200~', '\x1b[201~'] : ['', '']
    await this.write(Buffer.from(before + text + after, 'utf8'))
  }

  async type(text: string): Promise<void> {
    await this.write(Buffer.from(text, 'utf8'))
  }

  async keys(names: readonly KeyName[]): Promise<void> {
    await this.write(Buffer.from(keyBytes(names, this.modes.applicationCursor), 'latin1'))
  }

  /** A person at the program's own terminal. */
  person(bytes: Uint8Array): void {
    if (this.exit) return
    this.sent.push({ at: Date.now(), by: 'person', bytes: Buffer.from(bytes).toString('utf8') })
    this.toProgram.send(bytes, 'person')
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.exit) throw new MeowError('terminal_gone', `the program of terminal ${this.id} has ended`)
    this.sent.push({ at: Date.now(), by: 'bridge', bytes: Buffer.from(bytes).toString('utf8') })
    this.toProgram.send(bytes)
  }

  async resize(cols: number, rows: number): Promise<void> {
    if (this.exit) throw new MeowError('terminal_gone', `the program of terminal ${this.id} has ended`)
    this.wanted = { cols, rows }
    for (const listener of [...this.resizes]) listener(this.wanted)
    this.tui.resize(cols, rows)
  }

  async kill(): Promise<TerminalExit> {
    this.tui.quit(0)
    this.end({ code: null, signal: 'SIGHUP' })
    return await new Promise((resolve) => this.onExit(resolve))
  }

  /** The program dies at this moment. */
  crash(): void {
    this.tui.quit(1)
  }

  attachCommand(): AttachCommand | null {
    return null
  }

  get ended(): boolean {
    return this.exit !== null
  }

  private arrived(bytes: Uint8Array): void {
    this.modes.feed(bytes)
    this.chunks.push(bytes)
    if (this.record !== null) appendFileSync(this.record, bytes)
    const at = this.offset
    this.offset += bytes.length
    for (const listener of [...this.data]) listener(bytes, at)
  }

  private end(exit: TerminalExit): void {
    if (this.exit) return
    this.exit = exit
    // After the bytes that are on their way.
    setTimeout(() => {
      this.told = true
      for (const listener of [...this.exits]) listener(exit)
      this.exits.clear()
    }, 50)
  }
}
