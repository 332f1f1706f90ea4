/**
 * @module opencode/rows - rows of the conversation: side bar and toasts cut, colours by their meaning. Most rows of a
 * frame are those of the frame before: what was found of one stays with the terminal's row. Pure.
 */
import type { CellStyle, Row } from '../../src/adapter/index.js'
import { byMeaning, PAGE, type Palette, samePalette } from './palette.js'

/** Column of the bar at the left of messages, tool outputs and panels. */
export const BAR_AT = 2
/** Column where all texts begin. */
export const TEXT_AT = 5

/** What a row's bar is: of a tool's block it has the page's colour; null where there is none. */
export type Bar = 'tool' | 'colored' | 'panel' | null

/** A row of the screen, cut before a column. */
export class PartRow implements Row {
  readonly text: string
  /** The program places every cell by itself: the emulator's wrap marks mean nothing. */
  readonly wrapped = false
  readonly #row: Row
  readonly #palette: Palette
  readonly #cut: number
  /** The style that was asked for last, and what it means: readers go along a row. */
  #style: CellStyle | null = null
  #meant: CellStyle | null = null
  #bar: Bar | undefined

  /** `cut`: first column behind the row's part; `edge`: first column behind what texts may take. */
  constructor(
    row: Row,
    palette: Palette,
    cut: number,
    readonly edge: number,
  ) {
    this.#row = row
    this.#palette = palette
    this.#cut = cut
    this.text = textUpTo(row, cut)
  }

  /** Whether this is what a new part with these would be. */
  is(palette: Palette, cut: number, edge: number): boolean {
    return this.#cut === cut && this.edge === edge && samePalette(this.#palette, palette)
  }

  style(x: number): CellStyle {
    const style = this.#row.style(x)
    if (style !== this.#style || this.#meant === null) {
      this.#style = style
      this.#meant = byMeaning(style, this.#palette)
    }
    return this.#meant
  }

  column(index: number): number {
    return this.#row.column(index)
  }

  get bar(): Bar {
    if (this.#bar === undefined) this.#bar = findBar(this)
    return this.#bar
  }

  /** The text, and how its cells look. */
  same(other: this): boolean {
    if (this === other) return true
    const alike = this.#cut === other.#cut && samePalette(this.#palette, other.#palette)
    if (alike && this.#row.same(other.#row)) return true
    if (this.text !== other.text) return false
    const end = this.column(this.text.length)
    for (let x = 0; x <= end; x += 1) {
      const [a, b] = [this.style(x), other.style(x)]
      if (a.fg !== b.fg || a.bg !== b.bg || a.strikethrough !== b.strikethrough) return false
    }
    return true
  }
}

/** A row's text before a column, without blanks at its end. */
export function textUpTo(row: Row, cut: number): string {
  const { text } = row
  let end = text.length
  if (row.column(end) <= cut) return text
  while (end > 0 && row.column(end) > cut) end -= 1
  return text.slice(0, end).trimEnd()
}

const parts = new WeakMap<Row, PartRow>()

/** The part of a row before a column; the same object as long as nothing changed. */
export function partOf(row: Row, palette: Palette, cut: number, edge: number): PartRow {
  const known = parts.get(row)
  if (known?.is(palette, cut, edge)) return known
  const part = new PartRow(row, palette, cut, edge)
  parts.set(row, part)
  return part
}

/** First column behind what a text of these rows may take. */
export const edgeOf = (rows: readonly Row[], cols: number): number => {
  const [row] = rows
  return row instanceof PartRow ? row.edge : cols - BAR_AT
}

export function barOf(row: Row | null): Bar {
  if (row === null) return null
  return row instanceof PartRow ? row.bar : findBar(row)
}

function findBar(row: Row): Bar {
  const { text } = row
  if (text[BAR_AT] !== '┃' || text.slice(0, BAR_AT).trim() !== '') return null
  const { fg } = row.style(BAR_AT)
  const { bg } = row.style(BAR_AT + 1)
  if (bg === PAGE) return null
  if (fg === PAGE) return 'tool'
  return fg === bg ? 'panel' : 'colored'
}

/** Nothing stands behind the bar: the padding of a block. */
export const isPadding = (row: Row | undefined): boolean => row?.text.trim() === '┃'
