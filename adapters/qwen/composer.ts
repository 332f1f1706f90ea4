/** @module adapters/qwen/composer - where Qwen Code's input box stands and what is typed in it. Pure. */
import { type Composer, isDim, type Region, type Row, type ScreenView } from '../../src/adapter/index.js'

/** Rules from edge to edge: the conversation is indented and has none. */
const RULE = /^─{10,}$/u
/** `>` default, `*` YOLO, `!` shell mode, `(r:)` a search. */
const SIGN = /^(?:[>*!]|\(r:\)) /u
/** The empty box says so two columns behind the sign, where the cursor stands. */
const PLACEHOLDER = /^ {1,2}(?:Type your (?:message or|shell command)|Press '(?:Esc|i)' for )/u
/** `  .. Loading ... (3s · ↓ 5 tokens · esc to cancel)` */
const SPINNER = /\((?:\d[^()]*)?esc\b[^()]* to cancel\)/u
const DOTS = /^(?:\.{1,3}|[⠀-⣿])(?: +|$)/u
/** Below prompts that wait: what the keys do. */
const QUEUE_HINT = /^ {2}Ctrl\+Q to queue\b|\bqueued messages?$/u
const TASKS = /^ {2}│ Current tasks\b/u
const FRAME_TOP = /^ {2}╭─+╮$/u
/** Rows above the box that its status, tasks and queue may take. */
const STATUS_ROWS = 30

export interface Box {
  /** Upper rule, first and last text row, lower rule. */
  readonly top: number
  readonly first: number
  readonly last: number
  readonly bottom: number
}

/** The lowest two rules with a prompt sign under the upper one. */
export function composerBox(screen: ScreenView): Box | null {
  let bottom = -1
  for (let y = screen.rows - 1; y >= 0; y -= 1) {
    if (!isRule(screen, y)) continue
    if (bottom >= 0 && y + 1 < bottom && SIGN.test(`${screen.text(y + 1)} `))
      return { top: y, first: y + 1, last: bottom - 1, bottom }
    bottom = y
  }
  return null
}

function isRule(screen: ScreenView, y: number): boolean {
  const text = screen.text(y)
  return RULE.test(text) && text.length >= screen.cols - 2
}

/** The row that says what is being done, between the conversation and the box. */
export function spinnerRow(screen: ScreenView, box: Box): Row | null {
  let end = box.top
  for (;;) {
    const group = groupAbove(screen, end)
    if (!group || !isStatus(screen, group)) return null
    if (isSpinner(screen, group)) return screen.row(group.top)
    end = group.top
  }
}

/** The first row below the conversation: above it end the spinner, the tasks and the queue. */
export function conversationEnd(screen: ScreenView, box: Box): number {
  let end = box.top
  for (;;) {
    const group = groupAbove(screen, end)
    if (!group || box.top - group.top > STATUS_ROWS || !isStatus(screen, group)) return end
    end = group.top
  }
}

/** The rows without a blank one between them that stand next above a row. */
function groupAbove(screen: ScreenView, end: number): Region | null {
  let bottom = end
  while (bottom > 0 && screen.text(bottom - 1).trim() === '') bottom -= 1
  if (bottom === 0) return null
  let top = bottom - 1
  while (top > 0 && bottom - top < STATUS_ROWS && screen.text(top - 1).trim() !== '') top -= 1
  return { top, bottom }
}

function isStatus(screen: ScreenView, group: Region): boolean {
  return isSpinner(screen, group) || isQueue(screen, group) || isTasks(screen, group)
}

/** Its dots, a phrase, and the key that stops it, on a narrow screen in two rows: the conversation has no such row. */
function isSpinner(screen: ScreenView, { top, bottom }: Region): boolean {
  if (bottom - top > 3 || !/^ {2}\S/u.test(screen.text(top))) return false
  let all = ''
  // The dots stand in any of its rows.
  for (let y = top; y < bottom; y += 1) all += ` ${screen.text(y).trim().replace(DOTS, '')}`
  return SPINNER.test(all)
}

/** Prompts that wait stand dim; a folded thought is dim as well, but slanted. */
function isQueue(screen: ScreenView, { top, bottom }: Region): boolean {
  for (let y = top; y < bottom; y += 1) {
    const row = screen.row(y)
    if (!/^ {2}\S/u.test(row.text) || !isDim(row)) return false
    if (row.style(2).italic && !QUEUE_HINT.test(row.text)) return false
  }
  return true
}

function isTasks(screen: ScreenView, { top }: Region): boolean {
  return FRAME_TOP.test(screen.text(top)) && TASKS.test(screen.text(top + 1))
}

export function readComposer(screen: ScreenView, box: Box): Composer {
  const head = screen.text(box.first)
  const width = head.startsWith('(r:)') ? 5 : 2
  const first = head.slice(width)
  if (box.first === box.last && PLACEHOLDER.test(first)) return { text: '', ghost: first.trim() }
  const lines: string[] = []
  let ghost = ''
  for (let y = box.first; y <= box.last; y += 1) {
    const row = screen.row(y)
    let typed = ''
    for (let at = Math.min(width, row.text.length); at < row.text.length; at += 1) {
      const style = row.style(row.column(at))
      // What is typed has the terminal's own colour; an offered completion is dim or grey.
      const offered = !style.inverse && (style.dim || isGrey(style.fg))
      if (offered || (ghost !== '' && row.text[at] === ' ')) ghost += row.text[at]
      else typed += row.text[at]
    }
    lines.push(typed)
  }
  const text = lines.join('\n').trimEnd()
  const sign = head.startsWith('!') ? '!' : ''
  return { text: text === '' ? '' : sign + text, ghost: ghost.trim() || null }
}

/** A grey of the themes: red, green and blue close together and not bright. */
function isGrey(color: string | number): boolean {
  const parts = typeof color === 'string' ? /^#(..)(..)(..)$/u.exec(color) : null
  if (!parts) return color === 8
  const values = parts.slice(1).map((part) => Number.parseInt(part, 16))
  return Math.max(...values) < 0xa0 && Math.max(...values) - Math.min(...values) < 0x28
}
