/**
 * @module Reading cells out of xterm's buffer, by its public API.
 */
import type { IBuffer, IBufferCell } from '@xterm/headless'
import { EMPTY_ROW, ScreenRow, sameStyle } from './screen-row.js'
import { type CellStyle, type Color, type LogicalLine, PLAIN_STYLE, type StyledRun } from './screen-types.js'

const color = (value: number, isRgb: boolean, isPalette: boolean): Color => {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`
  return isPalette ? value : 'default'
}

const styleOfCell = (cell: IBufferCell): CellStyle =>
  cell.isAttributeDefault()
    ? PLAIN_STYLE
    : {
        fg: color(cell.getFgColor(), cell.isFgRGB(), cell.isFgPalette()),
        bg: color(cell.getBgColor(), cell.isBgRGB(), cell.isBgPalette()),
        bold: cell.isBold() !== 0,
        dim: cell.isDim() !== 0,
        italic: cell.isItalic() !== 0,
        underline: cell.isUnderline() !== 0,
        inverse: cell.isInverse() !== 0,
        invisible: cell.isInvisible() !== 0,
        strikethrough: cell.isStrikethrough() !== 0,
      }

/** Style of a cell of the viewport; plain outside of it. */
export const readStyle = (buffer: IBuffer, x: number, y: number): CellStyle => {
  const cell = buffer.getLine(buffer.baseY + y)?.getCell(x)
  return cell === undefined ? PLAIN_STYLE : styleOfCell(cell)
}

/** A viewport row as runs of one style, up to its last cell that was written or coloured. */
export const readRuns = (buffer: IBuffer, y: number, cols: number): readonly StyledRun[] => {
  const line = buffer.getLine(buffer.baseY + y)
  const runs: { x: number; text: string; style: CellStyle }[] = []
  if (line === undefined) return runs
  let end = 0
  for (let x = 0; x < Math.min(line.length, cols); x++) {
    const cell = line.getCell(x)
    // The second half of a wide character has no width and no text of its own.
    if (cell === undefined || cell.getWidth() === 0) continue
    const style = styleOfCell(cell)
    const text = cell.getChars() || ' '
    const last = runs.at(-1)
    if (last !== undefined && sameStyle(last.style, style)) last.text += text
    else runs.push({ x, text, style })
    if (cell.getChars() !== '' || style !== PLAIN_STYLE) end = runs.length
  }
  const kept = runs.slice(0, end)
  const tail = kept.at(-1)
  if (tail !== undefined && sameStyle(tail.style, PLAIN_STYLE)) tail.text = tail.text.replace(/ +$/, '')
  return kept.filter((run) => run.text !== '')
}

/** A viewport row's text up to the last cell that was written, written blanks included. */
export const readText = (buffer: IBuffer, y: number, cols: number): string =>
  buffer.getLine(buffer.baseY + y)?.translateToString(true, 0, cols) ?? ''

export const readWrapped = (buffer: IBuffer, y: number): boolean =>
  buffer.getLine(buffer.baseY + y)?.isWrapped ?? false

export const trimBlanks = (text: string): string => text.replace(/ +$/, '')

/** Rows joined where the emulator wrapped them. Blanks at the seam are text; only the end is trimmed. */
export const joinLines = (texts: readonly string[], wrapped: readonly boolean[]): readonly LogicalLine[] => {
  const lines: { row: number; rows: number; text: string; cut: boolean }[] = []
  for (const [row, text] of texts.entries()) {
    const last = lines.at(-1)
    if (wrapped[row] === true && last !== undefined) {
      last.rows++
      last.text += text
    } else lines.push({ row, rows: 1, text, cut: wrapped[row] === true })
  }
  return lines.map((line) => ({ ...line, text: trimBlanks(line.text) }))
}

/** A row of the buffer by its index there, copied by the public API: what a changed xterm would leave us. */
export const copyRow = (buffer: IBuffer, index: number, cols: number): ScreenRow => {
  const line = buffer.getLine(index)
  if (line === undefined) return EMPTY_ROW
  // On the alternate screen a line keeps its old length when the screen gets narrower.
  const length = Math.min(line.length, cols)
  const full = line.translateToString(true, 0, cols)
  const text = trimBlanks(full)
  const columns = new Uint16Array(text.length + 1)
  const ends: number[] = []
  const styles: CellStyle[] = []
  let at = 0
  for (let x = 0; x < length; x++) {
    const cell = line.getCell(x)
    const style = cell === undefined ? PLAIN_STYLE : styleOfCell(cell)
    const last = styles.at(-1)
    if (last !== undefined && sameStyle(last, style)) ends[ends.length - 1] = x + 1
    else {
      ends.push(x + 1)
      styles.push(style)
    }
    if (cell?.getWidth() === 0) continue
    for (let n = cell?.getChars().length || 1; n > 0 && at < text.length; n--) columns[at++] = x
  }
  columns[text.length] = text.length === 0 ? 0 : (columns[text.length - 1] ?? 0) + 1
  const plain = styles.length === 1 && styles[0] === PLAIN_STYLE
  const runs = plain ? null : { ends, styles }
  return new ScreenRow(text, full.length - text.length, line.isWrapped, length, columns, runs)
}
