/** @module test/delivery/tui/memory-host - a host of programs in memory, and one bridge's hold on each of them. */
import { readFileSync } from 'node:fs'
import type {
  AttachCommand,
  Backend,
  Disposable,
  KeyName,
  LeftTerminal,
  Terminal,
  TerminalExit,
  TerminalHost,
  TerminalInfo,
  TerminalSize,
  TerminalSpec,
} from '../../../src/terminal/terminal.js'
import { Life } from './life.js'
import { type MemoryOptions, MemoryTerminal } from './memory-terminal.js'

export interface MemoryHostOptions extends MemoryOptions {
  /** With `tmux` the programs' output is in their record files, and another bridge can join them. */
  readonly backend?: Backend
  /** Absent: it is never killed. */
  readonly life?: Life
  /** Programs that run already. */
  readonly terminals?: Map<string, MemoryTerminal>
}

/** The host of one bridge. Its programs outlive the bridge, as those of tmux do. */
export class MemoryHost implements TerminalHost {
  readonly backend: Backend
  readonly terminals: Map<string, MemoryTerminal>
  private readonly life: Life

  constructor(private readonly options: MemoryHostOptions) {
    this.backend = options.backend ?? 'pty'
    this.terminals = options.terminals ?? new Map()
    this.life = options.life ?? new Life()
  }

  async open(spec: TerminalSpec): Promise<Terminal> {
    const record = this.backend === 'tmux' ? spec.recordFile : null
    const terminal = new MemoryTerminal(spec, this.options, record)
    this.terminals.set(spec.id, terminal)
    return new Hold(terminal, this.backend, this.life, (listener) => terminal.onData(listener))
  }

  async list(): Promise<readonly TerminalInfo[]> {
    return [...this.terminals.values()].map(({ id, pid, ended }) => ({ id, pid, dead: ended }))
  }

  /** Reads the record on from the offset, as the next bridge's host would; nothing of memory is told. */
  async adopt(left: LeftTerminal): Promise<Terminal | null> {
    const terminal = this.terminals.get(left.id)
    if (!terminal || terminal.ended || terminal.pid !== left.pid) return null
    return new Hold(terminal, this.backend, this.life, (listener) => {
      const past = readFileSync(left.recordFile).subarray(left.offset)
      const end = left.offset + past.length
      return terminal.onNew(listener, () => past.length > 0 && listener(past, left.offset), end)
    })
  }

  async endLeft(id: string): Promise<boolean> {
    const terminal = this.terminals.get(id)
    if (!terminal || terminal.ended) return false
    await terminal.kill()
    return true
  }

  async dispose(): Promise<void> {
    for (const terminal of this.terminals.values()) if (!terminal.ended) await terminal.kill()
  }
}

/** For calls of a bridge that is dead: nobody waits for them any more. */
const never = () => new Promise<never>(() => undefined)

/** One bridge's hold on a program. When the bridge dies, what it writes goes nowhere and it hears nothing. */
class Hold implements Terminal {
  readonly id: string
  readonly pid: number
  private readonly listening: Disposable[] = []

  constructor(
    private readonly program: MemoryTerminal,
    readonly backend: Backend,
    private readonly life: Life,
    private readonly follow: Terminal['onData'],
  ) {
    this.id = program.id
    this.pid = program.pid
    life.onEnd(() => {
      for (const one of this.listening) one.dispose()
    })
  }

  get size(): TerminalSize {
    return this.program.size
  }

  onData(listener: (bytes: Uint8Array, offset: number) => void): Disposable {
    return this.hold(this.follow((bytes, offset) => !this.life.dead && listener(bytes, offset)))
  }

  onExit(listener: (exit: TerminalExit) => void): Disposable {
    return this.hold(this.program.onExit((exit) => !this.life.dead && listener(exit)))
  }

  onResize(listener: (size: TerminalSize) => void): Disposable {
    return this.hold(this.program.onResize(listener))
  }

  onGap(): Disposable {
    return { dispose: () => undefined }
  }

  paste(text: string): Promise<void> {
    return this.life.effect('paste', () => this.program.paste(text), never)
  }

  type(text: string): Promise<void> {
    return this.life.effect('type', () => this.program.type(text), never)
  }

  keys(names: readonly KeyName[]): Promise<void> {
    return this.life.effect(`keys: ${names.join(' ')}`, () => this.program.keys(names), never)
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.life.effect('write', () => this.program.write(bytes), never)
  }

  resize(cols: number, rows: number): Promise<void> {
    return this.life.effect('resize', () => this.program.resize(cols, rows), never)
  }

  kill(): Promise<TerminalExit> {
    return this.life.effect('kill', () => this.program.kill(), never)
  }

  attachCommand(): AttachCommand | null {
    return null
  }

  private hold(one: Disposable): Disposable {
    this.listening.push(one)
    return one
  }
}
