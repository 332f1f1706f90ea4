/** @module adapters/claude/look - what Claude Code's colours mean, in whatever theme and palette. Pure. */
import { type Color, type Row, styleAt } from '../../src/adapter/index.js'

/** `default`: the terminal's own colour, which says nothing. */
export type Tone = 'default' | 'text' | 'muted' | 'ok' | 'error' | 'warning' | 'accent'

/** The first 16 colours of a palette: black and white are text in one theme or the other. */
const NAMED: readonly Tone[] = ['text', 'error', 'ok', 'warning', 'accent', 'accent', 'accent', 'text']
const CUBE = [0, 95, 135, 175, 215, 255] as const

/** What a colour stands for: by its hue, so that every theme's green is a success. */
export function toneOf(color: Color): Tone {
  if (color === 'default') return 'default'
  if (typeof color === 'number' && color < 16) return color === 8 ? 'muted' : (NAMED[color % 8] ?? 'default')
  const [r, g, b] = rgb(color)
  const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)]
  if (high - low < 24) return high < 48 || low > 216 ? 'text' : 'muted'
  if (g === high) return g - Math.max(r, b) > 24 ? 'ok' : 'accent'
  if (b === high) return 'accent'
  return g > r * 0.7 && b < g * 0.7 ? 'warning' : 'error'
}

function rgb(color: Color): readonly [number, number, number] {
  if (typeof color === 'string') {
    const n = Number.parseInt(color.slice(1), 16)
    return [(n >> 16) & 255, (n >> 8) & 255, n & 255]
  }
  if (color >= 232) {
    const grey = 8 + (color - 232) * 10
    return [grey, grey, grey]
  }
  const n = color - 16
  return [CUBE[Math.floor(n / 36)] ?? 0, CUBE[Math.floor(n / 6) % 6] ?? 0, CUBE[n % 6] ?? 0]
}

/** `●` at the row's start (`⏺` on macOS): its tone. A call's bullet blinks: then its blank still has the colour. */
export function bulletTone(row: Row): Tone | null {
  if (/^[●⏺][ \u00a0]/u.test(row.text)) return toneOf(row.style(0).fg)
  return /^ {2}\S/u.test(row.text) && toneOf(row.style(0).fg) === 'muted' ? 'muted' : null
}

/** The bold words behind the bullet: a call's name. Empty where there are none. */
export function boldName(row: Row): string {
  let at = 2
  // A blank within the name need not be bold.
  while (at < row.text.length && (styleAt(row, at).bold || (row.text[at] === ' ' && at > 2))) at += 1
  return row.text.slice(2, at).trimEnd()
}
