/**
 * @module What both backends share: listeners, the order "last byte, then exit", and the refusal of input afterwards.
 */
import { MeowError } from '../protocol/errors.js'
import type { Disposable } from './disposable.js'
import { callListener, Emitter, type OnFault } from './events.js'
import type { KeyName } from './keys.js'
import { endTree } from './process-tree.js'
import { RecordFeed } from './record-feed.js'
import { checkSize } from './start-check.js'
import type {
  AttachCommand,
  Backend,
  Terminal,
  TerminalExit,
  TerminalGap,
  TerminalSize,
  TerminalSpec,
} from './terminal.js'

/** How long a program may take to end itself after SIGHUP, in ms. */
export const GRACE_MS = 2000
/** Ends a bracketed paste early: what follows it would be keys. */
const PASTE_END = '\x1b[201~'

export abstract class TerminalBase implements Terminal {
  readonly id: string
  abstract readonly backend: Backend
  abstract readonly pid: number
  protected readonly feed: RecordFeed
  protected readonly exited: Promise<TerminalExit>
  protected readonly onFault: OnFault
  readonly #resizes: Emitter<TerminalSize>
  readonly #gapEvents: Emitter<TerminalGap>
  readonly #gaps: TerminalGap[] = []
  #size: TerminalSize
  #ending = false
  #settleExit: (exit: TerminalExit) => void = () => {}

  protected constructor(
    spec: Pick<TerminalSpec, 'id' | 'cols' | 'rows' | 'recordFile'>,
    onFault: OnFault,
    start = 0,
  ) {
    this.id = spec.id
    this.onFault = onFault
    this.#resizes = new Emitter(onFault)
    this.#gapEvents = new Emitter(onFault)
    this.#size = { cols: spec.cols, rows: spec.rows }
    this.feed = new RecordFeed(spec.recordFile, onFault, start)
    this.exited = new Promise((resolve) => {
      this.#settleExit = resolve
    })
  }

  get size(): TerminalSize {
    return this.#size
  }

  /** True from the moment when the end was noticed, which is before the last bytes are delivered. */
  get ended(): boolean {
    return this.#ending
  }

  onData(listener: (bytes: Uint8Array, offset: number) => void): Disposable {
    return this.feed.listen(listener)
  }

  onExit(listener: (exit: TerminalExit) => void): Disposable {
    let wanted = true
    this.exited
      // Data listeners that came after the end have their bytes first, too.
      .then((exit) => this.feed.drain().then(() => wanted && callListener(this.onFault, listener, exit)))
    return {
      dispose: () => {
        wanted = false
      },
    }
  }

  onResize(listener: (size: TerminalSize) => void): Disposable {
    return this.#resizes.on(listener)
  }

  onGap(listener: (gap: TerminalGap) => void): Disposable {
    let wanted = true
    const past = [...this.#gaps]
    queueMicrotask(() => {
      for (const gap of past) if (wanted) callListener(this.onFault, listener, gap)
    })
    const subscription = this.#gapEvents.on(listener)
    return {
      dispose: () => {
        wanted = false
        subscription.dispose()
      },
    }
  }

  async paste(text: string): Promise<void> {
    this.refuseWhenEnded()
    if (text.includes(PASTE_END))
      throw new MeowError('invalid_argument', 'the text contains the end mark of a bracketed paste')
    if (text !== '') await this.sendPaste(text)
  }

  async type(text: string): Promise<void> {
    await this.write(Buffer.from(text, 'utf8'))
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.refuseWhenEnded()
    if (bytes.length > 0) await this.sendBytes(bytes)
  }

  async resize(cols: number, rows: number): Promise<void> {
    checkSize(cols, rows)
    this.refuseWhenEnded()
    await this.sendResize(cols, rows)
  }

  async kill(options: { readonly graceMs?: number } = {}): Promise<TerminalExit> {
    if (!this.#ending) await endTree(this.pid, this.exited, options.graceMs ?? GRACE_MS)
    return this.exited
  }

  abstract keys(names: readonly KeyName[]): Promise<void>
  abstract attachCommand(): AttachCommand | null
  protected abstract sendPaste(text: string): Promise<void>
  protected abstract sendBytes(bytes: Uint8Array): Promise<void>
  protected abstract sendResize(cols: number, rows: number): Promise<void>

  protected refuseWhenEnded(): void {
    if (this.#ending) throw this.gone()
  }

  protected gone(): MeowError {
    return new MeowError('terminal_gone', `the program of terminal ${this.id} has ended`)
  }

  protected setSize(size: TerminalSize): void {
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return
    this.#size = size
    this.#resizes.emit(size)
  }

  protected reportGap(gap: TerminalGap): void {
    this.#gaps.push(gap)
    this.#gapEvents.emit(gap)
  }

  /** The program has ended and its last byte is in the record. */
  protected async finish(exit: TerminalExit): Promise<void> {
    if (this.#ending) return
    this.#ending = true
    await this.feed.drain()
    this.feed.end()
    this.#settleExit(exit)
  }
}
