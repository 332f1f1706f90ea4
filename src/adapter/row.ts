/** @module adapter/row - one row of a screen as grammars see it, and what can be asked of it. Pure. */
import type { CellStyle, Color } from './reading.js'

/** A row of the viewport or of the scrollback. Columns count cells, indexes count UTF-16 units of the text. */
export interface Row {
  /** Without trailing blanks. */
  readonly text: string
  /** The terminal wrapped the row above into this one: they are one line. */
  readonly wrapped: boolean
  /** Style of the cell in a column. */
  style(x: number): CellStyle
  /** The column of the character at an index of the text. */
  column(index: number): number
  /** Same text and same look. */
  same(other: this): boolean
}

export const isBlank = (row: Row): boolean => row.text === '' || row.text.trim() === ''

const SPACE = 0x20
const NBSP = 0xa0

/** How many blanks stand before the text (NBSP counts as one); the row's length where it is blank. */
export function indentOf(row: Row): number {
  const text = row.text
  let at = 0
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit !== SPACE && unit !== NBSP) break
  }
  return at
}

/** Style of the character at an index of the text. */
export const styleAt = (row: Row, index: number): CellStyle => row.style(row.column(index))

/** Style of the first character that is not a blank. */
export const firstStyle = (row: Row): CellStyle => styleAt(row, indentOf(row))

/** Whether every visible character from an index on satisfies the test; false for a blank row. */
export function everyCell(row: Row, test: (style: CellStyle) => boolean, from = 0): boolean {
  let some = false
  for (let at = from; at < row.text.length; at += 1) {
    const unit = row.text.charCodeAt(at)
    if (unit === SPACE || unit === NBSP) continue
    some = true
    if (!test(styleAt(row, at))) return false
  }
  return some
}

export const isDim = (row: Row, from = 0): boolean => everyCell(row, (s) => s.dim, from)
export const isBold = (row: Row, from = 0): boolean => everyCell(row, (s) => s.bold, from)

/** Whether the column has a background of its own (of this colour, where told). */
export function hasBackground(row: Row, x = 0, color?: Color): boolean {
  const { bg } = row.style(x)
  return color === undefined ? bg !== 'default' : bg === color
}

/** Parts of the text from an index on in which every character satisfies the test, in order. */
export function partsWhere(row: Row, test: (style: CellStyle) => boolean, from = 0): string {
  let out = ''
  for (let at = from; at < row.text.length; at += 1) if (test(styleAt(row, at))) out += row.text[at]
  return out
}
