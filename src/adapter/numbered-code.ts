/** @module adapter/numbered-code - answers whose code blocks are drawn with numbered lines, back to what was written. Pure. */
import { cutColumns, proseOf } from './plain-text.js'
import { isBlank, type Row } from './row.js'

/** How a program draws an answer whose code has numbered lines. */
export interface NumberedShape {
  /** Width of the screen in columns. */
  readonly cols: number
  /** Columns of the bullet and its blank; the rows below are indented as far. */
  readonly indent: number
  /** Columns that prose leaves free at the right; 0 unless told. */
  readonly right?: number
}

/** An answer's text: code blocks lose their numbers and get fences again; the rest is prose that was wrapped. */
export function numberedText(rows: readonly Row[], { cols, indent, right = 0 }: NumberedShape): string {
  const parts: string[] = []
  let prose: Row[] = []
  const flush = (from: number) => {
    if (prose.length === 0) return
    const text = proseOf(prose, { cols, first: indent, rest: indent, right })
    if (text.trim() !== '') parts.push(text + gap(prose, from))
    prose = []
  }
  for (let n = 0; n < rows.length; ) {
    const code = codeAt(rows, n, indent)
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
function codeAt(rows: readonly Row[], start: number, indent: number): { text: string; rows: number } | null {
  const first = rows[start] as Row
  const head = body(first, start === 0 ? indent : 0)
  const width = gutter(first, head, indent)
  if (width === null) return null
  let number = numberOf(head, indent)
  const lines = [cutColumns(first, width)]
  let at = start + 1
  for (; at < rows.length; at += 1) {
    const row = rows[at] as Row
    if (gutter(row, row.text, indent) === width && numberOf(row.text, indent) === number + 1) {
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
const body = (row: Row, bullet: number): string =>
  bullet > 0 ? ' '.repeat(bullet) + cutColumns(row, bullet) : row.text

/** Lines are numbered one column further in than the text: ` 12 const x = 1`. */
const NUMBER = /^( +)(\d+)(?: |$)/u

function numberedAt(text: string, indent: number): RegExpExecArray | null {
  const match = NUMBER.exec(text)
  return match && (match[1] ?? '').length > indent ? match : null
}

const numberOf = (text: string, indent: number): number => Number(numberedAt(text, indent)?.[2] ?? Number.NaN)

/** Columns before the code; null where the row has no number in a faint colour. */
function gutter(row: Row, text: string, indent: number): number | null {
  const match = numberedAt(text, indent)
  if (!match) return null
  const end = (match[0] ?? '').trimEnd().length
  // Up to here every character has one column.
  const { fg, bold } = row.style(end - 1)
  if (bold || fg === 'default' || fg === '#ffffff') return null
  return end + 1
}

/** Whether a row is a numbered line of code. */
export const isNumberedCode = (row: Row, indent: number): boolean => gutter(row, row.text, indent) !== null
