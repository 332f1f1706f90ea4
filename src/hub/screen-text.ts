/** @module hub/screen-text - a terminal's snapshot as plain rows. */
import { Screen } from '../terminal/index.js'

/** Draws the snapshot on a screen of its own and reads the rows, trailing blanks cut. */
export function screenText(shot: { cols: number; rows: number; screen: string }): string[] {
  const screen = new Screen({ cols: shot.cols, rows: shot.rows })
  try {
    screen.write(Buffer.from(shot.screen))
    return Array.from({ length: shot.rows }, (_, y) => screen.text(y))
  } finally {
    screen.dispose()
  }
}
