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

/** Words of a cell. */
export const WORDS = 3
const COMBINED = 1 << 21
const CODE_POINT = 0x1fffff
/** A code point or a combined character. */
const WRITTEN = 0x3fffff
const WIDTH_SHIFT = 22
/** What of the two colour words a {@link CellStyle} tells: not blink, overline, protection and what extends them. */
const FG_SHOWN = ~0x20000000
const BG_SHOWN = 0x0fffffff

const BLANK = 0x20
/** Width 1, one code unit: a content word without its low eight or sixteen bits. */
const NARROW = 1 << WIDTH_SHIFT
const NOT_BYTE = ~0xff
const NOT_UNIT = ~0xffff
/** The row that is being read: its bytes or UTF-16 units, and the column of each unit. */
let units = new Uint16Array(1024)
let unitBytes = Buffer.from(units.buffer)
let bytes = Buffer.alloc(1024)
let unitColumns = new Uint16Array(1024)
/** The runs that are being read. */
const runEnds: number[] = []
const runStyles: CellStyle[] = []
let newest: StyleRuns = { ends: [], styles: [] }

/** Different styles that are kept; a program that makes more starts the list anew. */
const KEPT_STYLES = 4096
const styles = new Map<number, Map<number, CellStyle>>()
let styleCount = 0
/** The styles that were asked for last, by a hash of their words: two maps would be asked for each run. */
const RECENT = 256
const recentFg = new Int32Array(RECENT)
const recentBg = new Int32Array(RECENT)
const recentStyles: CellStyle[] = new Array<CellStyle>(RECENT).fill(PLAIN_STYLE)

const colorOf = (word: number): Color => {
  const mode = (word >>> 24) & 3
  if (mode === 0) return 'default'
  return mode === 3 ? `#${(word & 0xffffff).toString(16).padStart(6, '0')}` : word & 0xff
}

/** The style of two words; the same object for the same words while few styles are used. */
export function styleOf(fg: number, bg: number): CellStyle {
  const slot = (Math.imul(fg, 31) ^ Math.imul(bg, 0x9e3779b1) ^ (fg >>> 15)) & (RECENT - 1)
  if (recentFg[slot] === fg && recentBg[slot] === bg) return recentStyles[slot] as CellStyle
  const style = styles.get(fg)?.get(bg) ?? newStyle(fg, bg)
  recentFg[slot] = fg
  recentBg[slot] = bg
  recentStyles[slot] = style
  return style
}

function newStyle(fg: number, bg: number): CellStyle {
  if (fg === 0 && bg === 0) return PLAIN_STYLE
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
  let count = 0
  for (let x = 1, at = WORDS; x < length; x++, at += WORDS) {
    const nextFg = (data[at + 1] as number) & FG_SHOWN
    const nextBg = (data[at + 2] as number) & BG_SHOWN
    if (nextFg === fg && nextBg === bg) continue
    runEnds[count] = x
    runStyles[count++] = styleOf(fg, bg)
    fg = nextFg
    bg = nextBg
  }
  if (count === 0 && fg === 0 && bg === 0) return null
  runEnds[count] = length
  runStyles[count++] = styleOf(fg, bg)
  // Rows are kept: one in the look of the row before shares its runs, and copies are as long as they must be.
  if (!asBefore(count)) newest = { ends: runEnds.slice(0, count), styles: runStyles.slice(0, count) }
  return newest
}

function asBefore(count: number): boolean {
  const { ends, styles } = newest
  if (ends.length !== count) return false
  for (let n = 0; n < count; n++) if (ends[n] !== runEnds[n] || styles[n] !== runStyles[n]) return false
  return true
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
  while (used > units.length) grow()
  let shown = 0
  for (let x = 0, at = 0; x < used; x++, at += WORDS) {
    const content = data[at] as number
    if ((content & NOT_BYTE) !== NARROW) return rowOfUnits(data, combined, used, length, wrapped, runs)
    const unit = content & 0xff || BLANK
    bytes[x] = unit
    if (unit !== BLANK) shown = x + 1
  }
  const text = bytes.toString('latin1', 0, shown)
  return new ScreenRow(text, used - shown, wrapped, length, null, runs)
}

/** A row some of whose characters are beyond Latin 1. */
function rowOfUnits(
  data: Uint32Array,
  combined: Readonly<Record<number, string>>,
  used: number,
  length: number,
  wrapped: boolean,
  runs: StyleRuns | null,
): ScreenRow {
  let shown = 0
  for (let x = 0, at = 0; x < used; x++, at += WORDS) {
    const content = data[at] as number
    if ((content & NOT_UNIT) !== NARROW) return rowOfClusters(data, combined, used, length, wrapped, runs)
    const unit = content & 0xffff || BLANK
    units[x] = unit
    if (unit !== BLANK) shown = x + 1
  }
  return new ScreenRow(textOf(shown), used - shown, wrapped, length, null, runs)
}

/** A row some of whose characters are not one unit in one cell. */
function rowOfClusters(
  data: Uint32Array,
  combined: Readonly<Record<number, string>>,
  used: number,
  length: number,
  wrapped: boolean,
  runs: StyleRuns | null,
): ScreenRow {
  let count = 0
  let shown = 0
  for (let x = 0; x < used; ) {
    const content = data[x * WORDS] as number
    const code = content & CODE_POINT
    const text = (content & COMBINED) !== 0 ? (combined[x] ?? '') : ''
    const size = text.length || (code > 0xffff ? 2 : 1)
    while (count + size > units.length) grow()
    for (let n = 0; n < size; n++) {
      const unit = text === '' ? unitOf(code, n) : text.charCodeAt(n)
      unitColumns[count] = x
      units[count++] = unit
      if (unit !== BLANK) shown = count
    }
    x += content >>> WIDTH_SHIFT || 1
  }
  return new ScreenRow(textOf(shown), count - shown, wrapped, length, columnsOf(shown), runs)
}

/** The units of a code point, by their number. */
function unitOf(code: number, n: number): number {
  if (code <= 0xffff) return code || BLANK
  return n === 0 ? 0xd7c0 + (code >> 10) : 0xdc00 | (code & 0x3ff)
}

const textOf = (shown: number): string => unitBytes.toString('utf16le', 0, shown * 2)

/** The column of each unit, and the one behind the last. */
function columnsOf(shown: number): Uint16Array {
  const columns = unitColumns.slice(0, shown + 1)
  columns[shown] = shown === 0 ? 0 : (columns[shown - 1] as number) + 1
  return columns
}
