/** @module adapters/gemini/text - an answer as Gemini CLI draws it, back to the text that was written. Pure. */
import { cutColumns, isBlank, proseOf, type Row } from '../../src/adapter/index.js'
import { drawings, joined } from './leftover.js'

/** The bullet and its blank; the rows below are indented as far. */
const INDENT = 2
/** A code block has its lines numbered, one column further in: ` 12 const x = 1`. */
const CODE = /^ {3} *(\d+)(?: |$)/u

/** The text of an answer, put together where it was drawn more than once. */
export function answerOf(rows: readonly Row[], cols: number): string {
  return drawings(rows)
    .map((part) => textOf(part, cols))
    .reduce((text, later) => (text === '' ? later : joined(text, later)), '')
}

/** Code blocks lose their numbers and get fences again; the rest is prose that was wrapped. */
function textOf(rows: readonly Row[], cols: number): string {
  const parts: string[] = []
  let prose: Row[] = []
  const flush = (from: number) => {
    if (prose.length === 0) return
    const text = proseOf(prose, { cols, first: INDENT, rest: INDENT })
    if (text.trim() !== '') parts.push(text + gap(prose, from))
    prose = []
  }
  for (let n = 0; n < rows.length; ) {
    const code = codeAt(rows, n)
    if (code) {
      flush(n)
      parts.push(code.text)
      n += code.rows
    } else {
      prose.push(rows[n] as Row)
      n += 1
    }
  }
  flush(rows.length)
  return parts.join('\n').trimEnd()
}

/** A blank line between a text and the code below it stays. */
function gap(prose: readonly Row[], next: number): string {
  const last = prose.at(-1)
  return next > 0 && last && isBlank(last) ? '\n' : ''
}

/** The code block that begins with a row: numbers that go up by one in a colour of their own. */
function codeAt(rows: readonly Row[], start: number): { text: string; rows: number } | null {
  const first = rows[start] as Row
  const bullet = start === 0
  const width = gutter(first, bullet)
  if (width === null) return null
  let number = numberOf(first, bullet)
  const lines = [cutColumns(first, width)]
  let at = start + 1
  for (; at < rows.length; at += 1) {
    const row = rows[at] as Row
    if (gutter(row, false) === width && numberOf(row, false) === number + 1) {
      number += 1
      lines.push(cutColumns(row, width))
    } else if (!isBlank(row) && row.text.slice(0, width).trim() === '' && row.column(width) === width) {
      // A line that was longer than the screen.
      lines[lines.length - 1] += cutColumns(row, width)
    } else break
  }
  return { text: `\`\`\`\n${lines.map((line) => line.trimEnd()).join('\n')}\n\`\`\``, rows: at - start }
}

/** The text with blanks in the place of the bullet. */
const body = (row: Row, bullet: boolean): string =>
  bullet ? ' '.repeat(INDENT) + cutColumns(row, INDENT) : row.text

function numberOf(row: Row, bullet: boolean): number {
  return Number(CODE.exec(body(row, bullet))?.[1] ?? Number.NaN)
}

/** Columns before the code; null where the row has no number in a faint colour. */
function gutter(row: Row, bullet: boolean): number | null {
  const match = CODE.exec(body(row, bullet))
  if (!match) return null
  const end = (match[0] ?? '').trimEnd().length
  // Up to here every character has one column.
  const { fg, bold } = row.style(end - 1)
  if (bold || fg === 'default' || fg === '#ffffff') return null
  return end + 1
}

/** A numbered line of code. */
export const isCodeRow = (row: Row): boolean => gutter(row, false) !== null
