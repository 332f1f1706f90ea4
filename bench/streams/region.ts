/**
 * @module bench/streams/region - 0.36 KB a frame, main screen: a row of history is inserted above the composer by a
 * scroll region (DECSTBM), and a few cells are drawn anew. Drawn as Codex draws inline.
 */
import { Talk } from './words.js'

const COLS = 120
const ROWS = 40
/** Rows at the bottom that stay: the busy row, the composer, the footer, and what is free between them. */
const BELOW = 7
const TOP = ROWS - BELOW
const ANSWER_ROWS = 30
const WORD = 'Working'

/** A light that moves over the word, and the seconds. */
const busy = (n: number): string => {
  const at = n % WORD.length
  const cells = [...WORD]
    .slice(Math.max(0, at - 1), at + 2)
    .map((c, i) => `\x1b[38;2;${180 + i * 20};${180 + i * 20};${180 + i * 20}m${c}`)
    .join('')
  const seconds = `\x1b[39m\x1b[${TOP + 2};11H\x1b[2m(${Math.floor(n / 10)}s \u2022 \x1b[22m\x1b[1mesc\x1b[22m\x1b[2m to interrupt)\x1b[22m`
  return `\x1b[${TOP + 2};${3 + Math.max(0, at - 1)}H${cells}${seconds}`
}

const insert = (row: string): string => `\x1b[1;${TOP}r\x1b[${TOP};1H\r\n\x1b[K${row}\x1b[39;49m\x1b[0m\x1b[r`

const first = (): string =>
  [
    '\x1b]0;bench\x07\x1b]7501;state=working:app=codex\x1b\\\x1b[2J',
    `\x1b[${TOP + 2};1H\x1b[1m\u2022\x1b[22m ${WORD} `,
    `\x1b[${TOP + 4};1H\x1b[1m\u203a\x1b[22m \x1b[2mAsk Codex to do anything\x1b[22m`,
    `\x1b[${TOP + 6};1H  \x1b[38;5;223mGPT default\x1b[39m \u00b7 \x1b[38;5;151m/home/me/work\x1b[39m`,
  ].join('')

/** Frames without end. */
export function* region(seed: number): Generator<string> {
  const talk = new Talk(seed)
  yield first()
  for (let n = 0; ; ) {
    yield frame('')
    yield frame(`\x1b[1;2m\u203a\x1b[22m ${talk.prompt()}`)
    yield frame('')
    for (let row = 0; row < ANSWER_ROWS; row += 1) {
      const text = talk.row(COLS - 4)
      yield frame(row === 0 ? `\x1b[2m\u2022\x1b[22m ${text}` : `  ${text}`)
    }
    function frame(row: string): string {
      n += 1
      const cursor = `\x1b[${TOP + 4};3H\x1b[?25h`
      return `\x1b[?2026h\x1b[?25l${insert(row)}${busy(n)}${cursor}\x1b[?2026l`
    }
  }
}
