/** @module test/delivery/tui/draw - how the test TUI looks. Rows of text end in `¶`, so that no blank is lost. */

/** What a line of a text begins with: its first, one after a line break, one that goes on. */
export interface Gutters {
  readonly first: string
  readonly line: string
  readonly rest: string
}

export const PROMPT: Gutters = { first: '> ', line: '| ', rest: ': ' }
/** Above it are rows that the box does not show. */
export const HIDDEN = '^ '
const ANSWER: Gutters = { first: '● ', line: '  ', rest: '  ' }
const WAITING: Gutters = { first: '+ ', line: '+|', rest: '+:' }
const COMMAND: Gutters = { first: '$ ', line: '  ', rest: '  ' }

export type Line =
  | { readonly kind: 'prompt' | 'answer' | 'command'; readonly text: string }
  | { readonly kind: 'notice'; readonly text: string }

export interface Look {
  readonly cols: number
  readonly rows: number
  readonly status: string | null
  /** Its own queue. */
  readonly waiting: readonly string[]
  readonly popup: readonly string[]
  readonly box: string
  readonly ghost: string | null
  readonly dialog: {
    readonly title: string
    readonly options: readonly string[]
    readonly selected: number
  } | null
  readonly footer: string
}

const segments = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Never more than a terminal may need. */
const width = (grapheme: string) => (/^[ -~]$/u.test(grapheme) ? 1 : 2)

/** Rows of a text, with gutters and end marks. */
export function rowsOf(text: string, cols: number, gutters: Gutters): string[] {
  const rows: string[] = []
  for (const [n, line] of text.split('\n').entries()) {
    let gutter = n === 0 ? gutters.first : gutters.line
    let row = ''
    let used = 0
    const room = cols - gutter.length - 2
    const chunks = /^[ -~]*$/u.test(line) ? line : [...segments.segment(line)].map((s) => s.segment)
    for (const grapheme of chunks) {
      if (used + width(grapheme) > room) {
        rows.push(`${gutter}${row}¶`)
        gutter = gutters.rest
        row = ''
        used = 0
      }
      row += grapheme
      used += width(grapheme)
    }
    rows.push(`${gutter}${row}¶`)
  }
  return rows
}

/** A block of the transcript, a blank row before it. */
export function blockRows(line: Line, cols: number): string[] {
  if (line.kind === 'notice') return ['', line.text.slice(0, cols - 1)]
  if (line.kind === 'prompt') return ['', ...rowsOf(line.text, cols, PROMPT)]
  return ['', ...rowsOf(line.text, cols, line.kind === 'answer' ? ANSWER : COMMAND)]
}

/** Most rows of the box, and of the queue above it. */
const BOX_ROWS = 6
const WAITING_ROWS = 4

/** The rows below the transcript. */
export function bottomRows(look: Look): string[] {
  const { cols } = look
  const rule = '─'.repeat(cols - 1)
  const rows = ['']
  if (look.status !== null) rows.push(look.status)
  const waiting = look.waiting.flatMap((text) => rowsOf(text, cols, WAITING))
  rows.push(...waiting.slice(0, WAITING_ROWS))
  if (look.dialog) {
    rows.push(rule, ` ${look.dialog.title}`)
    for (const [n, option] of look.dialog.options.entries())
      rows.push(` ${n === look.dialog.selected ? '❯' : ' '} ${n + 1}. ${option}`)
    rows.push(' Enter to confirm · Esc to cancel')
  } else {
    rows.push(...look.popup.map((entry) => `  » ${entry}`), rule)
    const box = rowsOf(look.box, cols, PROMPT)
    const shown = box.slice(-BOX_ROWS)
    if (box.length > BOX_ROWS && shown[0] !== undefined) shown[0] = HIDDEN + shown[0].slice(HIDDEN.length)
    if (look.box === '' && look.ghost !== null) rows.push(`> \x1b[2m${look.ghost}\x1b[22m`)
    else rows.push(...shown)
    rows.push(rule)
  }
  rows.push(look.footer)
  return rows
}

/** Draws the transcript once and what is below it again and again. */
export class Painter {
  private drawn = 0
  private lines: Line[] = []
  private from = 0

  constructor(private readonly write: (text: string) => void) {}

  add(line: Line): void {
    this.lines.push(line)
  }

  /** The transcript is gone, or must be drawn again for another width. */
  clear(forget: boolean): void {
    if (forget) this.lines = []
    this.from = 0
    this.drawn = 0
    this.write('\x1b[2J\x1b[3J\x1b[H')
  }

  paint(look: Look): void {
    const up = this.drawn > 1 ? `\x1b[${this.drawn - 1}A` : ''
    const fresh = this.lines.slice(this.from).flatMap((line) => blockRows(line, look.cols))
    this.from = this.lines.length
    const bottom = bottomRows(look).slice(-(look.rows - 1))
    this.drawn = bottom.length
    this.write(`\x1b[?2026h\r${up}\x1b[J${[...fresh, ...bottom].join('\r\n')}\x1b[?2026l`)
  }
}
