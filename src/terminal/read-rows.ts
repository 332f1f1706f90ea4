/** @module The viewport's rows as they were read, and which of them must be read again. */
import { rowOfWords, WORDS } from './row-words.js'
import { EMPTY_ROW, type ScreenRow } from './screen-row.js'

/** xterm's own line: three words a cell (see row-words.ts), combined characters apart. */
export interface OwnLine {
  readonly _data: Uint32Array
  readonly _combined: Readonly<Record<number, string>>
  readonly isWrapped: boolean
}

export const isOwnLine = (line: Partial<OwnLine> | undefined): line is OwnLine =>
  line?._data instanceof Uint32Array && typeof line._combined === 'object'

/** A row of the viewport as it was read, and the line from which. */
interface ReadRow {
  line: OwnLine | null
  row: ScreenRow
  /** Where its words begin in the copy of them. */
  readonly at: number
}

/** Where the emulator keeps its lines. */
interface OwnLines {
  get(index: number): Partial<OwnLine> | undefined
}

/** A row that came to the screen by scrolling. */
const NEW = -1

/**
 * The viewport's rows, each read again only when its words are others than before. Lines keep their identity when the
 * screen scrolls, so a row that only moved is not read again.
 */
export class ReadRows {
  /** As they stood when they were taken last. */
  #known: ReadRow[] = []
  /** Which of the known rows stands in each place now: scrolling moves numbers, taking moves rows. */
  #from = new Int16Array(0)
  #scrolled = false
  /** 1: the line in this place may have been written to since it was read. */
  #stale = new Uint8Array(0)
  /** The words of all rows as they were read; one array, as forty small ones take more time and memory. */
  #words = new Uint32Array(0)
  #cols = 0

  constructor(cols: number, rows: number) {
    this.resize(cols, rows)
  }

  resize(cols: number, rows: number): void {
    this.#cols = cols
    this.#words = new Uint32Array(rows * cols * WORDS)
    this.#known = Array.from({ length: rows }, (_, y) => ({
      line: null,
      row: EMPTY_ROW,
      at: y * cols * WORDS,
    }))
    this.#from = Int16Array.from({ length: rows }, (_, y) => y)
    this.#scrolled = false
    this.#stale = new Uint8Array(rows).fill(1)
  }

  mark(y: number): void {
    if (y >= 0 && y < this.#stale.length) this.#stale[y] = 1
  }

  markRange(from: number, to: number): void {
    this.#stale.fill(1, Math.max(0, from), to + 1)
  }

  markAll(): void {
    this.#stale.fill(1)
  }

  /** Rows of a region moved up by one, and the last is new. */
  scrolled(from: number, to: number): void {
    this.#scrolled = true
    this.#from.copyWithin(from, from + 1, to + 1)
    this.#stale.copyWithin(from, from + 1, to + 1)
    this.#from[to] = NEW
    this.#stale[to] = 1
  }

  /** All rows now; null where a line is none that is known. */
  take(lines: OwnLines, base: number): ScreenRow[] | null {
    if (this.#scrolled) this.#follow()
    const rows: ScreenRow[] = new Array(this.#known.length)
    for (let y = 0; y < rows.length; y++) {
      const known = this.#known[y] as ReadRow
      const line = lines.get(base + y)
      // A wrap mark is set and taken away beside the tracker.
      if (line !== known.line || this.#stale[y] === 1 || line?.isWrapped !== known.row.wrapped) {
        if (!isOwnLine(line)) return null
        this.#read(known, line)
        this.#stale[y] = 0
      }
      rows[y] = known.row
    }
    return rows
  }

  /** Brings the known rows to where scrolling brought them; those that left the screen serve for the new ones. */
  #follow(): void {
    const before = this.#known.slice()
    const stayed = new Uint8Array(before.length)
    for (const n of this.#from) if (n !== NEW) stayed[n] = 1
    let free = 0
    for (let y = 0; y < before.length; y++) {
      let n = this.#from[y] as number
      if (n === NEW) {
        while (stayed[free] === 1) free++
        n = free++
      }
      this.#known[y] = before[n] as ReadRow
      this.#from[y] = y
    }
    this.#scrolled = false
  }

  #read(known: ReadRow, line: OwnLine): void {
    const { _data: data, isWrapped } = line
    const length = this.#cols * WORDS
    if (known.line === line && known.row.wrapped === isWrapped && this.#unchanged(known.at, line, length))
      return
    known.line = line
    this.#words.set(data.length === length ? data : data.subarray(0, length), known.at)
    known.row = rowOfWords(data, line._combined, this.#cols, isWrapped)
  }

  #unchanged(at: number, { _data: data, _combined }: OwnLine, length: number): boolean {
    const words = this.#words
    for (let n = 0; n < length; n++) if (words[at + n] !== data[n]) return false
    // Words do not say what is combined.
    for (const _ in _combined) return false
    return true
  }
}
