/** @module opencode/text - rows that OpenCode wrapped become the lines that were written. Pure. */
import { cutColumns, type Row } from '../../src/adapter/index.js'

/** Where a text stands on its rows, in columns. */
export interface TextPlace {
  /** Cut from every row. */
  readonly cut: number
  /** First column behind what the text may take. */
  readonly edge: number
}

/** Lines that begin something of their own: items, quotes, table rows, rules. */
const OWN_LINE = /^\s*(?:[-*+•◦▪]\s|\d{1,3}[.)]\s|#{1,6}\s|[>▎│┃|┌├└╭╰]|[─━═]{3,}|```)/u
/** Rows that nothing goes on from. */
const CLOSED = /[│┐┤┘|]$|^\s*[─━═]{3,}$/u
/** Scripts that are written without blanks between words. */
const NO_BLANKS = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/u
/** The wrap may fall behind these without a blank. */
const BREAKS = /[-/\\]$/u
const CLOSING = /^[:;,.!?)\]}'"|]/u

/** The text of these rows, wraps undone; blank rows stay but for those at the ends. */
export function joined(rows: readonly Row[], place: TextPlace): string {
  let out = ''
  let before: { text: string; end: number } | null = null
  for (const row of rows) {
    const text = cutColumns(row, place.cut)
    const end = row.column(row.text.length)
    if (before === null) out = text
    else if (wrapped(before, text, place.edge)) out += seam(before, text, place.edge) + text.trimStart()
    else out += `\n${text}`
    before = { text, end }
  }
  return out.replace(/^(?:[^\S\n]*\n)+|\s+$/gu, '')
}

/** Whether the next row's first part would not have fitted behind this row. */
function wrapped(before: { text: string; end: number }, text: string, edge: number): boolean {
  if (before.text.trim() === '' || text.trim() === '') return false
  if (OWN_LINE.test(text) || CLOSED.test(before.text)) return false
  const room = edge - before.end
  const part = /^\s*([^\s\-/\\]*[-/\\]?)/u.exec(text)?.[1] ?? ''
  if (NO_BLANKS.test(part[0] ?? '')) return room < 3
  return columns(part) + 1 > room
}

function columns(part: string): number {
  let width = 0
  for (const char of part) width += NO_BLANKS.test(char) ? 2 : 1
  return width
}

function seam(before: { text: string; end: number }, text: string, edge: number): string {
  const next = text.trimStart()
  const last = before.text.at(-1) ?? ''
  if (NO_BLANKS.test(last) && NO_BLANKS.test(next[0] ?? '')) return ''
  if (BREAKS.test(before.text) || CLOSING.test(next)) return ''
  // A word longer than the row is cut at the edge.
  return before.end >= edge && !/\s/u.test(before.text.trim()) ? '' : ' '
}
