/** @module scripts/accuracy/likeness - how much two plain texts have in common, 0 to 1. */

/** So alike two texts of one message are at least. */
export const ALIKE = 0.95
/** So alike two texts are of one message at all. */
export const AKIN = 0.5
/** Edits that are counted at most: time grows with their square. */
const MOST_EDITS = 1500

/**
 * `1 - edits / longer length`, where that is at least {@link AKIN} and can be counted; else an estimate by the words
 * they share, which never reaches {@link ALIKE}. Blanks do not count where only a few differ: whether a soft wrap hid
 * one cannot be known in every script.
 * @param {import('./plain.mjs').Plain} a @param {import('./plain.mjs').Plain} b
 */
export function likeness(a, b) {
  if (a.folded === b.folded) return 1
  const blanks = Math.abs(a.folded.length - a.tight.length - (b.folded.length - b.tight.length))
  const few = blanks <= Math.max(2, 0.05 * Math.max(a.tight.length, b.tight.length))
  if (few && a.tight === b.tight) return 1
  return Math.max(ratio(a.folded, b.folded), few ? ratio(a.tight, b.tight) : 0)
}

/** @param {string} a @param {string} b */
function ratio(a, b) {
  const [x, y] = [[...a], [...b]]
  const longer = Math.max(x.length, y.length)
  if (longer === 0) return 1
  const wanted = Math.floor((1 - AKIN) * longer)
  const count = edits(x, y, Math.min(MOST_EDITS, wanted))
  if (count !== null) return 1 - count / longer
  return wanted <= MOST_EDITS ? 0 : Math.min(sharedWords(a, b), ALIKE - 0.01)
}

/**
 * Edit distance by furthest-reaching diagonals: for each number of edits, how far each diagonal can be followed.
 * Null when it is more than `most`. Time: length + most squared.
 * @param {readonly string[]} a @param {readonly string[]} b @param {number} most
 */
export function edits(a, b, most) {
  const goal = b.length - a.length
  if (Math.abs(goal) > most) return null
  // Index: diagonal (column minus row) + middle; value: the rows of `a` that it has reached, -1 for none.
  const middle = most + 2
  let reached = new Int32Array(2 * middle + 1).fill(-1)
  let next = new Int32Array(2 * middle + 1).fill(-1)
  for (let count = 0; count <= most; count += 1) {
    for (let diagonal = -count; diagonal <= count; diagonal += 1) {
      const at = middle + diagonal
      const changed = (reached[at] ?? -1) < 0 ? -1 : (reached[at] ?? -1) + 1
      const removed = (reached[at + 1] ?? -1) < 0 ? -1 : (reached[at + 1] ?? -1) + 1
      const from = count === 0 ? 0 : Math.max(changed, removed, reached[at - 1] ?? -1)
      let row = Math.min(from, a.length, b.length - diagonal)
      if (row < 0 || row + diagonal < 0) row = -1
      else while (row < a.length && row + diagonal < b.length && a[row] === b[row + diagonal]) row += 1
      next[at] = row
    }
    if (next[middle + goal] === a.length) return count
    const spare = reached
    reached = next
    next = spare
  }
  return null
}

/** @param {string} a @param {string} b */
function sharedWords(a, b) {
  const [x, y] = [a.split(' '), b.split(' ')]
  const left = new Map()
  for (const word of x) left.set(word, (left.get(word) ?? 0) + 1)
  let both = 0
  for (const word of y) {
    const more = left.get(word) ?? 0
    if (more > 0) both += 1
    left.set(word, more - 1)
  }
  return both / Math.max(x.length, y.length)
}
