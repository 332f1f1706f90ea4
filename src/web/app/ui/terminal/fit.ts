/** @module web/ui/terminal/fit - the letter size at which a fixed number of columns fits a width. */

export const FONT = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace'

const SMALLEST = 8
const LARGEST = 14
/** Room for the scroll bar, in pixels. */
const SPARE = 18

/** Width of a cell for each pixel of letter size. */
export function cellRatio(): number {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return 0.6
  context.font = `100px ${FONT}`
  return context.measureText('W'.repeat(10)).width / 1000
}

/** Pixels; below the smallest readable size the pane scrolls instead. */
export function fontSize(width: number, cols: number, ratio: number): number {
  const fits = Math.floor(((width - SPARE) / (cols * ratio)) * 4) / 4
  return Math.max(SMALLEST, Math.min(LARGEST, fits))
}
