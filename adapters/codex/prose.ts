/** @module codex/prose - texts that Codex wrapped into rows, as the lines that were written. Pure. */
import { cutColumns, proseOf, type Row } from '../../src/adapter/index.js'

/** Codex breaks lines where Unicode allows it: behind a hyphen or a slash, before a backslash; no blank is lost there. */
const BREAKS_BEHIND = /[\p{L}\d][-/]$/u

/** What stood between two rows of one line. */
export function seam(row: string, next: string): string {
  const [before, after] = [row.trimEnd(), next.trimStart()]
  if (BREAKS_BEHIND.test(before)) return ''
  if (after.startsWith('\\') && /\S$/u.test(before)) return ''
  // A path that goes on: only one that began with a slash is broken before one.
  return after.startsWith('/') && /\/\S*$/u.test(before)
    ? ''
    : CJK.test(before.at(-1) ?? '') && CJK.test(after[0] ?? '')
      ? ''
      : ' '
}

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/u

/** Two rows of one line. */
export const joined = (before: string, after: string): string => before + seam(before, after) + after

/** Lines of a cell's text: two columns are cut from its rows; `right` columns are left free. */
export function textOf(rows: readonly Row[], cols: number, right = 0): string {
  return proseOf(rows, {
    cols,
    first: 2,
    rest: 2,
    right,
    seam,
  })
}

/** One line that was wrapped over all these rows (a command, an error). */
export function lineOf(rows: readonly Row[], first: number, rest: number): string {
  return rows
    .map((row, n) => cutColumns(row, n === 0 ? first : rest).trim())
    .reduce(joined)
    .trim()
}
