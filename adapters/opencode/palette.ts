/**
 * @module opencode/palette - what the colours of a screen mean. Themes differ, so the meanings are learnt from furniture
 * that every screen has; rules then ask for a meaning and never for a colour. Pure.
 */
import type { CellStyle, Color, ScreenView } from '../../src/adapter/index.js'

/** Meanings, written as palette indexes: OpenCode itself draws in true colour alone. */
export const PAGE = 0
export const WARNING = 3
export const TEXT = 7
export const MUTED = 8

/** Colours of a screen; null where nothing told. */
export interface Palette {
  /** Behind everything. */
  readonly page: Color
  readonly text: Color | null
  readonly muted: Color | null
  /** Bar of a waiting permission, and the call that waits for it. */
  readonly warning: Color | null
}

/** Hints: a key that is drawn as text, and words that are muted. */
const HINTS = [
  ['ctrl+p', 'commands'],
  ['enter', 'confirm'],
  ['⇆', 'select'],
  ['enter', 'submit'],
  ['enter', 'toggle'],
  ['esc', 'dismiss'],
  ['esc', 'cancel'],
] as const
/** Most rows from the bottom that can hold a hint. */
const HINT_ROWS = 8

/** Learns the meanings; the lowest hint counts. `warning`: the bar colour of a permission panel. */
export function learnPalette(screen: ScreenView, warning: Color | null): Palette {
  const page = screen.style(0, 0).bg
  for (let y = screen.rows - 1; y >= Math.max(0, screen.rows - HINT_ROWS); y -= 1) {
    const row = screen.row(y)
    if (row.text === '') continue
    for (const [key, word] of HINTS) {
      const at = row.text.lastIndexOf(key)
      if (at < 0) continue
      const text = row.style(row.column(at)).fg
      const muted = colorOfWord(screen, y, at, key, word)
      if (muted !== null && text !== muted) return { page, text, muted, warning }
    }
  }
  return { page, text: null, muted: null, warning }
}

/** Colour of the word that a hint's key has behind it, or below it where the screen is narrow. */
function colorOfWord(screen: ScreenView, y: number, at: number, key: string, word: string): Color | null {
  const row = screen.row(y)
  if (row.text.startsWith(` ${word}`, at + key.length)) return row.style(row.column(at + key.length + 1)).fg
  if (y + 1 >= screen.rows) return null
  const below = screen.row(y + 1)
  const found = below.text.lastIndexOf(word)
  const under = found >= 0 && below.column(found) === row.column(at)
  return under ? below.style(below.column(found)).fg : null
}

/** Whether colours mean the same on both. */
export const samePalette = (a: Palette, b: Palette): boolean =>
  a === b || (a.page === b.page && a.text === b.text && a.muted === b.muted && a.warning === b.warning)

/** The style with colours by their meaning. */
export function byMeaning(style: CellStyle, palette: Palette): CellStyle {
  const fg = meaning(style.fg, palette)
  const bg = style.bg === palette.page ? PAGE : style.bg
  return fg === style.fg && bg === style.bg ? style : { ...style, fg, bg }
}

function meaning(color: Color, palette: Palette): Color {
  if (color === palette.text) return TEXT
  if (color === palette.muted) return MUTED
  if (color === palette.warning) return WARNING
  return color === palette.page ? PAGE : color
}
