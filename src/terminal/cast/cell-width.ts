/** @module terminal/cast/cell-width - how many cells a character takes, near enough to replace it without a shift. */

/** East Asian wide and emoji blocks (Unicode 11, as the screen counts). */
const WIDE =
  /[\u1100-\u115f\u231a\u231b\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f004}\u{1f0cf}\u{1f18e}\u{1f191}-\u{1f19a}\u{1f200}-\u{1f265}\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u
const NONE = /[\p{Mn}\p{Me}\u200b-\u200f\u2060-\u2064\ufeff]/u

/** 0, 1 or 2 cells. */
export function cellWidth(char: string): 0 | 1 | 2 {
  if (char >= ' ' && char < '\x7f') return 1
  if (NONE.test(char)) return 0
  return WIDE.test(char) ? 2 : 1
}
