/**
 * @module adapters/gemini/leftover - what a narrower screen leaves of an earlier drawing: rows that the terminal broke
 * anew are more than the program clears, so the top of its old live part stays above the new one. Pure.
 */
import { isBlank, type Row, type RowPlace } from '../../src/adapter/index.js'

/** The rule between status and mode line; an answer's own rules are indented. */
const RULE = /^─{10,}$/u
const SPINNER = /^ ?[⠀-⣿] \S/u
const SHORTCUTS = /^( *)\? for shortcuts$/u
/** The hint stands at the right; so far from the left no answer begins a line with it. */
const FAR = 8
const EDGE = /^[▄▀]{10,}$/u
/** The mode line and the footer; below them nothing of an answer stands so far left. */
const ONE_BLANK = /^ \S/u
/** An empty input box: its text begins two columns further in than a prompt's. */
export const EMPTY_BOX = /^ [>*!] {2,3}(?:Type your (?:message or|shell command)|Press '(?:Esc|i)' for )/u
const ANSWER = /^✦ /u
/** So many characters at the start tell that two answers are one. */
const ALIKE = 12

function begins(row: Row): boolean {
  const { text } = row
  if (RULE.test(text) || SPINNER.test(text)) return true
  const far = SHORTCUTS.exec(text)?.[1]
  return far !== undefined && (row.wrapped || far.length >= FAR)
}

const goesOn = ({ text }: Row): boolean =>
  EMPTY_BOX.test(text) || (ONE_BLANK.test(text) && !/^ [>$] /u.test(text)) || EDGE.test(text)

/** Which of a block's rows are left of an old status, input box and footer. */
export function leftoverRows(rows: readonly Row[]): readonly boolean[] {
  let inside = false
  return rows.map((row) => {
    if (isBlank(row)) return inside
    inside = begins(row) || (inside && (row.wrapped || goesOn(row)))
    return inside
  })
}

/** Whether the row above belongs to such a leftover. */
export const belowLeftover = (open: RowPlace['open']): boolean =>
  open !== null && leftoverRows(open.rows).at(-1) === true

/** Whether a row that is not indented belongs to a leftover below the open block. */
export const isLeftover = (row: Row, open: RowPlace['open']): boolean =>
  begins(row) || (goesOn(row) && belowLeftover(open))

/** Whether an answer's first row is the open answer, drawn once more below what is left of it. */
export function isDrawnAgain(row: Row, open: RowPlace['open']): boolean {
  const head = open?.rows[0]
  if (!head || !ANSWER.test(row.text) || !ANSWER.test(head.text)) return false
  if (belowLeftover(open)) return true
  const [short, long] = row.text.length < head.text.length ? [row.text, head.text] : [head.text, row.text]
  return short.length >= ALIKE && long.startsWith(short)
}

/** The parts of an answer that were drawn one after the other; each begins anew or within the one before. */
export function drawings(rows: readonly Row[]): readonly (readonly Row[])[] {
  const left = leftoverRows(rows)
  const parts: Row[][] = [[]]
  rows.forEach((row, n) => {
    if (left[n]) {
      if (parts.at(-1)?.length !== 0) parts.push([])
      return
    }
    // Its head stands here again: what was drawn before is of no use.
    if (n > 0 && !row.wrapped && ANSWER.test(row.text)) parts.splice(0, parts.length, [])
    parts.at(-1)?.push(row)
  })
  return parts.filter((part) => part.some((row) => !isBlank(row)))
}

/** Joins a text with a later drawing of its end, which may begin with what the text ends with. */
export function joined(text: string, later: string): string {
  const packed = later.replace(/\s+/gu, '')
  let at = 0
  for (const line of text.split('\n')) {
    const tail = text.slice(at).replace(/\s+/gu, '')
    // The first place is the longest overlap.
    if (line.trim() !== '' && (packed.startsWith(tail) || tail.startsWith(packed)))
      return text.slice(0, at) + later
    at += line.length + 1
  }
  return `${text}\n${later}`
}
