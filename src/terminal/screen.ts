/**
 * @module A terminal's screen without a terminal: bytes in, settled frames out.
 *
 * It never answers a query (DA, DSR, OSC 10 ...): under tmux that is tmux's part, and two answers would be typed into
 * the program. xterm's `onData` therefore has no listener.
 */
import serializeAddon from '@xterm/addon-serialize'
import headless, { type IMarker, type ITerminalAddon, type Terminal } from '@xterm/headless'
import { countClusters } from './clusters.js'
import type { Disposable } from './disposable.js'
import { Emitter, warn } from './events.js'
import { FramePacer, systemClock } from './frame-pacer.js'
import { mendSerialized } from './mend-serialized.js'
import { joinLines, readRuns, readStyle, readText, readWrapped, trimBlanks } from './screen-read.js'
import { EMPTY_ROW, type ScreenRow } from './screen-row.js'
import { watchSignals } from './screen-signals.js'
import type {
  CellStyle,
  Cursor,
  Frame,
  LogicalLine,
  ScreenClock,
  ScreenModes,
  ScreenOptions,
  ScreenSignals,
  StyledRun,
} from './screen-types.js'
import { checkSize } from './start-check.js'
import { attachEngine, type Engine } from './xterm-internals.js'

/** The end of a synchronized update as programs write it. */
const SYNC_END = Buffer.from('\x1b[?2026l')
/** Titles are hostile input, too, and are kept in every frame. */
const TITLE_BOUND = 1000
/**
 * Lines kept above the viewport unless told. History belongs to the journal and the record; this is for what moves between
 * two frames and for late joiners. 2.8 KB a line at 120 columns, once it is full.
 */
export const SCROLLBACK = 600

const indexOfEnd = (bytes: Uint8Array, from: number): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(SYNC_END, from)

export class Screen {
  readonly #terminal: Terminal
  readonly #engine: Engine
  readonly #serializer = new serializeAddon.SerializeAddon()
  readonly #frames: Emitter<Frame>
  readonly #pacer: FramePacer
  readonly #clock: ScreenClock
  readonly #signals: () => ScreenSignals
  /** The newest frame showed the cursor. */
  #cursorShown = true
  /** Rows of the normal screen that left the scrollback, and the mark that tells how many more did. */
  #trimmed = 0
  #mark: { readonly marker: IMarker; readonly line: number; readonly base: number } | null = null
  #title = ''
  #frameCount = 0
  #disposed = false

  /** Throws `invalid_argument` on a size outside 2 to 1000. @param publicOnly for tests: nothing internal of xterm */
  constructor(options: ScreenOptions, publicOnly = false) {
    checkSize(options.cols, options.rows)
    this.#frames = new Emitter(options.onFault ?? warn)
    this.#terminal = new headless.Terminal({
      cols: options.cols,
      rows: options.rows,
      scrollback: options.scrollback ?? SCROLLBACK,
      allowProposedApi: true,
      logLevel: 'off',
    })
    countClusters(this.#terminal)
    this.#terminal.loadAddon(this.#serializer as unknown as ITerminalAddon)
    this.#terminal.onTitleChange((title) => {
      this.#title = title.slice(0, TITLE_BOUND)
    })
    this.#engine = attachEngine(this.#terminal, publicOnly)
    this.#signals = watchSignals(this.#terminal)
    this.#clock = options.clock ?? systemClock
    this.#pacer = new FramePacer(this.#clock, options.minFrameMs ?? 33, options.maxSyncMs ?? 150, () =>
      this.#emitFrame(),
    )
  }

  /** Parses bytes, in any chunks. Frames may be emitted before it returns. */
  write(bytes: Uint8Array): void {
    if (this.#disposed) return
    // Stop at the end of a synchronized update where it can be a frame: the next one may begin in the same chunk, and
    // a chunk that always ends within one would never show a settled screen.
    let start = 0
    while (start < bytes.length) {
      const found = this.#pacer.ready || !this.#engine.synchronous ? indexOfEnd(bytes, start) : -1
      const end = found < 0 ? bytes.length : found + SYNC_END.length
      this.#engine.write(
        start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end),
        this.#parsed,
      )
      start = end
    }
  }

  /** Resolves when what was written has been told in a frame: at once, or with the next one (150 ms at most). */
  settled(): Promise<void> {
    if (this.#disposed || !this.#pacer.pending) return Promise.resolve()
    return new Promise((resolve) => {
      const subscription = this.onFrame(() => {
        subscription.dispose()
        resolve()
      })
    })
  }

  /** Makes a frame of what stands there, whether or not something changed since the last one. */
  refresh(): void {
    this.#parsed()
  }

  /** Another size; every row counts as changed. Throws `invalid_argument` outside 2 to 1000. */
  resize(cols: number, rows: number): void {
    checkSize(cols, rows)
    if (this.#disposed || (cols === this.cols && rows === this.rows)) return
    this.#engine.resize(cols, rows)
    this.#parsed()
  }

  get cols(): number {
    return this.#terminal.cols
  }

  get rows(): number {
    return this.#terminal.rows
  }

  /** Text of a viewport row now, without trailing blanks. */
  text(y: number): string {
    return trimBlanks(readText(this.#terminal.buffer.active, y, this.cols))
  }

  /** Whether the emulator wrapped the row above into this one. */
  wrapped(y: number): boolean {
    return readWrapped(this.#terminal.buffer.active, y)
  }

  /** The viewport's logical lines now. */
  lines(): readonly LogicalLine[] {
    const rows = Array.from({ length: this.rows }, (_, y) => y)
    return joinLines(
      rows.map((y) => readText(this.#terminal.buffer.active, y, this.cols)),
      rows.map((y) => this.wrapped(y)),
    )
  }

  /** Column first, as in `x, y`; plain outside of the viewport. */
  style(x: number, y: number): CellStyle {
    return readStyle(this.#terminal.buffer.active, x, y)
  }

  /** A row as runs of one style: what tells ghost text from typed text. */
  runs(y: number): readonly StyledRun[] {
    return readRuns(this.#terminal.buffer.active, y, this.cols)
  }

  get cursor(): Cursor {
    const { cursorX, cursorY } = this.#terminal.buffer.active
    return { x: cursorX, y: cursorY, visible: this.#engine.cursorVisible() }
  }

  /** Set by OSC 0 or 2. */
  get title(): string {
    return this.#title
  }

  get modes(): ScreenModes {
    const modes = this.#terminal.modes
    return {
      bracketedPaste: modes.bracketedPasteMode,
      altScreen: this.#terminal.buffer.active.type === 'alternate',
      applicationCursor: modes.applicationCursorKeysMode,
      mouse: modes.mouseTrackingMode !== 'none',
      sync2026: modes.synchronizedOutputMode,
    }
  }

  /** How often the emulator failed on what the program sent; a part of the screen may be wrong since. 0 is normal. */
  get faults(): number {
    return this.#engine.faults
  }

  /** Hears every settled screen from now on. */
  onFrame(listener: (frame: Frame) => void): Disposable {
    return this.#frames.on(listener)
  }

  /** The screen, modes and scrollback as bytes that draw it again: what a late joiner is sent. */
  serialize(): string {
    return mendSerialized(this.#serializer.serialize())
  }

  dispose(): void {
    this.#disposed = true
    this.#pacer.dispose()
    this.#frames.clear()
    this.#terminal.dispose()
  }

  readonly #parsed = (): void => {
    if (this.#disposed) return
    const ends = this.#engine.takeEnds()
    if (ends.shown || (ends.hidden && !this.#cursorShown)) this.#pacer.drawn()
    const drawing = this.#cursorShown && !this.#engine.cursorVisible()
    this.#pacer.changed(this.#engine.inSync(), drawing)
  }

  /**
   * Counts the rows that left the scrollback since the last frame. Where xterm does not tell, a mark on a row knows
   * where that row went; an erase takes marks away, and then only a scrollback that is full can have lost rows.
   */
  #countTrimmed(): void {
    const buffer = this.#terminal.buffer.active
    if (buffer.type === 'alternate') return
    const told = this.#engine.trimmed()
    if (told !== null) {
      this.#trimmed = told
      return
    }
    const mark = this.#mark
    if (mark !== null) {
      const shrunk = Math.max(0, mark.base - buffer.baseY)
      const moved = mark.marker.isDisposed ? shrunk : mark.line - mark.marker.line
      this.#trimmed += Math.max(0, moved)
      mark.marker.dispose()
    }
    const marker = this.#terminal.registerMarker(0)
    this.#mark = marker ? { marker, line: marker.line, base: buffer.baseY } : null
  }

  #emitFrame(): void {
    const changedRows = this.#engine.dirty.take()
    this.#cursorShown = this.#engine.cursorVisible()
    const buffer = this.#terminal.buffer.active
    this.#countTrimmed()
    const top = buffer.baseY
    const oldest = buffer.type === 'alternate' ? 0 : this.#trimmed
    const rows = this.#engine.viewport()
    this.#frames.emit(
      new SettledFrame(
        ++this.#frameCount,
        this.#clock.now(),
        this.cols,
        rows.length,
        changedRows,
        this.cursor,
        this.#title,
        this.modes,
        this.#signals(),
        oldest + top,
        oldest,
        rows,
        (index) => this.#engine.row(buffer, index),
      ),
    )
  }
}

/** See {@link Frame}. A class: frames are made often, and methods of one need no closures. */
class SettledFrame implements Frame {
  #lines: readonly LogicalLine[] | null = null

  constructor(
    readonly n: number,
    readonly at: number,
    readonly cols: number,
    readonly rows: number,
    readonly changedRows: readonly number[],
    readonly cursor: Cursor,
    readonly title: string,
    readonly modes: ScreenModes,
    readonly signals: ScreenSignals,
    readonly base: number,
    readonly oldest: number,
    private readonly viewport: readonly ScreenRow[],
    private readonly above: (index: number) => ScreenRow,
  ) {}

  row(y: number): ScreenRow {
    return this.viewport[y] ?? EMPTY_ROW
  }

  history(n: number): ScreenRow {
    return n >= this.base ? this.row(n - this.base) : this.above(n - this.oldest)
  }

  text(y: number): string {
    return this.row(y).text
  }

  wrapped(y: number): boolean {
    return this.row(y).wrapped
  }

  lines(): readonly LogicalLine[] {
    this.#lines ??= joinLines(
      this.viewport.map((row) => row.full),
      this.viewport.map((row) => row.wrapped),
    )
    return this.#lines
  }
}
