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
/** The first part of a row: a wrap falls behind a blank or one of these marks, and both have to fit. */
const PART = /^\s*([^\s\-/\\.,;:!?()[\]{}]*[\s\-/\\.,;:!?()[\]{}]?)/u
/** Behind these stands no blank. */
const TIGHT = /[-/\\([{]$/u
const CLOSING = /^[:;,.!?)\]}'"|]/u
/** A number or a file's name goes on behind a mark; a short form has a blank behind it. */
const NUMBER = [/\d[.,:]$/u, /^\d/u] as const
const NAME = [/[\w)\]]\.$/u, /^[a-z\d]/u] as const
const SHORT_FORM = /\b(?:e\.g|i\.e|etc|vs|cf|approx|no|p|pp|fig|al)\.$/iu

/** What is asked of one row of a text. */
interface Line {
  readonly cut: number
  /** Behind the cut. */
  readonly text: string
  /** Column behind it. */
  readonly end: number
  readonly blank: boolean
  /** It begins something of its own. */
  readonly own: boolean
  /** Nothing goes on from it. */
  readonly closed: boolean
  /** Columns of its first part, up to where a wrap may fall; null in a script without blanks. */
  readonly part: number | null
}

/** A text that grows is read again and again: its rows are as they were. */
const lines = new WeakMap<Row, Line>()

function lineOf(row: Row, cut: number): Line {
  const known = lines.get(row)
  if (known?.cut === cut) return known
  const text = cutColumns(row, cut)
  const part = PART.exec(text)?.[1] ?? ''
  const line = {
    cut,
    text,
    end: row.column(row.text.length),
    blank: text.trim() === '',
    own: OWN_LINE.test(text),
    closed: CLOSED.test(text),
    part: NO_BLANKS.test(part[0] ?? '') ? null : columns(part),
  }
  lines.set(row, line)
  return line
}

/** The text of these rows, wraps undone; blank rows stay but for those at the ends. */
export function joined(rows: readonly Row[], { cut, edge }: TextPlace): string {
  let out = ''
  let before: Line | null = null
  for (const row of rows) {
    const line = lineOf(row, cut)
    // Blank rows at the start.
    if (before === null && line.blank) continue
    if (before === null) out = line.text
    else if (wrapped(before, line, edge)) out += seam(before, line.text, edge) + line.text.trimStart()
    else out += `\n${line.text}`
    before = line
  }
  return out.trimEnd()
}

/** Whether the next row's first part would not have fitted behind this row. */
function wrapped(before: Line, line: Line, edge: number): boolean {
  if (before.blank || line.blank || line.own || before.closed) return false
  const room = edge - before.end
  return line.part === null ? room < 3 : line.part + 1 > room
}

function columns(part: string): number {
  let width = 0
  for (const char of part) width += NO_BLANKS.test(char) ? 2 : 1
  return width
}

function seam(before: Line, text: string, edge: number): string {
  const next = text.trimStart()
  const last = before.text.at(-1) ?? ''
  if (NO_BLANKS.test(last) && NO_BLANKS.test(next[0] ?? '')) return ''
  if (TIGHT.test(before.text) || CLOSING.test(next) || goesOn(before.text, next)) return ''
  // A word longer than the row is cut at the edge.
  return before.end >= edge && !/\s/u.test(before.text.trim()) ? '' : ' '
}

function goesOn(before: string, next: string): boolean {
  if (NUMBER[0].test(before) && NUMBER[1].test(next)) return true
  return NAME[0].test(before) && NAME[1].test(next) && !SHORT_FORM.test(before)
}
