/**
 * @module bench/streams/stream - 1.1 KB a frame, main screen: a few words of text, and a footer of five rows that is
 * erased and painted again within a synchronized update. Drawn as Pi draws.
 */
import { Talk } from './words.js'

const COLS = 120
const SPINNER = '\u280b\u2819\u2839\u2838\u283c\u2834\u2826\u2827'
/** Rows of an answer before the next prompt. */
const ANSWER_ROWS = 30
/** Footer, and the free row above it. */
const BELOW = 6

const footer = (n: number): string => {
  const spin = SPINNER[n % SPINNER.length]
  const busy = `\x1b[38;5;6m\u2500\u2500 ${spin} Working ${'\u2500'.repeat(COLS - 13)}\x1b[39m`
  return [
    busy,
    '',
    `\x1b[38;5;8m${'\u2500'.repeat(COLS)}\x1b[39m`,
    '\x1b[2m/home/me/work (main)\x1b[22m',
    `\x1b[2m\u2191${n}k \u2193${n % 977} $0.0${n % 10} 0.${n % 10}%/200k (auto)${' '.repeat(50)}(mock) model \u2022 medium\x1b[22m`,
  ].join('\r\n')
}

const boxed = (text: string): string =>
  ['', ` ${text}`, ''].map((row) => `\x1b[48;2;52;53;65m${row.padEnd(COLS - 1)} \x1b[49m`).join('\r\n')

/** Frames without end. */
export function* stream(seed: number): Generator<string> {
  const talk = new Talk(seed)
  let drawn = false
  for (let n = 0; ; ) {
    yield frame(`${boxed(talk.prompt())}\r\n\r\n `)
    for (let rows = 0; rows < ANSWER_ROWS; rows += 1) {
      let said = ''
      for (const word of talk.row(COLS - 3).split(' ')) {
        said += said === '' ? word : ` ${word}`
        if (said.length % 3 !== 0) continue
        yield frame(` ${said}`)
      }
      yield frame(rows === ANSWER_ROWS - 1 ? ` ${said}\r\n\r\n` : ` ${said}\r\n `)
    }
    function frame(content: string): string {
      n += 1
      // The last row of the content is written again with what came to it.
      const back = drawn ? `\x1b[${BELOW}A\r\x1b[J` : ''
      drawn = true
      return `\x1b[?2026h\x1b[?25l${back}${content}\r\n\r\n${footer(n)}\x1b[?25h\x1b[?2026l`
    }
  }
}
