/** @module adapters/qwen/scroll-bar - rows without the scroll bar that Qwen Code draws in the last column. Pure. */
import type { CellStyle, Row, ScreenView } from '../../src/adapter/index.js'

const BAR = /\s*[│█]$/u

/** Of the rows, how many must end with it. */
const MOST = 0.7

/**
 * Whether the conversation has the bar beside it: then its rows end with a piece of it, the blank ones in the last
 * column. Behind characters whose width program and terminal see differently it stands elsewhere.
 */
export function hasScrollBar(screen: ScreenView, bottom: number): boolean {
  let inPlace = 0
  let ending = 0
  for (let y = 0; y < bottom; y += 1) {
    const row = screen.row(y)
    if (!BAR.test(row.text)) continue
    ending += 1
    if (row.column(row.text.length - 1) === screen.cols - 1) inPlace += 1
  }
  return inPlace >= 2 && ending >= bottom * MOST
}

/** A row of the screen as the conversation has it. */
export class ConversationRow implements Row {
  readonly text: string
  readonly wrapped: boolean

  constructor(
    private readonly row: Row,
    private readonly cut: boolean,
  ) {
    this.text = cut ? row.text.replace(BAR, '') : row.text
    this.wrapped = row.wrapped
  }

  style(x: number): CellStyle {
    return this.row.style(x)
  }

  column(index: number): number {
    return this.row.column(index)
  }

  same(other: ConversationRow): boolean {
    if (this.row.same(other.row)) return true
    if (this.text !== other.text || this.wrapped !== other.wrapped) return false
    if (!this.cut && !other.cut) return false
    for (let at = 0; at < this.text.length; at += 1) {
      const x = this.column(at)
      if (!sameStyle(this.style(x), other.style(x))) return false
    }
    return true
  }
}

function sameStyle(a: CellStyle, b: CellStyle): boolean {
  return (
    a.bold === b.bold &&
    a.dim === b.dim &&
    a.italic === b.italic &&
    a.inverse === b.inverse &&
    a.underline === b.underline &&
    a.fg === b.fg &&
    a.bg === b.bg
  )
}

/**
 * The rows down to one, without the bar; a piece of it that the terminal pushed to a row of its own goes as well.
 * Blank rows below the bar are not of the conversation: where it is scrolled back, they hide what stands there.
 */
export function withoutScrollBar(screen: ScreenView, bottom: number): readonly ConversationRow[] {
  const rows: ConversationRow[] = []
  let end = bottom
  while (end > 0 && screen.text(end - 1) === '') end -= 1
  for (let y = 0; y < end; y += 1) {
    const row = new ConversationRow(screen.row(y), true)
    if (!(row.wrapped && row.text.trim() === '')) rows.push(row)
  }
  return rows
}
