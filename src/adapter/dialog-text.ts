/**
 * @module adapter/dialog-text - what a dialog says that is drawn as rows within a frame: its question, and what tells it
 * from another one however wide the screen is. Pure.
 */
import type { Dialog } from './reading.js'

/** Wide labels are cut on a narrow screen: so many letters tell them. */
const LABEL = 24
/** Columns that frames take. */
const FRAMES = 8
/** Rows of a question above its last one. */
const MOST_ROWS = 4

/** Same dialog, same fingerprint: of the rows of its question, and its options. */
export function fingerprintOf(asked: readonly string[], options: Dialog['options']): string {
  return JSON.stringify([withoutBreaks(asked), options.map((o) => [o.key, o.label.slice(0, LABEL)])])
}

/** The question that stands last among trimmed rows, whole; else the first row. A mark before a call is cut. */
export function questionOf(rows: readonly string[], cols: number): string {
  const last = rows.findLastIndex((row) => row.endsWith('?') && !/^\? /u.test(row))
  if (last < 0) return (rows.find((row) => row !== '') ?? '').replace(/^[?>] /u, '')
  let from = last
  while (from > 0 && last - from < MOST_ROWS && goesOn(rows[from - 1] ?? '', rows[from] ?? '', cols))
    from -= 1
  return rows.slice(from, last + 1).join(' ')
}

/** Rows as one line, without the frames around and within them. */
function withoutBreaks(rows: readonly string[]): string {
  const words = rows.map((row) => row.replace(/^│|│$/gu, '').trim())
  return words
    .filter((row) => !/^[╭╰┌└─]/u.test(row))
    .join(' ')
    .replace(/\s+/gu, ' ')
}

/** Whether a row was wrapped into the next: its first word had no room behind it. */
function goesOn(above: string, row: string, cols: number): boolean {
  const word = /^\S*/u.exec(row)?.[0] ?? ''
  return above !== '' && !/[?:]$/u.test(above) && above.length + 1 + word.length > cols - FRAMES
}
