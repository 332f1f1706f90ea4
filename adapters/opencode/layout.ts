/** @module opencode/layout - where things stand on a screen: composer, panel, side bar, toasts. Pure. */
import type { Color, ScreenView } from '../../src/adapter/index.js'
import { BAR_AT, textUpTo } from './rows.js'

/** A side bar stands beside the conversation on wider screens, unless it is switched off. */
const SIDE_BAR_OVER = 120
const SIDE_BAR = 42
/** Free columns at the right of the conversation. */
const MARGIN = 2
/** Free columns at the right of the composer's text. */
const PADDING = 2
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

/** Most rows of the footer below the composer. */
const FOOTER_ROWS = 4
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
  return textUpTo(screen.row(y), edge)
}

/** Asked of each screen for its state and for its conversation. */
const composers = new WeakMap<ScreenView, { readonly box: ComposerBox | null }>()

/** The input box, known by its lower edge that is drawn in the colour of its inside. */
export function findComposer(screen: ScreenView): ComposerBox | null {
  let known = composers.get(screen)
  if (known === undefined) {
    known = { box: seekComposer(screen) }
    composers.set(screen, known)
  }
  return known.box
}

function seekComposer(screen: ScreenView): ComposerBox | null {
  for (let edge = screen.rows - 1; edge >= 3; edge -= 1) {
    const text = screen.text(edge)
    const bar = text.indexOf('╹')
    const drawn = bar < 0 ? null : EDGE.exec(text)
    if (drawn === null) continue
    const inside = screen.style(bar + 1, edge - 1).bg
    if (screen.style(bar + 1, edge).fg !== inside || inside === screen.style(0, 0).bg) continue
    let top = edge
    while (top > 0 && insideBox(screen, top - 1, bar, inside)) top -= 1
    // The lower edge is as long as the box is wide.
    const right = screen.row(edge).column(drawn[0].length) - PADDING
    if (edge - top >= 3) return { bar, top, info: edge - 1, edge, right }
  }
  return null
}

/**
 * First column behind the conversation as it is drawn: after a resize cells of the old width stand there until the
 * program has drawn for the new one. Null where it is drawn for a wider screen than this: its rows are cut.
 */
export function drawnEdge(screen: ScreenView, box: ComposerBox | null): number | null {
  const edge = conversationEdge(screen)
  const drawn = box === null ? edge : box.right + PADDING
  return drawn > edge ? null : drawn
}

/** First row below the footer that stands below the composer. */
export function footerEnd(screen: ScreenView, { edge }: ComposerBox): number {
  const right = conversationEdge(screen)
  const most = Math.min(screen.rows, edge + 1 + FOOTER_ROWS)
  let end = edge + 1
  while (end < most && textWithin(screen, end, right).trim() !== '') end += 1
  return end
}

/** The first screen: below the footer, apart from it, stand a tip, and the folder and version. No session is open. */
export function isHome(screen: ScreenView, box: ComposerBox): boolean {
  if (box.bar !== BAR_AT) return true
  const right = conversationEdge(screen)
  for (let y = footerEnd(screen, box); y < screen.rows; y += 1)
    if (textWithin(screen, y, right).trim() !== '') return true
  return false
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
  if (text[right] !== '┃') return null
  const left = text.lastIndexOf('┃', right - 1)
  if (left < 0) return null
  const row = screen.row(y)
  const [from, to] = [row.column(left), row.column(right)]
  const { fg, bg } = row.style(from)
  if (from <= BAR_AT || to < screen.cols / 2 || bg === screen.style(0, 0).bg) return null
  for (let x = from; x <= to; x += 1) if (row.style(x).bg !== bg) return null
  return row.style(to).fg === fg ? from : null
}
