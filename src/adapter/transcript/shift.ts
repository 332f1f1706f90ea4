/**
 * @module adapter/transcript/shift - how far a window of rows moved over rows that are known: by rows in order, never
 * by a set of rows. Pure.
 */
import type { Row } from '../row.js'

export type Shift =
  /** The window's first row is known row `at`; what differs behind is new. */
  | { readonly kind: 'at'; readonly at: number }
  /** Everything stands within what is known, above its end: somebody scrolled back. */
  | { readonly kind: 'inside'; readonly at: number }
  /** Nothing in common. */
  | { readonly kind: 'none' }

/** A row of marks and blanks stands anywhere: it is no evidence. */
const says = (row: Row): boolean => /[\p{L}\p{N}]/u.test(row.text)

/** What a match, an edit in place and a row that only grew are worth. */
const MATCH = 1
const BLANK = 0.1
const GROWN = -0.2
const EDIT = -1
/** So many rows that say something are no accident. */
const SURE = 3
/** A tie is won by the smaller move. */
const PER_ROW = 0.001

/**
 * @param known rows so far @param top where the window stood among them @param window the rows now
 * @param most most of the window must stand in what is known: the program may be drawing for another size
 */
export function shiftOf(known: readonly Row[], top: number, window: readonly Row[], most: boolean): Shift {
  if (window.length === 0 || known.length === 0) return { kind: 'none' }
  const stay = weigh(known, top, window)
  // Nothing was edited: the same window, longer rows or more rows at its end.
  if (stay.matches > 0 && stay.edits === 0) return settle(known, top, window)
  let best = { at: top, score: stay.matches > 0 ? stay.score : 0 }
  // Rows can come to light above the first known one.
  for (let at = top < window.length ? 1 - window.length : 0; at < known.length; at += 1) {
    if (at === top) continue
    const { matches, score } = weigh(known, at, window)
    const worth = score - PER_ROW * Math.abs(at - top)
    if (matches > 0 && worth > best.score) best = { at, score: worth }
  }
  if (best.at < top) best = onwards(known, top, window) ?? best
  const few = most && weigh(known, best.at, window).matches * 2 < window.filter(says).length
  // More was edited than stayed: no shift explains that.
  if (best.score <= 0 || few) {
    return !window.some(says) || !known.slice(top).some(says) ? { kind: 'at', at: top } : { kind: 'none' }
  }
  return settle(known, headOf(known, best.at, window), window)
}

/** Turns that are alike: a window moves on rather than back, where that explains all of it that is known. */
function onwards(known: readonly Row[], top: number, window: readonly Row[]) {
  for (let at = top + 1; at + window.length / 2 <= known.length; at += 1) {
    const { matches, edits, score } = weigh(known, at, window)
    if (edits === 0 && matches >= SURE) return { at, score }
  }
  return null
}

function settle(known: readonly Row[], at: number, window: readonly Row[]): Shift {
  const inside =
    at + window.length < known.length && window.every((row, n) => known[at + n]?.text === row.text)
  return { kind: inside ? 'inside' : 'at', at }
}

function weigh(known: readonly Row[], at: number, window: readonly Row[]) {
  let score = 0
  let matches = 0
  let edits = 0
  let below = 0
  for (let n = Math.max(0, -at); n < window.length && at + n < known.length; n += 1) {
    const old = known[at + n] as Row
    const row = window[n] as Row
    if (old.text === row.text) {
      if (says(row)) {
        score += MATCH
        matches += 1
        below = 0
      } else score += BLANK
    } else if (row.text.startsWith(old.text)) score += GROWN
    else {
      score += EDIT
      edits += 1
      below += 1
    }
  }
  // What stands below all that stayed is where a program writes.
  score += (below * -EDIT) / 2
  return { score, matches, edits }
}

/**
 * Where rows were folded away or opened in the middle, what stands above them moved by another distance than what
 * stands below. The window begins where its head belongs.
 */
function headOf(known: readonly Row[], at: number, window: readonly Row[]): number {
  let head = 0
  while (head < window.length) {
    const row = window[head] as Row
    // A row of marks and blanks matches anywhere.
    if (says(row) && known[at + head]?.text === row.text) break
    head += 1
  }
  const rows = window.slice(0, head).filter(says).length
  if (rows < 2) return at
  let best = { at, matches: rows / 2 }
  for (let other = 0; other < at; other += 1) {
    let matches = 0
    for (let n = 0; n < head; n += 1) {
      const row = window[n] as Row
      if (says(row) && known[other + n]?.text === row.text) matches += 1
    }
    if (matches > best.matches) best = { at: other, matches }
  }
  return best.at
}
