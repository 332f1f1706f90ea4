/**
 * @module pi/window - the rows of a window as the rules shall see them. Pure. Pi draws headings, fences, quotes and
 * tables of a thought as it draws those of an answer; that the thought goes on below is what tells them. What `/hotkeys`
 * and `/changelog` show looks like an answer, too, but stands between two rules across the screen.
 */
import {
  type CellStyle,
  firstStyle,
  hasBackground,
  isBlank,
  type Row,
  type ScreenView,
  styleAt,
} from '../../src/adapter/index.js'
import { isQuoted, ofThought } from './look.js'

/** How every cell of a row of a thought is told to look. */
const LOOK: Partial<CellStyle> = { bold: false, dim: false, italic: true, fg: 109 }

/** What a row is, whatever its own colours are; null: what it looks like. */
type Part = 'thought' | 'panel' | null

class WindowRow implements Row {
  constructor(
    private readonly row: Row,
    readonly part: Part,
  ) {}

  get text(): string {
    return this.row.text
  }

  get wrapped(): boolean {
    return this.row.wrapped
  }

  style(x: number): CellStyle {
    const style = this.row.style(x)
    return this.part === 'thought' ? { ...style, ...LOOK } : style
  }

  column(index: number): number {
    return this.row.column(index)
  }

  same(other: this): boolean {
    return this === other || (this.part === other.part && this.row.same(other.row))
  }
}

/** The ways to see a row of the terminal: readers keep what they found by the row. */
const views = new WeakMap<Row, Map<Part, WindowRow>>()

function viewOf(row: Row, part: Part): Row {
  const known = views.get(row) ?? new Map<Part, WindowRow>()
  views.set(row, known)
  const view = known.get(part) ?? new WindowRow(row, part)
  known.set(part, view)
  return view
}

/** Whether a row is the program's own, within or between the rules of a panel. */
export const isPanel = (row: Row): boolean => row instanceof WindowRow && row.part === 'panel'

/** The window's rows above `bottom`, those of thoughts painted as such. */
export function windowRows(screen: ScreenView, bottom: number): (y: number) => Row {
  const parts = new Map<number, Part>()
  let unclear: number[] = []
  for (let y = 0; y < bottom; y += 1) {
    const row = screen.row(y)
    if (hasBackground(row) || isOwn(row)) unclear = []
    else if (goesOnThinking(row)) {
      for (const above of unclear) parts.set(above, 'thought')
      unclear = []
    } else if (!isBlank(row)) unclear.push(y)
  }
  for (const [from, to] of panels(screen, bottom)) for (let y = from; y <= to; y += 1) parts.set(y, 'panel')
  return (y) => viewOf(screen.row(y), parts.get(y) ?? null)
}

/** From rule to rule of one colour; of a panel that is higher than the window the upper one is not there. */
function panels(screen: ScreenView, bottom: number): (readonly [number, number])[] {
  const rules: number[] = []
  for (let y = 0; y < bottom; y += 1) if (ACROSS.test(screen.text(y))) rules.push(y)
  const found: (readonly [number, number])[] = []
  while (rules.length > 0) {
    const to = rules.pop() as number
    const from = rules.at(-1)
    // A person's command stands in such a frame; while it runs there is no lower rule.
    if (isCommand(screen.row(to + 1))) continue
    if (from === undefined) found.push([0, to])
    else if (screen.style(0, from).fg === screen.style(0, to).fg) {
      rules.pop()
      if (!isCommand(screen.row(from + 1))) found.push([from, to])
    }
  }
  return found
}

const ACROSS = /^─{10,}$/u
const isCommand = (row: Row): boolean => /^ \$ \S/u.test(row.text)

/** Words in the terminal's own colour are an answer's or a person's. */
const isOwn = (row: Row): boolean => someLetter(row, (s) => s.fg === 'default' && !s.dim && !s.italic)

/** Words that only thoughts have; slanted ones of a heading have the heading's colour. */
function goesOnThinking(row: Row): boolean {
  if (isQuoted(row)) return false
  const first = firstStyle(row)
  const heading = first.bold && !first.italic
  return someLetter(row, (s) => ofThought(s) && !(heading && s.fg === first.fg))
}

function someLetter(row: Row, test: (style: CellStyle) => boolean): boolean {
  const { text } = row
  for (let at = 0; at < text.length; at += 1)
    if (LETTER.test(text[at] ?? '') && test(styleAt(row, at))) return true
  return false
}

/** No blank, no mark of a table, list or quote. */
const LETTER = /[^\s\u2500-\u257f•*+-]/u
