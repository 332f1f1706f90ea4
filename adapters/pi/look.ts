/** @module pi/look - what the colours and gaps of Pi's transcript mean. Pure. */
import {
  type CellStyle,
  type Color,
  firstStyle,
  isBlank,
  type Row,
  type RowPlace,
  styleAt,
} from '../../src/adapter/index.js'

export type Tone = 'plain' | 'red' | 'yellow' | 'green' | 'grey' | 'other'

/** What a foreground stands for, by its hue: themes differ. */
export function toneOf(color: Color): Tone {
  if (color === 'default') return 'plain'
  const [r, g, b] = rgb(color)
  const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)]
  if (high - low < 24) return low > 190 || high < 40 ? 'plain' : 'grey'
  if (r === high && g - b > 60 && b < r * 0.6) return 'yellow'
  if (r === high && g < r * 0.7) return b < r * 0.8 ? 'red' : 'other'
  return g === high && g - r > 24 && g - b > 10 ? 'green' : 'other'
}

const NAMED: readonly (readonly [number, number, number])[] = [
  [0, 0, 0],
  [200, 0, 0],
  [0, 200, 0],
  [200, 200, 0],
  [0, 0, 200],
  [200, 0, 200],
  [0, 200, 200],
  [200, 200, 200],
  [128, 128, 128],
]
const CUBE = [0, 95, 135, 175, 215, 255] as const

function rgb(color: Color): readonly [number, number, number] {
  if (typeof color === 'string' && color !== 'default') {
    const n = Number.parseInt(color.slice(1), 16)
    return [(n >> 16) & 255, (n >> 8) & 255, n & 255]
  }
  const value = typeof color === 'number' ? color : 7
  if (value < 16) return NAMED[value === 8 ? 8 : value % 8] ?? [0, 0, 0]
  if (value >= 232) {
    const grey = 8 + (value - 232) * 10
    return [grey, grey, grey]
  }
  const n = value - 16
  return [CUBE[Math.floor(n / 36)] ?? 0, CUBE[Math.floor(n / 6) % 6] ?? 0, CUBE[n % 6] ?? 0]
}

/** Whether a box's background is reddish: a call that failed. */
export function failedBackground(row: Row): boolean {
  const { bg } = row.style(0)
  if (bg === 'default') return false
  const [r, g, b] = rgb(bg)
  return r > g + 8 && r > b + 8
}

/** A line of the program's own in this tone; bold ones are headings, which share the colour of warnings. */
export const isToned = (row: Row, tone: Tone): boolean => {
  const { bold, fg } = firstStyle(row)
  return !bold && toneOf(fg) === tone
}

export const isPlain = (row: Row): boolean =>
  !firstStyle(row).dim && !isToned(row, 'red') && !isToned(row, 'yellow')

export const isMuted = (row: Row): boolean => {
  const { dim, fg } = firstStyle(row)
  return dim || toneOf(fg) === 'grey'
}

/** A thought is italic, and dim or in a colour of its own; italic words of an answer have the text's colour. */
export const ofThought = (style: CellStyle): boolean => style.italic && (style.dim || style.fg !== 'default')

export const isThought = (row: Row): boolean => ofThought(firstStyle(row))

/** What is grey from its first letter on is the program's own; only fences, quotes and rules of an answer begin so. */
const FENCE = /^ (?:```|│|─)/u
export const isFence = (row: Row): boolean => FENCE.test(row.text)

/** A fence, a quote or a rule: it looks the same in a thought and in an answer. */
export const isQuoted = (row: Row): boolean => isFence(row) && isMuted(row)

/** A row of a thought that begins with a mark of its own: a list's, a word of code, a table's line. */
export function hasThought(row: Row): boolean {
  for (let at = 0; at < row.text.length; at += 1)
    if (row.text[at] !== ' ' && ofThought(styleAt(row, at))) return true
  return false
}

/** Blank rows between the open block and this row; null at the head of what is shown. */
export function gapAbove({ open, above }: RowPlace): number | null {
  if (!open) return above === null ? null : isBlank(above) ? 2 : 1
  let gap = 0
  while (gap < open.rows.length && isBlank(open.rows[open.rows.length - 1 - gap] as Row)) gap += 1
  return gap
}
