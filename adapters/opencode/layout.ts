/** @module opencode/layout - where things stand on a screen: composer, panel, side bar, toasts. Pure. */
import type { Color, ScreenView } from '../../src/adapter/index.js'
import { BAR_AT } from './rows.js'

/** A side bar stands beside the conversation on wider screens, unless it is switched off. */
const SIDE_BAR_OVER = 120
const SIDE_BAR = 42
/** Free columns at the right of the conversation. */
const MARGIN = 2
/** Lower edge of the composer. */
const EDGE = /^ *╹▀{5,}/u
/** Rows from the top that toasts can take. */
const TOAST_ROWS = 14

/** The input box. Rows of the viewport. */
export interface ComposerBox {
  /** Column of its bar. */
  readonly bar: number
  readonly top: number
  /** The row `Build · Model Provider`. */
  readonly info: number
  readonly edge: number
  /** First column behind what its text may take. */
  readonly right: number
}

/** A panel that stands in the composer's place: a permission or a question. */
export interface Panel {
  readonly top: number
  readonly bottom: number
}

/** First column behind the conversation, its right margin left out. */
export function conversationEdge(screen: ScreenView): number {
  const beside = screen.cols > SIDE_BAR_OVER && screen.style(screen.cols - 1, 0).bg !== screen.style(0, 0).bg
  return screen.cols - (beside ? SIDE_BAR : 0) - MARGIN
}

/** A row's text without what stands beside the conversation. */
export function textWithin(screen: ScreenView, y: number, edge: number): string {
  const row = screen.row(y)
  let end = row.text.length
  while (end > 0 && row.column(end) > edge) end -= 1
  return row.text.slice(0, end).trimEnd()
}

/** The input box, known by its lower edge that is drawn in the colour of its inside. */
export function findComposer(screen: ScreenView): ComposerBox | null {
  for (let edge = screen.rows - 1; edge >= 3; edge -= 1) {
    const text = screen.text(edge)
    if (!EDGE.test(text)) continue
    const bar = text.indexOf('╹')
    const inside = screen.style(bar + 1, edge - 1).bg
    if (screen.style(bar + 1, edge).fg !== inside || inside === screen.style(0, 0).bg) continue
    let top = edge
    while (top > 0 && insideBox(screen, top - 1, bar, inside)) top -= 1
    if (edge - top >= 3) return { bar, top, info: edge - 1, edge, right: rightOf(screen, edge, bar) }
  }
  return null
}

/** Free columns at the right of the box's text. */
const PADDING = 2

/** The lower edge is as long as the box is wide. */
function rightOf(screen: ScreenView, edge: number, bar: number): number {
  const text = screen.text(edge)
  let at = bar + 1
  while (text[at] === '▀') at += 1
  return screen.row(edge).column(at) - PADDING
}

function insideBox(screen: ScreenView, y: number, bar: number, inside: Color): boolean {
  return screen.text(y)[bar] === '┃' && screen.style(bar + 1, y).bg === inside
}

/** The panel: rows with one bar, down to the last row but one. */
export function findPanel(screen: ScreenView): Panel | null {
  const last = screen.rows - 2
  const page = screen.style(0, 0).bg
  const { fg } = screen.style(BAR_AT, last)
  let top = last + 1
  while (top > 0) {
    const y = top - 1
    const inside =
      screen.text(y)[BAR_AT] === '┃' &&
      screen.style(BAR_AT, y).fg === fg &&
      screen.style(BAR_AT + 1, y).bg !== page
    if (!inside) break
    top = y
  }
  return top < last - 2 ? { top, bottom: last + 1 } : null
}

/** First column of a toast that lies over a row; null where there is none. A toast has a bar at both sides. */
export function toastAt(screen: ScreenView, y: number): number | null {
  if (y >= TOAST_ROWS) return null
  const text = screen.text(y)
  const right = text.length - 1
  const left = text.lastIndexOf('┃', right - 1)
  if (text[right] !== '┃' || left < 0) return null
  const row = screen.row(y)
  const [from, to] = [row.column(left), row.column(right)]
  const { fg, bg } = row.style(from)
  if (from <= BAR_AT || to < screen.cols / 2 || bg === screen.style(0, 0).bg) return null
  for (let x = from; x <= to; x += 1) if (row.style(x).bg !== bg) return null
  return row.style(to).fg === fg ? from : null
}
