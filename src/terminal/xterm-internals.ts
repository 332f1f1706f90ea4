/**
 * @module The only file that reaches behind xterm's public API. Each reach is looked for at start; where one is
 * missing, the public API does the same more slowly, and never less truly.
 *
 * Measured on @xterm/headless 6.0.0: the public `write` waits for a timer (1.4 ms), `writeSync` takes 0.1 ms; reading
 * the marked rows only halves the cost of a frame. No row that was not marked may have changed: the tracker alone does
 * not hold that (CSI J marks the two ends of its range, a buffer switch and RIS mark nothing), so these mark all rows.
 */
import type { Terminal } from '@xterm/headless'
import { DirtyRows } from './dirty-rows.js'

interface Core {
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
  /** Pieces whose parsing threw: the rest of such a piece is lost, the screen goes on. */
  readonly faults: number
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
  }
}
