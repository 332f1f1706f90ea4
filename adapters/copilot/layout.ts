/**
 * @module adapters/copilot/layout - where things stand on a screen: input box, footer, dialog, conversation. Pure.
 *
 * Everything of the conversation is indented by at least one column. So a rule or a box that begins in column 0 and
 * takes the whole width is the program's own, whatever a text says.
 */
import type { Row, ScreenView } from '../../src/adapter/index.js'

/** The input box: rule, prompt sign with the draft, rule, footer. */
export interface Box {
  /** Rows of the upper and the lower rule. */
  readonly top: number
  readonly bottom: number
}

/** Where a dialog stands: a frame, or what lies under a rule where the input box was. */
export interface Panel {
  /** Rows of its first and last line, borders not counted. */
  readonly first: number
  readonly last: number
  /** Row of its upper border. */
  readonly top: number
  readonly framed: boolean
}

/** Most rows of a footer: a narrow screen wraps it. */
const FOOTER_ROWS = 4

const isRule = (screen: ScreenView, y: number): boolean => {
  const text = screen.text(y)
  return text.length === screen.cols && /^─+$/u.test(text)
}

/** The lowest input box; null while a dialog stands in its place. */
export function inputBox(screen: ScreenView): Box | null {
  let bottom = -1
  for (let y = screen.rows - 1; y >= 0; y -= 1) {
    if (!isRule(screen, y)) continue
    if (bottom < 0) {
      if (y === screen.rows - 1 || y < screen.rows - 1 - FOOTER_ROWS) return null
      bottom = y
    } else return y + 1 < bottom && /^[^\s─│]/u.test(screen.text(y + 1)) ? { top: y, bottom } : null
  }
  return null
}

/** The panel that a dialog or picker is drawn in; null unless it is whole. */
export function panel(screen: ScreenView): Panel | null {
  let end = screen.rows - 1
  while (end > 0 && screen.text(end) === '') end -= 1
  const last = screen.text(end)
  if (last.startsWith('╰') && last.endsWith('╯') && last.length === screen.cols) {
    for (let y = end - 1; y >= 0; y -= 1) {
      const text = screen.text(y)
      if (text.startsWith('╭') && text.endsWith('╮') && text.length === screen.cols)
        return { top: y, first: y + 1, last: end - 1, framed: true }
      if (!text.startsWith('│')) return null
    }
    return null
  }
  const below = isRule(screen, end) ? end - 1 : end
  for (let y = below; y >= 0; y -= 1) {
    if (isRule(screen, y)) return { top: y, first: y + 1, last: below, framed: false }
    if (/^\S/u.test(screen.text(y))) return null
  }
  return null
}

const POPUP = /^┃/u
/** A prompt that waits for its turn is drawn under everything else, with this below it or at its right edge. */
const PENDING = /^ {3}└ \[pending\b|^ ❯ .*\s{2}pending(?: · ↑ recall)?$/u

/** First row below the conversation, where `top` is the upper rule of the input box. */
export function conversationEnd(screen: ScreenView, top: number): number {
  let end = top
  while (end > 0 && POPUP.test(screen.text(end - 1))) end -= 1
  // The line with the folder stands there when no popup does.
  if (end === top) end = Math.max(0, top - 1)
  for (;;) {
    let y = end
    while (y > 0 && rowText(screen, y - 1) === '') y -= 1
    if (y === 0 || !PENDING.test(rowText(screen, y - 1))) return end
    y -= 1
    while (y > 0 && !/^ ❯ /u.test(rowText(screen, y))) y -= 1
    end = y
  }
}

const rowText = (screen: ScreenView, y: number): string => withoutBar(screen.row(y), screen.cols)

/** A row's text without the scroll bar in the last column. */
function withoutBar(row: Row, cols: number): string {
  const { text } = row
  if (!text.endsWith('┃') || row.column(text.length - 1) < cols - 2) return text
  return text.slice(0, -1).trimEnd()
}

/** A row of the conversation without the scroll bar, which moves and comes and goes. */
export class TranscriptRow implements Row {
  readonly text: string

  constructor(
    private readonly row: Row,
    cols: number,
  ) {
    this.text = withoutBar(row, cols)
  }

  readonly wrapped = false

  style(x: number) {
    return this.row.style(x)
  }

  column(index: number): number {
    return this.row.column(index)
  }

  same(other: this): boolean {
    if (this.row === other.row) return true
    if (this.text !== other.text) return false
    for (let at = 0; at < this.text.length; at += 1) {
      const [a, b] = [this.style(this.column(at)), other.style(other.column(at))]
      if (a.fg !== b.fg || a.bold !== b.bold || a.italic !== b.italic || a.bg !== b.bg) return false
    }
    return true
  }
}
