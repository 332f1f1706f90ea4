/** @module cli/table - plain columns, no lines: good to read and to cut. */
import { safeLine } from './safe-text.js'

/** Rows under a heading, columns padded to their widest cell; the last column is cut to `width`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], width: number): string {
  const cells = [head, ...rows.map((row) => row.map((cell) => safeLine(cell)))]
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const lines = cells.map((row) => {
    const line = row
      .map((cell, column) => (column === head.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
    return line.length > width ? `${line.slice(0, Math.max(1, width - 1))}…` : line
  })
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}
