/**
 * @module bench/streams/altdiff - 0.7 KB a frame, alternate screen: only cells that changed are written, each run with
 * its true colours; the page moves up by a row now and then. Drawn as OpenCode draws.
 */
import { Talk } from './words.js'

const COLS = 120
const ROWS = 40
const BOX = 5
/** Rows of the conversation. */
const PAGE = ROWS - BOX - 3
const ANSWER_ROWS = 30
const fg = (r: number, g: number, b: number) => `\x1b[38;2;${r};${g};${b}m`
const PAPER = '\x1b[48;2;10;10;10m'
const PANEL = '\x1b[48;2;30;30;30m'
const TEXT = fg(238, 238, 238)
const MUTED = fg(128, 128, 128)
const BLUE = fg(92, 156, 245)

type Cells = { readonly text: string; readonly kind: 'text' | 'prompt' }

const paint = (y: number, { text, kind }: Cells): string =>
  kind === 'text'
    ? `\x1b[${y + 1};1H${PAPER}${TEXT}     ${text}\x1b[K`
    : `\x1b[${y + 1};1H${PAPER}  ${BLUE}\u2503${PANEL}${TEXT}  ${text}${' '.repeat(COLS - 7 - text.length)}${PAPER}  `

const first = (): string => {
  const top = PAGE + 1
  const inside = Array.from({ length: BOX - 1 }, (_, y) => {
    const info = y === BOX - 2 ? `${BLUE}Build${MUTED} \u00b7 ${TEXT}Model${MUTED} Mock` : ''
    const used = y === BOX - 2 ? 18 : 0
    return `\x1b[${top + y + 1};1H${PAPER}  ${BLUE}\u2503${PANEL}  ${info}${' '.repeat(COLS - 7 - used)}${PAPER}  `
  })
  const edge = `\x1b[${top + BOX};1H${PAPER}  ${BLUE}\u2579${fg(30, 30, 30)}${'\u2580'.repeat(COLS - 5)}`
  const foot = `\x1b[${top + BOX + 1};1H${PAPER}   ${MUTED}........   ${TEXT}esc${MUTED} interrupt\x1b[${top + BOX + 1};100H${TEXT}ctrl+p${MUTED} commands`
  return `\x1b[?1049h\x1b[?25l${PAPER}\x1b[2J${inside.join('')}${edge}${foot}`
}

const squares = (n: number): string =>
  Array.from({ length: 8 }, (_, x) => {
    const light = 40 + ((n + x) % 8) * 20
    return `\x1b[${PAGE + BOX + 2};${4 + x}H${fg(light, light + 20, 220)}${PAPER}\u25a0`
  }).join('')

/** Frames without end. */
export function* altdiff(seed: number): Generator<string> {
  const talk = new Talk(seed)
  const page: Cells[] = []
  yield first()
  for (let n = 0; ; ) {
    yield frame(...['', talk.prompt(), ''].map((text): Cells => ({ text, kind: 'prompt' })))
    yield frame({ text: '', kind: 'text' })
    for (let row = 0; row < ANSWER_ROWS; row += 1) {
      const words = talk.row(COLS - 10).split(' ')
      yield frame({ text: words[0] ?? '', kind: 'text' })
      for (let end = 2; end <= words.length; end += 1) yield again(words.slice(0, end).join(' '))
    }
    yield frame(
      { text: '', kind: 'text' },
      { text: `${MUTED}\u25a3  Build \u00b7 Model \u00b7 3.${n % 10}s`, kind: 'text' },
    )
    yield frame({ text: '', kind: 'text' })

    /** New rows at the end. */
    function frame(...rows: Cells[]): string {
      page.push(...rows)
      const over = page.length - PAGE
      if (over > 0) page.splice(0, over)
      const from = over > 0 ? 0 : page.length - rows.length
      return update(
        page
          .slice(from)
          .map((cells, y) => paint(from + y, cells))
          .join(''),
      )
    }
    /** The last row, longer. */
    function again(text: string): string {
      const cells: Cells = { text, kind: 'text' }
      page[page.length - 1] = cells
      return update(paint(page.length - 1, cells))
    }
    function update(cells: string): string {
      n += 1
      return `\x1b[?2026h\x1b[?25l${cells}${squares(n)}\x1b[0m\x1b[${PAGE + 3};6H\x1b[?25h\x1b[?2026l`
    }
  }
}
