/** @module adapters/gemini/composer - where Gemini CLI's input box stands and what is typed in it. Pure. */
import { type Composer, indentOf, type Row, type ScreenView } from '../../src/adapter/index.js'

/** The half blocks around a box with a background; without a background the box has rules. */
const UPPER = /^(?:▄{10,}|─{10,})$/u
const LOWER = /^(?:▀{10,}|─{10,})$/u
const EDGE = /^(?:[▄▀]{10,}|─{10,})$/u
/** `>` default, `*` YOLO, `!` shell mode, `(r:)` a search. */
const SIGN = /^ (?:[>*!]|\(r:\)) /u
const FULL_RULE = /^─{10,}$/u
/** The empty box says so two columns behind the sign, where the cursor blinks on a blank. */
const PLACEHOLDER = /^ {1,2}(?:Type your (?:message or|shell command)|Press '(?:Esc|i)' for )/u
const QUEUE = /^ {2}Queued \(press ↑ to edit\):$/u
const TODO = /^ Todo {2}\d+\/\d+ completed/u
/** Rows above the box that the status may take. */
const STATUS_ROWS = 6

export interface Box {
  /** Upper edge, first and last text row, lower edge. */
  readonly top: number
  readonly first: number
  readonly last: number
  readonly bottom: number
  /** The rule above the mode line; the status stands above it. */
  readonly rule: number
}

/**
 * The lowest box with a prompt sign that has the status rule above it: a prompt of the conversation looks the same but
 * for that rule.
 */
export function composerBox(screen: ScreenView): Box | null {
  for (let bottom = screen.rows - 1; bottom > 1; bottom -= 1) {
    if (!LOWER.test(screen.text(bottom))) continue
    const ruled = FULL_RULE.test(screen.text(bottom))
    let top = bottom - 1
    while (top > 0 && !EDGE.test(screen.text(top))) top -= 1
    const upper = screen.text(top)
    if (!UPPER.test(upper) || FULL_RULE.test(upper) !== ruled) continue
    if (top + 1 >= bottom || !SIGN.test(`${screen.text(top + 1)} `)) continue
    const rule = statusRule(screen, top)
    if (rule !== null) return { top, first: top + 1, last: bottom - 1, bottom, rule }
  }
  return null
}

function statusRule(screen: ScreenView, top: number): number | null {
  for (let y = top - 1; y >= Math.max(0, top - 3); y -= 1) if (FULL_RULE.test(screen.text(y))) return y
  return null
}

/** Rows between the conversation and the box: spinner, hints, toasts. The last one stands right above the rule. */
export function statusRows(screen: ScreenView, box: Box): Row[] {
  const rows: Row[] = []
  for (let y = box.rule - 1; y >= Math.max(0, box.rule - STATUS_ROWS); y -= 1) {
    if (screen.text(y).trim() === '') break
    rows.unshift(screen.row(y))
  }
  return rows
}

/** The first row below the conversation: above it end the status, the todo list and the queue. */
export function conversationEnd(screen: ScreenView, box: Box): number {
  let end = box.rule - statusRows(screen, box).length
  for (let y = end - 1; y > 0; y -= 1) {
    if (FULL_RULE.test(screen.text(y)) && TODO.test(screen.text(y + 1))) end = y
    if (QUEUE.test(screen.text(y)) && screen.style(2, y).dim) end = y
  }
  return end
}

export function readComposer(screen: ScreenView, box: Box): Composer {
  const first = screen.text(box.first)
  const width = /^ \(r:\) /u.test(first) ? 6 : 3
  const head = first.slice(width)
  if (box.first === box.last && PLACEHOLDER.test(head)) return { text: '', ghost: head.trim() }
  const faint = faintColor(screen, box)
  const lines: string[] = []
  let ghost = ''
  for (let y = box.first; y <= box.last; y += 1) {
    const row = screen.row(y)
    let typed = ''
    for (let at = Math.min(width, row.text.length); at < row.text.length; at += 1) {
      const style = row.style(row.column(at))
      const offered = (style.dim || (faint !== null && style.fg === faint)) && !style.inverse
      if (offered && row.text[at] !== ' ') ghost += row.text[at]
      else if (ghost !== '' && row.text[at] === ' ') ghost += ' '
      else typed += row.text[at]
    }
    lines.push(typed)
  }
  const sign = first[1] === '!' ? '!' : ''
  const text = lines.join('\n').trimEnd()
  return { text: text === '' ? '' : sign + text, ghost: ghost.trim() || null }
}

/** The colour of secondary text, as the footer has it: offered completions are drawn so. */
function faintColor(screen: ScreenView, box: Box) {
  const row = box.bottom + 1 < screen.rows ? screen.row(box.bottom + 1) : null
  if (!row || row.text.trim() === '') return null
  const { fg, bg } = row.style(indentOf(row))
  const own = screen.style(3, box.first).fg
  return bg === 'default' && fg !== 'default' && fg !== own ? fg : null
}
