/** @module opencode/rows - rows of the conversation: side bar and toasts cut, colours by their meaning. Pure. */
import type { CellStyle, Row } from '../../src/adapter/index.js'
import { byMeaning, PAGE, type Palette } from './palette.js'

/** Column of the bar at the left of messages, tool outputs and panels. */
export const BAR_AT = 2
/** Column where all texts begin. */
export const TEXT_AT = 5

/** A row of the screen, cut before a column. */
export class PartRow implements Row {
  readonly text: string
  /** The program places every cell by itself: the emulator's wrap marks mean nothing. */
  readonly wrapped = false

  constructor(
    private readonly row: Row,
    private readonly palette: Palette,
    /** First column behind the row's part. */
    private readonly cut: number,
    /** First column behind what texts may take. */
    readonly edge: number,
  ) {
    let end = row.text.length
    while (end > 0 && row.column(end) > cut) end -= 1
    this.text = row.text.slice(0, end).trimEnd()
  }

  style(x: number): CellStyle {
    return byMeaning(this.row.style(x), this.palette)
  }

  column(index: number): number {
    return this.row.column(index)
  }

  /** The text, and how its cells look. */
  same(other: this): boolean {
    if (this.cut === other.cut && this.row.same(other.row as Row)) return true
    if (this.text !== other.text) return false
    const end = this.row.column(this.text.length)
    for (let x = 0; x <= end; x += 1) {
      const [a, b] = [this.style(x), other.style(x)]
      if (a.fg !== b.fg || a.bg !== b.bg || a.strikethrough !== b.strikethrough) return false
    }
    return true
  }
}

/** First column behind what a text of these rows may take. */
export const edgeOf = (rows: readonly Row[], cols: number): number => {
  const [row] = rows
  return row instanceof PartRow ? row.edge : cols - BAR_AT
}

/** What a row's bar is: of a tool's block it has the page's colour; null where there is none. */
export function barOf(row: Row | null): 'tool' | 'colored' | 'panel' | null {
  if (row?.text[BAR_AT] !== '┃' || row.text.slice(0, BAR_AT).trim() !== '') return null
  const { fg } = row.style(BAR_AT)
  const { bg } = row.style(BAR_AT + 1)
  if (bg === PAGE) return null
  if (fg === PAGE) return 'tool'
  return fg === bg ? 'panel' : 'colored'
}

/** Nothing stands behind the bar: the padding of a block. */
export const isPadding = (row: Row | undefined): boolean => row?.text.trim() === '┃'
