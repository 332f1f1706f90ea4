/** @module adapter/plain-text - rows that a program wrapped by itself become the lines that were written. Pure. */
import type { Row } from './row.js'

/** A character and the marks behind it that no line begins with. */
const UNPARTED = /^.[。、，．」』）】！？：；ー…々ぁぃぅぇぉっゃゅょァィゥェォッャュョ]*/u

/** Where the text of a block stands on its rows. */
export interface TextShape {
  /** Width of the screen in columns. */
  readonly cols: number
  /** Columns cut from the first row (a bullet and its blank). */
  readonly first: number
  /** Columns cut from the rows after it. */
  readonly rest: number
  /** Columns that the program leaves free at the right; 0 unless told. */
  readonly right?: number
  /** Rows that never take the next one as their own (a code line, a table row). */
  readonly verbatim?: (text: string) => boolean
  /** What stood between two rows that are one line, where it is not a blank; null: the usual. */
  readonly seam?: (before: string, after: string) => string | null
}

/** A line that begins something of its own: a list item, a heading, a quote, a table, a rule. */
const OWN_LINE =
  /^\s*(?:[-*+•◦▪]\s|\d{1,3}[.)]\s|[a-z][.)]\s|[ivx]{1,4}[.)]\s|#{1,6}\s|[>▎│┃|┌├└╭╰]|[─━═]{3,}|```)/u
/** Scripts that are written without blanks between words: a wrap there hides none. */
const NO_BLANKS = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/u

/** Cuts up to `count` leading blanks or marks, by columns. */
export function cutColumns(row: Row, count: number): string {
  const { text } = row
  let at = 0
  while (at < text.length && row.column(at) < count) at += 1
  return text.slice(at)
}

/** A row of a text, and how long the text was before it. */
interface Laid {
  readonly row: Row
  readonly before: number
}

interface Last {
  readonly text: string
  readonly end: number
}

/** A text as it was put together last. */
interface Prose {
  shape: TextShape
  laid: Laid[]
  /** What `continues` looks at of each row but the newest. */
  lasts: Last[]
  out: string
}

/** By the text's first row: a text that grows is read again from its last row on. */
const known = new WeakMap<Row, Prose>()

/**
 * The block's text. A row goes on with the next one when the terminal wrapped it, or when the next row's first word
 * would not have fitted behind it; then the seam is a blank (none within CJK text). Blank rows stay.
 */
export function proseOf(rows: readonly Row[], shape: TextShape): string {
  const [head] = rows
  if (!head) return ''
  let prose = known.get(head)
  if (!prose || !sameShape(prose.shape, shape)) {
    prose = { shape, laid: [], lasts: [], out: '' }
    known.set(head, prose)
  }
  const { laid, lasts } = prose
  let n = 0
  while (n < laid.length && laid[n]?.row === rows[n]) n += 1
  let out = n < laid.length ? prose.out.slice(0, laid[n]?.before) : prose.out
  laid.length = n
  lasts.length = n
  for (; n < rows.length; n += 1) {
    const row = rows[n] as Row
    const last = lasts[n - 1] ?? null
    laid.push({ row, before: out.length })
    const text = cutColumns(row, n === 0 ? shape.first : row.wrapped ? 0 : shape.rest)
    if (last === null) out += text
    else if (row.wrapped) out += blankAtSeam(last.end, text, shape.cols) + text
    else if (continues(last, text, shape.cols - (shape.right ?? 0), shape))
      out += (shape.seam?.(last.text, text) ?? seamOf(last, text, shape)) + text.trimStart()
    else out += `\n${text}`
    // The row's end in columns: what stood free behind it.
    lasts.push({ text, end: row.column(row.text.length) })
  }
  prose.out = out
  return out.trimEnd()
}

const sameShape = (a: TextShape, b: TextShape): boolean =>
  a.cols === b.cols &&
  a.first === b.first &&
  a.rest === b.rest &&
  a.right === b.right &&
  a.verbatim === b.verbatim &&
  a.seam === b.seam

function continues(last: Last, text: string, width: number, shape: TextShape): boolean {
  if (last.text.trim() === '' || text.trim() === '' || OWN_LINE.test(text)) return false
  if (shape.verbatim?.(last.text) || shape.verbatim?.(text)) return false
  const word = /^\s*(\S+)/u.exec(text)?.[1] ?? ''
  const room = width - last.end
  // CJK text parts anywhere, but not before the marks that close a phrase.
  const piece = UNPARTED.exec(word)?.[0]
  if (piece !== undefined && NO_BLANKS.test(piece)) return room < 2 * piece.length + 1
  return wordWidth(word) + 1 > room
}

/** Columns of a word, near enough for the question whether it would have fitted. */
function wordWidth(word: string): number {
  let width = 0
  for (const char of word) width += NO_BLANKS.test(char) ? 2 : 1
  return width
}

/** What takes two columns: where one does not fit, the terminal leaves a blank that is none. */
const WIDE =
  /^[\p{Extended_Pictographic}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u

/** A blank in the last columns of a row that the terminal wrapped was cut from its text. */
const blankAtSeam = (end: number, after: string, cols: number): string =>
  end < cols && !(end === cols - 1 && WIDE.test(after)) ? ' ' : ''

/** What stood between two rows that are one line: a blank, but not within CJK text or a word longer than a row. */
function seamOf({ text: before, end }: Last, after: string, { cols, right = 0, rest }: TextShape): string {
  const width = cols - right
  if (end >= width - 1) {
    const broken = (/\S*$/u.exec(before)?.[0].length ?? 0) + (/^\s*(\S*)/u.exec(after)?.[1]?.length ?? 0)
    if (broken > width - rest) return ''
  }
  return NO_BLANKS.test(before.at(-1) ?? '') && NO_BLANKS.test(after.trimStart()[0] ?? '') ? '' : ' '
}

/** White space folded: what two drawings of one text have in common. */
export const folded = (text: string): string => text.replace(/\s+/gu, ' ').trim()
