/**
 * @module opencode/late - how long an idle screen must stay as it is. The program says that it is done, and may paint the
 * end of an answer up to a second later; some rows it paints only when something else changes. Pure.
 */
import type { ScreenView } from '../../src/adapter/index.js'
import { type ComposerBox, conversationEdge, textWithin } from './layout.js'
import { BAR_AT } from './rows.js'

/** Milliseconds for a screen on which nothing seems to be missing, and for one that looks half painted. */
const USUAL_MS = 1000
const HALF_MS = 3000

const FOOTER = /^ {5}▣ {2}\S/u
/** A quote's bar or an item's mark without its words. */
const BARE_MARK = /^ {5,}(?:│|[-•]|\d+\.)$/u
/** A line that may have been cut within a sentence, if it is long. */
const OPEN_END = /[\p{L},]$/u

/** Milliseconds after which what stands above the composer counts as whole. */
export function quietFor(screen: ScreenView, box: ComposerBox): number {
  const rows = answerRows(screen, box)
  // Blank rows never stand together but in code.
  if (rows.some((row, n) => BARE_MARK.test(row) || (row === '' && rows[n + 1] === ''))) return HALF_MS
  const last = rows.findLast((row) => row !== '') ?? ''
  const long = last.length * 2 > conversationEdge(screen)
  return long && OPEN_END.test(last) ? HALF_MS : USUAL_MS
}

/** Rows between the last block with a bar and the footer of the answer. */
function answerRows(screen: ScreenView, { top }: ComposerBox): string[] {
  const edge = conversationEdge(screen)
  let y = top - 1
  while (y >= 0 && textWithin(screen, y, edge) === '') y -= 1
  if (y < 0 || !FOOTER.test(screen.text(y))) return []
  const rows: string[] = []
  for (y -= 1; y >= 0; y -= 1) {
    const text = textWithin(screen, y, edge)
    if (text[BAR_AT] === '┃') break
    rows.unshift(text)
  }
  return rows
}
