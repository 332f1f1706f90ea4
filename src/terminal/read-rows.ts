/** @module The viewport's rows as they were read, and which of them must be read again. */
import { rowOfWords } from './row-words.js'
import { EMPTY_ROW, type ScreenRow } from './screen-row.js'

/** xterm's own line: three words a cell (see row-words.ts), combined characters apart. */
export interface OwnLine {
  readonly _data: Uint32Array
  readonly _combined: Readonly<Record<number, string>>
  readonly isWrapped: boolean
}

export const isOwnLine = (line: Partial<OwnLine> | undefined): line is OwnLine =>
  line?._data instanceof Uint32Array && typeof line._combined === 'object'

/** A row of the viewport as it was read, and the line and words from which. */
interface ReadRow {
  line: OwnLine | null
  words: Uint32Array
  row: ScreenRow
  /** The line may have been written to since. */
  stale: boolean
}

/**
 * The viewport's rows, each read again only when its words are others than before. Lines keep their identity when the
 * screen scrolls, so a row that only moved is not read again.
 */
export class ReadRows {
  /** A ring: row `y` stands at `(top + y) % length`, so that scrolling the whole screen moves nothing. */
  #ring: ReadRow[] = []
  #top = 0
  #cols = 0

  constructor(cols: number, rows: number) {
    this.resize(cols, rows)
  }

  resize(cols: number, rows: number): void {
    this.#cols = cols
    this.#top = 0
    this.#ring = Array.from({ length: rows }, () => ({
      line: null,
      words: new Uint32Array(0),
      row: EMPTY_ROW,
      stale: true,
    }))
  }

  #at(y: number): ReadRow | undefined {
    const at = this.#top + y
    return this.#ring[at < this.#ring.length ? at : at - this.#ring.length]
  }

  mark(y: number): void {
    const known = y >= 0 && y < this.#ring.length ? this.#at(y) : undefined
    if (known !== undefined) known.stale = true
  }

  markRange(from: number, to: number): void {
    for (let y = Math.max(0, from); y <= to && y < this.#ring.length; y++) this.mark(y)
  }

  markAll(): void {
    for (const known of this.#ring) known.stale = true
  }

  /** Rows of a region moved up by one, and the last is new. */
  scrolled(from: number, to: number): void {
    if (from === 0 && to === this.#ring.length - 1) {
      this.#top = (this.#top + 1) % this.#ring.length
    } else {
      for (let y = from; y < to; y++) this.#swap(y, y + 1)
    }
    this.mark(to)
  }

  #swap(a: number, b: number): void {
    const length = this.#ring.length
    const [i, j] = [(this.#top + a) % length, (this.#top + b) % length]
    const kept = this.#ring[i] as ReadRow
    this.#ring[i] = this.#ring[j] as ReadRow
    this.#ring[j] = kept
  }

  /** All rows now; null where a line is none that is known. */
  take(lineAt: (y: number) => Partial<OwnLine> | undefined): ScreenRow[] | null {
    const rows: ScreenRow[] = new Array(this.#ring.length)
    for (let y = 0; y < rows.length; y++) {
      const known = this.#at(y) as ReadRow
      const line = lineAt(y)
      // A wrap mark is set and taken away beside the tracker.
      if (line !== known.line || known.stale || line?.isWrapped !== known.row.wrapped) {
        if (!isOwnLine(line)) return null
        this.#read(known, line)
      }
      rows[y] = known.row
    }
    return rows
  }

  #read(known: ReadRow, line: OwnLine): void {
    const length = this.#cols * 3
    known.stale = false
    if (known.line === line && known.row.wrapped === line.isWrapped && sameWords(known.words, line, length))
      return
    known.line = line
    if (known.words.length !== length) known.words = new Uint32Array(length)
    known.words.set(line._data.length === length ? line._data : line._data.subarray(0, length))
    known.row = rowOfWords(line._data, line._combined, this.#cols, line.isWrapped)
  }
}

function sameWords(words: Uint32Array, { _data, _combined }: OwnLine, length: number): boolean {
  if (words.length !== length) return false
  for (let at = 0; at < length; at++) if (words[at] !== _data[at]) return false
  // Words do not say what is combined.
  for (const _ in _combined) return false
  return true
}
