/**
 * @module A row of the emulator, from its words to what a reader asks for: text, columns, styles. This is where a
 * frame's time goes, so it makes two passes over the cells, allocates what it keeps and nothing else.
 *
 * Layout of a cell in xterm 6, three words:
 *   content     width << 22 | combined << 21 | code point; 0 code point: never written
 *   foreground  strike 31, invisible 30, blink 29, underline 28, bold 27, inverse 26 | mode 25..24 | colour 23..0
 *   background  overline 30, protected 29, extended 28, dim 27, italic 26 | mode 25..24 | colour 23..0
 */
import { ScreenRow, type StyleRuns } from './screen-row.js'
import { type CellStyle, type Color, PLAIN_STYLE } from './screen-types.js'

const WORDS = 3
const COMBINED = 1 << 21
const CODE_POINT = 0x1fffff
/** A code point or a combined character. */
const WRITTEN = 0x3fffff
const WIDTH_SHIFT = 22
/** What of the two colour words a {@link CellStyle} tells: not blink, overline, protection and what extends them. */
const FG_SHOWN = ~0x20000000
const BG_SHOWN = 0x0fffffff

const BLANK = 0x20
/** Characters beside their cells that one cell may have; longer clusters are read the slow way. */
let units = new Uint16Array(1024)
let unitBytes = Buffer.from(units.buffer)
let bytes = Buffer.alloc(1024)
let unitColumns = new Uint16Array(1024)

/** Different styles that are kept; a program that makes more starts the list anew. */
const KEPT_STYLES = 4096
const styles = new Map<number, Map<number, CellStyle>>()
let styleCount = 0

const colorOf = (word: number): Color => {
  const mode = (word >>> 24) & 3
  if (mode === 0) return 'default'
  return mode === 3 ? `#${(word & 0xffffff).toString(16).padStart(6, '0')}` : word & 0xff
}

/** The style of two words; the same object for the same words while few styles are used. */
export function styleOf(fg: number, bg: number): CellStyle {
  if (fg === 0 && bg === 0) return PLAIN_STYLE
  const known = styles.get(fg)?.get(bg)
  if (known !== undefined) return known
  const style: CellStyle = {
    fg: colorOf(fg),
    bg: colorOf(bg),
    inverse: (fg & 0x4000000) !== 0,
    bold: (fg & 0x8000000) !== 0,
    underline: (fg & 0x10000000) !== 0,
    invisible: (fg & 0x40000000) !== 0,
    strikethrough: (fg & 0x80000000) !== 0,
    italic: (bg & 0x4000000) !== 0,
    dim: (bg & 0x8000000) !== 0,
  }
  if (++styleCount > KEPT_STYLES) {
    styles.clear()
    styleCount = 1
  }
  const ofForeground = styles.get(fg) ?? new Map<number, CellStyle>()
  styles.set(fg, ofForeground.set(bg, style))
  return style
}

/** Neighbouring cells of one look; null where the whole row is plain. */
function runsOf(data: Uint32Array, length: number): StyleRuns | null {
  let fg = (data[1] ?? 0) & FG_SHOWN
  let bg = (data[2] ?? 0) & BG_SHOWN
  let ends: number[] | null = null
  let looks: CellStyle[] | null = null
  for (let x = 1, at = WORDS; x < length; x++, at += WORDS) {
    const nextFg = (data[at + 1] as number) & FG_SHOWN
    const nextBg = (data[at + 2] as number) & BG_SHOWN
    if (nextFg === fg && nextBg === bg) continue
    ends ??= []
    looks ??= []
    ends.push(x)
    looks.push(styleOf(fg, bg))
    fg = nextFg
    bg = nextBg
  }
  const last = styleOf(fg, bg)
  if (ends === null || looks === null) return last === PLAIN_STYLE ? null : { ends: [length], styles: [last] }
  ends.push(length)
  looks.push(last)
  return { ends, styles: looks }
}

function grow(): void {
  units = Uint16Array.from({ length: units.length * 2 }, (_, n) => units[n] ?? 0)
  unitBytes = Buffer.from(units.buffer)
  unitColumns = Uint16Array.from({ length: units.length }, (_, n) => unitColumns[n] ?? 0)
  const more = Buffer.alloc(units.length)
  bytes.copy(more)
  bytes = more
}

/**
 * Reads a row.
 * @param data the row's words; not kept @param combined what stands in cells that hold more than a code point
 */
export function rowOfWords(
  data: Uint32Array,
  combined: Readonly<Record<number, string>>,
  length: number,
  wrapped: boolean,
): ScreenRow {
  const runs = runsOf(data, length)
  let used = length
  while (used > 0 && ((data[(used - 1) * WORDS] as number) & WRITTEN) === 0) used--
  if (used === 0) return new ScreenRow('', '', wrapped, length, null, runs)
  let count = 0
  /** UTF-16 units up to the last that is no blank. */
  let shown = 0
  let every = 0
  let plain = true
  for (let x = 0; x < used; ) {
    const content = data[x * WORDS] as number
    const width = content >>> WIDTH_SHIFT
    const code = content & CODE_POINT
    if (width !== 1 || (content & COMBINED) !== 0 || code > 0xffff) {
      plain = false
      const text = (content & COMBINED) !== 0 ? (combined[x] ?? '') : String.fromCodePoint(code || BLANK)
      while (count + text.length > units.length) grow()
      for (let n = 0; n < text.length; n++) {
        const unit = text.charCodeAt(n)
        every |= unit
        unitColumns[count] = x
        bytes[count] = unit
        units[count++] = unit
        if (unit !== BLANK) shown = count
      }
      x += width || 1
      continue
    }
    const unit = code || BLANK
    if (count === units.length) grow()
    every |= unit
    unitColumns[count] = x
    bytes[count] = unit
    units[count++] = unit
    if (unit !== BLANK) shown = count
    x++
  }
  const full =
    every < 0x100 ? bytes.toString('latin1', 0, count) : unitBytes.toString('utf16le', 0, count * 2)
  const text = shown === count ? full : full.slice(0, shown)
  return new ScreenRow(full, text, wrapped, length, plain ? null : columnsOf(shown), runs)
}

/** The column of each unit, and the one behind the last. */
function columnsOf(shown: number): Uint16Array {
  const columns = unitColumns.slice(0, shown + 1)
  columns[shown] = shown === 0 ? 0 : (columns[shown - 1] as number) + 1
  return columns
}
