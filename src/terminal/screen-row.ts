/**
 * @module One row of a screen as it was: its text, and the styles in runs. A row stays true after the screen went on.
 */
import { type CellStyle, PLAIN_STYLE } from './screen-types.js'

/** Neighbouring cells of one look, in order: `ends[n]` is the first column behind those of `styles[n]`. */
export interface StyleRuns {
  readonly ends: readonly number[]
  readonly styles: readonly CellStyle[]
}

const STYLE_KEYS = Object.keys(PLAIN_STYLE) as (keyof CellStyle)[]

export const sameStyle = (a: CellStyle, b: CellStyle): boolean =>
  a === b || STYLE_KEYS.every((key) => a[key] === b[key])

/** A row of the viewport or of the scrollback. Columns count cells, indexes count UTF-16 units of the text. */
export class ScreenRow {
  /** The run that was asked for last: readers go along a row. */
  #run = 0

  constructor(
    /** Without trailing blanks. */
    readonly text: string,
    /** How many blanks were written behind the text. */
    private readonly blanks: number,
    /** Whether it goes on with the line of the row above. */
    readonly wrapped: boolean,
    /** How many columns. */
    private readonly length: number,
    /** The column of each unit of the text and the one behind it; null where each unit is one column. */
    private readonly columns: Uint16Array | null,
    /** Null where all cells are plain. */
    private readonly runs: StyleRuns | null,
  ) {}

  /** Text up to the last cell that was written, written blanks included. */
  get full(): string {
    return this.blanks === 0 ? this.text : this.text + ' '.repeat(this.blanks)
  }

  /** Style of the cell in a column; plain beyond the last cell. */
  style(x: number): CellStyle {
    const { runs } = this
    if (runs === null || x < 0 || x >= this.length) return PLAIN_STYLE
    let at = this.#run
    if (at > 0 && x < (runs.ends[at - 1] as number)) at = 0
    while (x >= (runs.ends[at] as number)) at++
    this.#run = at
    return runs.styles[at] as CellStyle
  }

  /** The column in which the character at an index of the text begins. */
  column(index: number): number {
    const at = Math.min(Math.max(index, 0), this.text.length)
    return this.columns === null ? at : (this.columns[at] ?? at)
  }

  /** Whether the other row looks the same, in text and style. */
  same(other: ScreenRow): boolean {
    if (this === other) return true
    return (
      this.text === other.text &&
      this.wrapped === other.wrapped &&
      this.length === other.length &&
      sameColumns(this.columns, other.columns) &&
      sameRuns(this.runs, other.runs)
    )
  }
}

function sameColumns(a: Uint16Array | null, b: Uint16Array | null): boolean {
  if (a === b) return true
  return a !== null && b !== null && a.every((column, n) => column === b[n])
}

function sameRuns(a: StyleRuns | null, b: StyleRuns | null): boolean {
  if (a === b) return true
  if (a === null || b === null || a.ends.length !== b.ends.length) return false
  for (let n = 0; n < a.ends.length; n++) {
    if (a.ends[n] !== b.ends[n]) return false
    if (!sameStyle(a.styles[n] as CellStyle, b.styles[n] as CellStyle)) return false
  }
  return true
}

export const EMPTY_ROW = new ScreenRow('', 0, false, 0, null, null)
