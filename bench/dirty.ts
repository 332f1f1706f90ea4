/** @module bench/dirty - R9: rows of frames against a full reading of the emulator, over random programs. */
import { type Frame, Screen } from '../src/terminal/index.js'
import { sameStyle } from '../src/terminal/screen-row.js'
import { dice } from './streams/words.js'

const ESC = '\x1b'
const COLS = 40
const ROWS = 12

/** Ways in which a program changes rows; `n` and `m` are small numbers. */
const MOVES: readonly ((n: number, m: number, text: string) => string)[] = [
  (_, __, text) => text,
  (_, __, text) => text.repeat(6),
  (n, m) => `${ESC}[${n};${m * 4}H`,
  () => '\r\n',
  () => '\n\n\n',
  (n) => `${ESC}[${n % 4}J`,
  (n) => `${ESC}[?${n % 3}J`,
  (n) => `${ESC}[${n % 3}K`,
  (n) => `${ESC}[${n}${'LMPSTX@ABCDEFGZbd'[n % 17]}`,
  (n, m) => `${ESC}[${n}${'LMPSTX@ABCDEFGZbd'[m % 17]}`,
  (n, m) => `${ESC}[${Math.min(n, m)};${Math.max(n, m)}r`,
  () => `${ESC}[r`,
  (n) => `${ESC}[${n % 2 === 0 ? '?1049h' : '?1049l'}`,
  () => `${ESC}M`,
  () => `${ESC}D`,
  () => `${ESC}c`,
  () => `${ESC}#8`,
  (n) => `${ESC}[?${[6, 7, 45][n % 3]}${n % 2 === 0 ? 'h' : 'l'}\b\b`,
  (n) => `${ESC}[4${n % 2 === 0 ? 'h' : 'l'}`,
  (n) => `${ESC}[${[0, 1, 2, 7, 31, 42, 9][n % 7]}m`,
  (n, m) => `${ESC}[38;2;${n};${m};9m`,
  () => '\u732b\u{1f98a}e\u0301',
]

export interface Soundness {
  readonly checked: number
  readonly stale: number
  /** What differed first, and after which bytes. */
  readonly first: string | null
}

/** Compares every row of every frame, in text, wrap and style, with the emulator itself. */
export function checkRows(rows: number, seed = 1): Soundness {
  const roll = dice(seed)
  const upTo = (n: number) => Math.floor(roll() * n)
  let [checked, stale, first]: [number, number, string | null] = [0, 0, null]
  while (checked < rows) {
    // No scrollback is an edge of its own: the last line of the screen is the last of the buffer.
    const screen = new Screen({
      cols: COLS,
      rows: ROWS,
      scrollback: upTo(3) * 10,
      minFrameMs: 0,
      maxSyncMs: 0,
    })
    let written = ''
    let before: Frame | null = null
    screen.onFrame((frame) => {
      for (let y = 0; y < ROWS; y += 1) {
        checked += 1
        const wrong = differs(screen, frame, before, y)
        if (wrong === null) continue
        stale += 1
        first ??= `row ${y}: ${wrong} after ${JSON.stringify(written)}`
      }
      before = frame
    })
    for (let n = 0; n < 30; n += 1) {
      const text = 'abc def ghij klm nopq'.slice(0, 1 + upTo(20))
      const pieces = Array.from({ length: 1 + upTo(4) }, () =>
        MOVES[upTo(MOVES.length)]?.(upTo(14), upTo(14), text),
      )
      written += pieces.join('')
      screen.write(Buffer.from(pieces.join('')))
    }
    screen.dispose()
  }
  return { checked, stale, first }
}

/** How a row of a frame differs from the emulator's, or from the frame before though nothing told so. */
function differs(screen: Screen, frame: Frame, before: Frame | null, y: number): string | null {
  const row = frame.row(y)
  if (row.text !== screen.text(y))
    return `the text is ${JSON.stringify(screen.text(y))}, not ${JSON.stringify(row.text)}`
  if (row.wrapped !== screen.wrapped(y)) return `wrapped is ${screen.wrapped(y)}`
  for (let x = 0; x < COLS; x += 1)
    if (!sameStyle(row.style(x), screen.style(x, y))) return `the style of column ${x} is another`
  const same = before === null || frame.changedRows.includes(y) || row.same(before.row(y))
  return same ? null : 'it changed and was not named'
}
