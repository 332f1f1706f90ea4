/** @module adapters/copilot/head - the first row of a block: mark, bold title, what stands behind it. Pure. */
import { type Color, firstStyle, type Row, styleAt } from '../../src/adapter/index.js'

export interface Head {
  /** `●`, `❯`, `$`, `✗` ..; a file's badge (`PY`) where the row has one. */
  readonly mark: string
  readonly color: Color
  readonly badge: boolean
  /** Index of the text behind the mark. */
  readonly at: number
  /** The text's bold beginning, the name of a tool. */
  readonly title: string
  /** What follows the title, without the time at the right edge. */
  readonly rest: string
  /** Nothing is told of the input: two blanks, then what the call came to. */
  readonly bare: boolean
  /** The part of it in the mark's colour, red behind a badge: what went wrong. */
  readonly wrong: string
  readonly italic: boolean
}

/** How long a call has taken, at the right edge. */
const TOOK = /\s{2,}(?:\d+(?:\.\d+)?(?:h|m|s|ms) ?)+$/u

/** Everything that a block says stands further right: a row with one blank before it begins a block. */
const HEAD = /^ ([^\s│└├])/u

export const isHead = (row: Row): boolean => HEAD.test(row.text)

/** The row as the head of a block, or null. */
export function headOf(row: Row): Head | null {
  if (!isHead(row)) return null
  const { bold, fg } = firstStyle(row)
  const found = (bold ? /^ (\S{1,2}) {1,2}(?=\S)/u : /^ (\S\uFE0F?) (?=\s*\S)/u).exec(row.text)
  if (!found) return null
  const at = found[0].length
  const text = row.text.replace(TOOK, '')
  let end = at
  for (let n = at; n < text.length; n += 1) {
    if (text[n] === ' ') continue
    if (!styleAt(row, n).bold) break
    end = n + 1
  }
  let wrong = ''
  for (let n = end; n < text.length; n += 1) {
    const color = styleAt(row, n).fg
    const same = bold ? isRed(color) : color === fg
    if (same || (text[n] === ' ' && wrong !== '')) wrong += text[n]
    else if (text[n] !== ' ') wrong = ''
  }
  return {
    mark: found[1] ?? '',
    color: fg,
    badge: bold,
    at,
    title: text.slice(at, end),
    rest: text.slice(end).trim(),
    bare: /^ {2}/u.test(text.slice(end)),
    wrong: (fg === 'default' && !bold) || REMOVED.test(wrong) ? '' : wrong.trim(),
    italic: styleAt(row, at).italic,
  }
}

/** Lines that an edit took away: red, and nothing wrong. */
const REMOVED = /^\s*-\d+\s*$/u

function isRed(color: Color): boolean {
  if (typeof color === 'number') return color === 1 || color === 9
  const [r, g, b] = rgb(color)
  return r > g * 1.4 && r > b * 1.4
}

/** The colour of what went well: a text's mark never has it, but for themes that draw a mode in it. */
export function isGreen(color: Color): boolean {
  if (typeof color === 'number') return color === 2 || color === 10
  const [r, g, b] = rgb(color)
  return g > r * 1.2 && g > b * 1.2
}

function rgb(color: string): readonly [number, number, number] {
  const hex = /^#(..)(..)(..)$/u.exec(color)?.slice(1) ?? []
  const [r = 0, g = 0, b = 0] = hex.map((part) => Number.parseInt(part, 16))
  return [r, g, b]
}
