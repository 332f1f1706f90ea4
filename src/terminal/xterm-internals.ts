/**
 * @module The only file that reaches behind xterm's public API. Each reach is looked for at start; where one is
 * missing, the public API does the same more slowly, and never less truly.
 *
 * Measured on @xterm/headless 6.0.0: the public `write` waits for a timer (1.4 ms), `writeSync` takes 0.1 ms; reading
 * the marked rows only halves the cost of a frame. No row that was not marked may have changed: the tracker alone does
 * not hold that (CSI J marks the two ends of its range, a buffer switch and RIS mark nothing), so these mark all rows.
 */
import type { IBuffer, IBufferLine, Terminal } from '@xterm/headless'
import { DirtyRows } from './dirty-rows.js'
import { copyRow } from './screen-read.js'
import { type RowCells, ScreenRow } from './screen-row.js'
import { type CellStyle, type Color, PLAIN_STYLE } from './screen-types.js'

interface Core {
  readonly _bufferService?: {
    readonly buffers?: {
      readonly normal?: { readonly lines?: { onTrim?(listener: (amount: number) => void): unknown } }
    }
  }
  readonly _writeBuffer?: {
    writeSync?(bytes: Uint8Array): void
    _isSyncWriting?: boolean
    _writeBuffer?: unknown[]
    _callbacks?: unknown[]
  }
  readonly _inputHandler?: {
    readonly _dirtyRowTracker?: {
      markDirty?(y: number): void
      markRangeDirty?(from: number, to: number): void
      markAllDirty?(): void
    }
    readonly _parser?: { reset?(): void }
    eraseInDisplay?(parameters: { readonly params: readonly number[] }, respectProtect: boolean): boolean
    onRequestRefreshRows?(listener: (range?: { start: number; end: number }) => void): unknown
  }
}

export interface Engine {
  readonly dirty: DirtyRows
  /** Whether `write` has parsed everything when it returns. */
  readonly synchronous: boolean
  /** Parses bytes and calls back when that is done. */
  write(bytes: Uint8Array, parsed: () => void): void
  cursorVisible(): boolean
  /** How many rows have left the normal screen's scrollback; null where xterm does not tell. */
  trimmed(): number | null
  /** Copies a row of the buffer, by its index there. */
  row(buffer: IBuffer, index: number): ScreenRow
  /** Pieces whose parsing threw: the rest of such a piece is lost, the screen goes on. */
  readonly faults: number
}

/** xterm's own line: three words a cell (content, foreground, background), combined characters apart. */
interface OwnLine {
  readonly _data: Uint32Array
  readonly _combined: Readonly<Record<number, string>>
}

const ownLine = (line: IBufferLine): OwnLine | null => {
  const own = (line as unknown as { readonly _line?: Partial<OwnLine> })._line
  return own?._data instanceof Uint32Array && typeof own._combined === 'object' ? (own as OwnLine) : null
}

const WORDS = 3
const COMBINED = 1 << 21
const WIDTH_SHIFT = 22
const colorOf = (word: number): Color => {
  const mode = (word >>> 24) & 3
  if (mode === 0) return 'default'
  return mode === 3 ? `#${(word & 0xffffff).toString(16).padStart(6, '0')}` : word & 0xff
}

/** Decodes a copy of xterm's words; a fuzz test holds it to the public API. */
class OwnCells implements RowCells {
  readonly length: number
  constructor(
    private readonly data: Uint32Array,
    private readonly combined: Readonly<Record<number, string>> | null,
  ) {
    this.length = data.length / WORDS
  }
  width(x: number): number {
    return (this.data[x * WORDS] ?? 0) >>> WIDTH_SHIFT
  }
  units(x: number): number {
    const content = this.data[x * WORDS] ?? 0
    if ((content & COMBINED) !== 0) return this.combined?.[x]?.length ?? 1
    return (content & 0x1fffff) > 0xffff ? 2 : 1
  }
  style(x: number): CellStyle {
    const fg = this.data[x * WORDS + 1] ?? 0
    const bg = this.data[x * WORDS + 2] ?? 0
    if (fg === 0 && bg === 0) return PLAIN_STYLE
    return {
      fg: colorOf(fg),
      bg: colorOf(bg),
      inverse: (fg & 0x4000000) !== 0,
      bold: (fg & 0x8000000) !== 0,
      underline: (fg & 0x10000000) !== 0,
      invisible: (fg & 0x40000000) !== 0,
      strikethrough: (fg & 0x80000000) !== 0,
      italic: (bg & 0x4000000) !== 0,
      dim: (bg & 0x8000000) !== 0,
    }
  }
  same(other: RowCells): boolean {
    if (!(other instanceof OwnCells) || other.data.length !== this.data.length) return false
    for (let at = 0; at < this.data.length; at++) if (this.data[at] !== other.data[at]) return false
    return true
  }
}

/** A row of the buffer by its index there, as one copy of its words. */
const copyOwnRow = (buffer: IBuffer, index: number): ScreenRow => {
  const line = buffer.getLine(index)
  const own = line === undefined ? null : ownLine(line)
  if (line === undefined || own === null) return copyRow(buffer, index)
  const data = own._data.slice(0, line.length * WORDS)
  let combined: Record<number, string> | null = null
  for (let at = 0; at < data.length; at += WORDS) {
    if (((data[at] ?? 0) & COMBINED) === 0) continue
    combined = { ...own._combined }
    break
  }
  return new ScreenRow(line.translateToString(true), line.isWrapped, new OwnCells(data, combined))
}

/** Marks rows by the emulator's own tracker. False when it has none that is known. */
const trackRows = (core: Core, terminal: Terminal, dirty: DirtyRows): boolean => {
  const handler = core._inputHandler
  const tracker = handler?._dirtyRowTracker
  const { markDirty, markRangeDirty, markAllDirty } = tracker ?? {}
  if (!handler?.onRequestRefreshRows || !tracker || !markDirty || !markRangeDirty || !markAllDirty)
    return false
  tracker.markDirty = (y) => {
    dirty.mark(y, y)
    markDirty.call(tracker, y)
  }
  tracker.markRangeDirty = (from, to) => {
    dirty.mark(from, to)
    markRangeDirty.call(tracker, from, to)
  }
  tracker.markAllDirty = () => {
    dirty.markAll()
    markAllDirty.call(tracker)
  }
  handler.onRequestRefreshRows((range) => {
    if (range === undefined || (range.start <= 0 && range.end >= terminal.rows - 1)) dirty.markAll()
  })
  return true
}

/** After an exception xterm would believe that it is still writing, and would never parse again. */
const recover = (core: Core): void => {
  const buffer = core._writeBuffer
  if (buffer !== undefined) {
    buffer._isSyncWriting = false
    buffer._writeBuffer?.splice(0)
    buffer._callbacks?.splice(0)
  }
  core._inputHandler?._parser?.reset?.()
}

/**
 * Erases: they mark all rows. One of them throws in 6.0.0, and a program may send anything: CSI 1 J in the last cell
 * of a screen without scrollback touches a line below the last one. There it erases all, which is CSI 2 J.
 */
const watchErases = (core: Core, terminal: Terminal, dirty: DirtyRows): void => {
  const handler = core._inputHandler
  const erase = (respectProtect: boolean) => (parameters: (number | number[])[]) => {
    dirty.markAll()
    const { cursorX, cursorY, length } = terminal.buffer.active
    if (parameters[0] !== 1 || cursorX < terminal.cols - 1 || cursorY + 1 < length) return false
    handler?.eraseInDisplay?.({ params: [2] }, respectProtect)
    return true
  }
  terminal.parser.registerCsiHandler({ final: 'J' }, erase(false))
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'J' }, erase(true))
}

/**
 * The parsing side of a terminal.
 * @param publicOnly use nothing internal: what a changed xterm would leave us, kept true by a test
 */
export const attachEngine = (terminal: Terminal, publicOnly = false): Engine => {
  const core: Core = publicOnly ? {} : ((terminal as unknown as { readonly _core?: Core })._core ?? {})
  const dirty = new DirtyRows(terminal.rows)
  const tracked = trackRows(core, terminal, dirty)
  terminal.buffer.onBufferChange(() => dirty.markAll())
  terminal.onResize(({ rows }) => dirty.resize(rows))
  watchErases(core, terminal, dirty)

  // The cursor: DECTCEM, and what resets it. xterm's own flag is internal, and survives RIS.
  let shown = true
  const show = (value: boolean) => (parameters?: (number | number[])[]) => {
    if (parameters === undefined || parameters.includes(25)) shown = value
    return false
  }
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, show(true))
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, show(false))
  terminal.parser.registerCsiHandler({ intermediates: '!', final: 'p' }, () => show(true)())
  terminal.parser.registerEscHandler({ final: 'c' }, () => show(true)())

  const lines = core._bufferService?.buffers?.normal?.lines
  let trimmed: number | null = lines?.onTrim === undefined ? null : 0
  lines?.onTrim?.((amount) => {
    trimmed = (trimmed ?? 0) + amount
  })

  const buffer = core._writeBuffer
  const writeSync = buffer?.writeSync?.bind(buffer)
  let faults = 0
  return {
    dirty,
    synchronous: writeSync !== undefined,
    write(bytes, parsed) {
      const done = (): void => {
        if (!tracked) dirty.markAll()
        parsed()
      }
      if (writeSync === undefined) return terminal.write(bytes, done)
      try {
        writeSync(bytes)
      } catch {
        faults++
        recover(core)
        dirty.markAll()
      }
      done()
    },
    get faults() {
      return faults
    },
    cursorVisible: () => shown,
    trimmed: () => trimmed,
    row: publicOnly ? copyRow : copyOwnRow,
  }
}
