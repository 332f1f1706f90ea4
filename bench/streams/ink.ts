/**
 * @module bench/streams/ink - 5 KB a frame, main screen: everything below the finished part is erased row by row and
 * written again, in true colour. Drawn as Gemini CLI draws (its library is ink).
 */
import { Talk } from './words.js'

const COLS = 120
const SPINNER = '\u280b\u2819\u2839\u2838\u283c\u2834\u2826\u2827'
const WHITE = '\x1b[38;2;255;255;255m'
const GREY = '\x1b[38;2;175;175;175m'
/** Rows of an answer: from the first frame on, and at its end. */
const FIRST_ROWS = 18
const ANSWER_ROWS = 27

const half = (mark: string) => `\x1b[38;2;95;95;95m${mark.repeat(COLS)}\x1b[39m`
const boxRow = (text: string, columns: number) =>
  `\x1b[48;2;95;95;95m${text}${' '.repeat(COLS - columns)}\x1b[49m`

const footer = (n: number): readonly string[] => [
  '',
  ` \x1b[38;2;${150 + (n % 60)};175;255m${SPINNER[n % SPINNER.length]}\x1b[39m \x1b[3m${WHITE}Thinking...\x1b[23m\x1b[39m ${GREY}(esc to cancel, ${Math.floor(n / 10)}s)\x1b[39m`,
  `\x1b[2m\x1b[38;2;135;135;135m${'\u2500'.repeat(COLS)}\x1b[39m\x1b[22m`,
  ` ${GREY}Shift+Tab to accept edits\x1b[39m`,
  half('\u2584'),
  boxRow(
    ` \x1b[38;2;215;175;255m> \x1b[7m\x1b[39m \x1b[27m${GREY} Type your message or @path/to/file\x1b[39m`,
    39,
  ),
  half('\u2580'),
  ` ${GREY}workspace (/directory)\x1b[39m${' '.repeat(30)}${GREY}branch\x1b[39m${' '.repeat(30)}${GREY}/model\x1b[39m`,
  ` ${WHITE}/home/me/work\x1b[39m${' '.repeat(39)}${WHITE}main\x1b[39m${' '.repeat(32)}${WHITE}a-model\x1b[39m`,
]

const answer = (rows: readonly string[]): readonly string[] =>
  rows.map((row, y) =>
    y === 0 ? `\x1b[38;2;215;175;255m\u2726 ${WHITE}${row}\x1b[39m` : `  ${WHITE}${row}\x1b[39m`,
  )

/** Frames without end. */
export function* ink(seed: number): Generator<string> {
  const talk = new Talk(seed)
  let height = 0
  for (let n = 0; ; ) {
    const prompt = talk.prompt()
    const sign = ` \x1b[38;2;215;175;255m> ${WHITE}${prompt}\x1b[39m`
    let above: readonly string[] = [half('\u2584'), boxRow(sign, 3 + prompt.length), half('\u2580'), '']
    const rows = Array.from({ length: FIRST_ROWS }, () => talk.row(COLS - 4))
    while (rows.length < ANSWER_ROWS) {
      let said = ''
      for (const word of talk.row(COLS - 4).split(' ')) {
        said += said === '' ? word : ` ${word}`
        yield frame([...rows, said])
      }
      rows.push(said)
    }
    yield frame([], [...answer(rows), ''])
    function frame(text: readonly string[], finished: readonly string[] = above): string {
      n += 1
      const erase = height === 0 ? '' : `${'\x1b[2K\x1b[1A'.repeat(height - 1)}\x1b[2K\x1b[G`
      const lower = [...answer(text), '', ...footer(n)]
      height = lower.length + 1
      above = []
      return `${erase}${[...finished, ...lower].join('\r\n')}\r\n`
    }
  }
}
