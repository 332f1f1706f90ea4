/**
 * @module The only file that reaches behind xterm's public API. Each reach is looked for at start; where one is
 * missing, the public API does the same more slowly, and never less truly.
 *
 * Measured on @xterm/headless 6.0.0: the public `write` waits for a timer (1.4 ms), `writeSync` takes 0.1 ms; reading
 * the marked rows only halves the cost of a frame. No row that was not marked may have changed: the tracker alone does
 * not hold that (CSI J marks the two ends of its range, a buffer switch and RIS mark nothing), so these mark all rows.
 */
import type { IBuffer, Terminal } from '@xterm/headless'
import { DirtyRows } from './dirty-rows.js'
import { isOwnLine, type OwnLine, ReadRows } from './read-rows.js'
import { rowOfWords } from './row-words.js'
import { copyRow } from './screen-read.js'
import type { ScreenRow } from './screen-row.js'

const NO_BYTES: Uint8Array = new Uint8Array()
const NO_ENDS = { shown: false, hidden: false } as const

interface OwnBuffer {
  readonly lines: {
    get(index: number): Partial<OwnLine> | undefined
    readonly length: number
    push(line: unknown): void
  }
  readonly x: number
  y: number
  ybase: number
  ydisp: number
  getBlankLine?(attributes: unknown): unknown
  readonly scrollTop: number
  readonly scrollBottom: number
}

interface SequenceId {
  readonly prefix?: string
  readonly intermediates?: string
  readonly final: string
}

/** Parameters of a sequence; what stands behind `length` is of others. */
interface Values {
  readonly params: ArrayLike<number | number[]>
  readonly length: number
}

interface Core {
  readonly coreService?: { readonly decPrivateModes?: { readonly synchronizedOutput?: boolean } }
  readonly _bufferService?: {
    readonly buffer?: OwnBuffer
    scroll?(attributes: unknown, wrapped?: boolean): void
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
    readonly _parser?: {
      reset?(): void
      registerCsiHandler?(
        id: SequenceId,
        handler: (values: Values & { params: Int32Array }) => boolean,
      ): unknown
    }
    print?(data: Uint32Array, start: number, end: number): void
    readonly _curAttrData?: unknown
    restoreCursor?(parameters?: unknown): boolean
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
  /** Takes another size, in cells; a screen that cannot take it begins empty. */
  resize(cols: number, rows: number): void
  cursorVisible(): boolean
  /** Whether a synchronized update is open. */
  inSync(): boolean
  /** Ends of synchronized updates since this was asked last: whether one left the cursor shown, or hidden. */
  takeEnds(): { readonly shown: boolean; readonly hidden: boolean }
  /** How many rows have left the normal screen's scrollback; null where xterm does not tell. */
  trimmed(): number | null
  /** A row of the buffer, by its index there. */
  row(buffer: IBuffer, index: number): ScreenRow
  /** The rows of the viewport; the same objects as before where nothing changed. */
  viewport(): readonly ScreenRow[]
  /** How often the emulator threw: the rest of such a piece is lost, the screen goes on. */
  readonly faults: number
}

/** A row of the buffer by its index there. */
const readOwnRow = (buffer: IBuffer, index: number, cols: number): ScreenRow => {
  const line = buffer.getLine(index)
  const own = (line as { readonly _line?: Partial<OwnLine> } | undefined)?._line
  if (line === undefined || !isOwnLine(own)) return copyRow(buffer, index, cols)
  return rowOfWords(own._data, own._combined, Math.min(line.length, cols), line.isWrapped)
}

/**
 * Marks rows by the emulator's own tracker: `dirty` whatever may look different, `read` what was written to. False when
 * it has no tracker that is known.
 */
const trackRows = (core: Core, terminal: Terminal, dirty: DirtyRows, read: ReadRows): boolean => {
  const handler = core._inputHandler
  const service = core._bufferService
  const tracker = handler?._dirtyRowTracker
  const { markDirty, markRangeDirty, markAllDirty } = tracker ?? {}
  const { print } = handler ?? {}
  const { scroll } = service ?? {}
  if (!handler?.onRequestRefreshRows || !tracker || !markDirty || !markRangeDirty || !markAllDirty)
    return false
  if (!service?.buffer || !scroll || !print) return false
  let scrolls = 0
  let scrolling = false
  tracker.markDirty = (y) => {
    dirty.mark(y)
    read.mark(y)
    markDirty.call(tracker, y)
  }
  tracker.markRangeDirty = (from, to) => {
    dirty.markRange(from, to)
    if (!scrolling) read.markRange(Math.min(from, to), Math.max(from, to))
    markRangeDirty.call(tracker, from, to)
  }
  tracker.markAllDirty = () => {
    dirty.markAll()
    read.markAll()
    markAllDirty.call(tracker)
  }
  service.scroll = (attributes, wrapped) => {
    scrolls++
    scrolling = true
    try {
      scroll.call(service, attributes, wrapped)
    } finally {
      scrolling = false
    }
    const { scrollTop, scrollBottom } = service.buffer as OwnBuffer
    read.scrolled(scrollTop, scrollBottom)
  }
  // Text over several rows: xterm marks the first and the last.
  handler.print = (data, start, end) => {
    const buffer = service.buffer as OwnBuffer
    // No character takes more than two cells.
    if (buffer.x + (end - start) * 2 <= terminal.cols) {
      print.call(handler, data, start, end)
      return
    }
    const from = buffer.y
    const before = scrolls
    print.call(handler, data, start, end)
    const to = buffer.y
    if (from === to && before === scrolls) return
    const first = Math.max(0, from - (scrolls - before))
    dirty.markRange(first, to)
    read.markRange(first, to)
  }
  handler.onRequestRefreshRows((range) => {
    // Without a range nothing was written: a synchronized update ends so, and a buffer switch is heard by itself.
    if (range !== undefined && range.start <= 0 && range.end >= terminal.rows - 1) dirty.markAll()
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
 * Hears a sequence before the emulator does it. Programs send thousands a second, and the public API copies the
 * parameters of each.
 * @param heard the parameters are good while it runs; true keeps the sequence from the emulator
 */
const hear = (core: Core, terminal: Terminal, id: SequenceId, heard: (values: Values) => boolean): void => {
  const parser = core._inputHandler?._parser
  if (!parser?.registerCsiHandler) {
    terminal.parser.registerCsiHandler(id, (values) => heard({ params: values, length: values.length }))
    return
  }
  parser.registerCsiHandler(id, (values) => heard(values))
}

const has = ({ params, length }: Values, value: number): boolean => {
  for (let n = 0; n < length; n++) if (params[n] === value) return true
  return false
}

/**
 * Erases: they mark all rows. One of them throws in 6.0.0, and a program may send anything: CSI 1 J in the last cell
 * of a screen without scrollback touches a line below the last one. There it erases all, which is CSI 2 J.
 */
const watchErases = (core: Core, terminal: Terminal, dirty: DirtyRows, read: ReadRows): void => {
  const handler = core._inputHandler
  const erase = (respectProtect: boolean) => (parameters: Values) => {
    dirty.markAll()
    const what = parameters.params[0]
    const buffer = core._bufferService?.buffer
    // In origin mode the cursor is first brought into the region.
    if (what === 0 && buffer) read.markRange(Math.min(buffer.y, buffer.scrollBottom), terminal.rows)
    else if (what === 1 && buffer) read.markRange(0, Math.max(buffer.y, buffer.scrollTop) + 1)
    else read.markAll()
    if (what !== 1) return false
    const { cursorX, cursorY, length } = terminal.buffer.active
    if (cursorX < terminal.cols - 1 || cursorY + 1 < length) return false
    read.markAll()
    handler?.eraseInDisplay?.({ params: [2] }, respectProtect)
    return true
  }
  hear(core, terminal, { final: 'J' }, erase(false))
  hear(core, terminal, { prefix: '?', final: 'J' }, erase(true))
}

/**
 * A buffer can be left with fewer lines than the screen has rows (seen after random bytes and sizes, 6.0.0): every later
 * print below them would throw. It gets blank lines, and shows its last rows.
 */
const refill = (core: Core, terminal: Terminal): void => {
  const buffer = core._bufferService?.buffer
  const service = core._inputHandler
  if (!buffer?.getBlankLine || !service) return
  const short = buffer.ybase + terminal.rows - buffer.lines.length
  if (short <= 0) return
  buffer.ybase = Math.max(0, buffer.ybase - short)
  buffer.ydisp = buffer.ybase
  for (let n = buffer.lines.length; n < buffer.ybase + terminal.rows; n++)
    buffer.lines.push(buffer.getBlankLine(service._curAttrData))
}

/**
 * A cursor that was saved on a taller screen is put back below the last row by 6.0.0, and whatever is printed there
 * throws: it is kept within the screen.
 */
const boundRestoredCursor = (core: Core, terminal: Terminal): void => {
  const handler = core._inputHandler
  const restore = handler?.restoreCursor
  if (!handler || !restore) return
  handler.restoreCursor = (parameters) => {
    const done = restore.call(handler, parameters)
    const buffer = core._bufferService?.buffer
    if (buffer) buffer.y = Math.min(buffer.y, terminal.rows - 1)
    return done
  }
}

/**
 * Sequences that xterm does as often as told, up to two thousand million times: hours for `CSI 2147483647 L`, gigabytes
 * for `b`. A number that the screen cannot hold does the same as the largest that it can.
 */
const boundRepeats = (core: Core, terminal: Terminal): void => {
  const parser = core._inputHandler?._parser
  for (const final of 'LMSTIZb') {
    const most = () =>
      final === 'b' ? terminal.rows * terminal.cols : Math.max(terminal.rows, terminal.cols)
    if (parser?.registerCsiHandler)
      parser.registerCsiHandler({ final }, ({ params }) => {
        params[0] = Math.min(params[0] ?? 0, most())
        return false
      })
    // The public API hands out copies: what is too large can only be left out.
    else terminal.parser.registerCsiHandler({ final }, ([first]) => Number(first) > most())
  }
}

/**
 * How many bytes at the end begin a character that is not whole. xterm keeps such bytes for the next write, but loses
 * those after a byte whose six low bits are zero: a cut `…`, `•` or `›` (U+2000 to U+203F) would vanish.
 */
const openTail = (bytes: Uint8Array): number => {
  for (let n = 1; n <= 3 && n <= bytes.length; n++) {
    const byte = bytes[bytes.length - n] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return n < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? n : 0
  }
  return 0
}

/**
 * The parsing side of a terminal.
 * @param publicOnly use nothing internal: what a changed xterm would leave us, kept true by a test
 */
export const attachEngine = (terminal: Terminal, publicOnly = false): Engine => {
  const core: Core = publicOnly ? {} : ((terminal as unknown as { readonly _core?: Core })._core ?? {})
  const dirty = new DirtyRows(terminal.rows)
  const read = new ReadRows(terminal.cols, terminal.rows)
  const tracked = trackRows(core, terminal, dirty, read)
  const markAll = (): void => {
    dirty.markAll()
    read.markAll()
  }
  terminal.buffer.onBufferChange(markAll)
  terminal.onResize(({ cols, rows }) => {
    dirty.resize(rows)
    read.resize(cols, rows)
  })
  watchErases(core, terminal, dirty, read)
  boundRepeats(core, terminal)
  boundRestoredCursor(core, terminal)
  // Nobody follows a link, and xterm keeps each one with a mark on its row: on the alternate screen for ever.
  terminal.parser.registerOscHandler(8, () => true)

  // The cursor: DECTCEM, and what resets it. xterm's own flag is internal, and survives RIS.
  let shown = true
  let ends: { readonly shown: boolean; readonly hidden: boolean } = NO_ENDS
  hear(core, terminal, { prefix: '?', final: 'h' }, (values) => {
    if (has(values, 25)) shown = true
    return false
  })
  hear(core, terminal, { prefix: '?', final: 'l' }, (values) => {
    if (has(values, 25)) shown = false
    if (has(values, 2026))
      ends = shown ? { shown: true, hidden: ends.hidden } : { shown: ends.shown, hidden: true }
    return false
  })
  const reset = () => {
    shown = true
    return false
  }
  terminal.parser.registerCsiHandler({ intermediates: '!', final: 'p' }, reset)
  terminal.parser.registerEscHandler({ final: 'c' }, reset)

  const lines = core._bufferService?.buffers?.normal?.lines
  let trimmed: number | null = lines?.onTrim === undefined ? null : 0
  lines?.onTrim?.((amount) => {
    trimmed = (trimmed ?? 0) + amount
  })

  const copy = publicOnly ? copyRow : readOwnRow
  const row = (from: IBuffer, index: number) => copy(from, index, terminal.cols)
  const buffer = core._writeBuffer
  const writeSync = buffer?.writeSync?.bind(buffer)
  let held = NO_BYTES
  let faults = 0
  return {
    dirty,
    synchronous: writeSync !== undefined,
    write(piece, parsed) {
      const all = held.length === 0 ? piece : Buffer.concat([held, piece])
      const whole = all.length - openTail(all)
      // A copy: whoever wrote may use their buffer again.
      held = whole === all.length ? NO_BYTES : Uint8Array.from(all.subarray(whole))
      if (whole === 0) return
      const bytes = whole === all.length ? all : all.subarray(0, whole)
      const done = (): void => {
        if (!tracked) markAll()
        parsed()
      }
      if (writeSync === undefined) return terminal.write(bytes, done)
      try {
        writeSync(bytes)
      } catch {
        faults++
        recover(core)
        refill(core, terminal)
        markAll()
      }
      done()
    },
    resize(cols, rows) {
      try {
        terminal.resize(cols, rows)
      } catch {
        // A buffer without some of its lines (see refill) cannot be resized; the program draws for its new size anyway.
        faults++
        terminal.reset()
        terminal.resize(cols, rows)
        markAll()
      }
    },
    get faults() {
      return faults
    },
    cursorVisible: () => shown,
    inSync: () =>
      core.coreService?.decPrivateModes?.synchronizedOutput ?? terminal.modes.synchronizedOutputMode,
    takeEnds() {
      const taken = ends
      ends = NO_ENDS
      return taken
    },
    trimmed: () => trimmed,
    row,
    viewport() {
      const own = core._bufferService?.buffer
      const rows = own ? read.take(own.lines, own.ybase) : null
      if (rows !== null) return rows
      const { active } = terminal.buffer
      return Array.from({ length: terminal.rows }, (_, y) => row(active, active.baseY + y))
    },
  }
}
