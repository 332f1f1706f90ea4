/**
 * @module One row of a screen as it was: text at once, styles when somebody asks. A row stays true after the screen
 * went on.
 */
import { type CellStyle, PLAIN_STYLE } from './screen-types.js'

/** What a row was copied from. */
export interface RowCells {
  /** How many columns. */
  readonly length: number
  /** Columns that a cell takes: 0 for the second half of a wide character. */
  width(x: number): number
  /** Length of a cell's characters in UTF-16 units; an empty cell counts as one blank. */
  units(x: number): number
  style(x: number): CellStyle
  /** Whether the other cells look the same. */
  same(other: RowCells): boolean
}

/** A row of the viewport or of the scrollback. Columns count cells, indexes count UTF-16 units of the text. */
export class ScreenRow {
  #columns: Uint16Array | null = null

  /** Without trailing blanks. */
  readonly text: string

  constructor(
    /** Up to the last cell that was written, written blanks included. */
    readonly full: string,
    /** Whether it goes on with the line of the row above. */
    readonly wrapped: boolean,
    private readonly cells: RowCells | null,
  ) {
    this.text = full.replace(/ +$/, '')
  }

  /** Style of the cell in a column; plain beyond the last cell. */
  style(x: number): CellStyle {
    return this.cells !== null && x >= 0 && x < this.cells.length ? this.cells.style(x) : PLAIN_STYLE
  }

  /** The column in which the character at an index of the text begins. */
  column(index: number): number {
    this.#columns ??= this.#map()
    return this.#columns[Math.min(Math.max(index, 0), this.text.length)] ?? index
  }

  /** Whether the other row looks the same, in text and style. */
  same(other: ScreenRow): boolean {
    if (this === other) return true
    if (this.text !== other.text || this.wrapped !== other.wrapped) return false
    return this.cells !== null && other.cells !== null
      ? this.cells.same(other.cells)
      : this.cells === other.cells
  }

  #map(): Uint16Array {
    const columns = new Uint16Array(this.text.length + 1)
    let at = 0
    let x = 0
    for (const end = this.cells?.length ?? 0; x < end && at < this.text.length; x++) {
      if (this.cells?.width(x) === 0) continue
      for (let n = this.cells?.units(x) ?? 1; n > 0 && at < this.text.length; n--) columns[at++] = x
    }
    for (; at <= this.text.length; at++) columns[at] = x++
    return columns
  }
}

export const EMPTY_ROW = new ScreenRow('', false, null)
