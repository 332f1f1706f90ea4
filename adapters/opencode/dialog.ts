/** @module opencode/dialog - the panels that wait for a person, and the boxes that open over everything. Pure. */
import type { Dialog, ScreenView } from '../../src/adapter/index.js'
import { conversationEdge, type Panel, textWithin } from './layout.js'
import { BAR_AT, TEXT_AT } from './rows.js'

/** What a dialog says, with the rows it was read from. */
export interface FoundDialog {
  /** Null while it is being drawn. */
  readonly dialog: Dialog | null
  readonly evidence: readonly string[]
}

type Option = Dialog['options'][number]

/** Words at the right of a permission's buttons; the screen's edge may cut them. */
const BUTTON_HINT = /\s*(?:\S+ (?:fullscreen|minimize)\s+)?⇆(.*)$/u
const HINT_WORDS = ' select enter confirm'
const QUESTION_HINT = /esc dismiss$/u
const ANSWER = /^(\d)\. (?:\[([ ✓])\] )?(.+?)( ✓)?$/u

/** Reads the panel in the composer's place; null when it is of no known kind. */
export function readPanel(screen: ScreenView, panel: Panel): FoundDialog | null {
  const lines = panelLines(screen, panel)
  const said = lines.filter((line) => line.text !== '')
  const head = said[0]
  const last = said.at(-1)
  if (!head || !last) return null
  const evidence = said.map((line) => line.text)
  if (head.text.startsWith('△ ')) {
    if (/^# Shell command$/u.test(said[1]?.text ?? '') && !said[2]?.text.startsWith('$ '))
      return { dialog: null, evidence }
    const found = permission(screen, said)
    return found && { dialog: found, evidence }
  }
  return QUESTION_HINT.test(last.text) ? { dialog: question(screen, said), evidence } : null
}

interface Line {
  readonly y: number
  readonly text: string
}

/** A diff in a panel has a scroll bar for a moment. */
const SCROLL_BAR = /(?:^|\s+)[█▀▄]$/u
/** A panel that begins so high takes the whole screen, the side bar too. */
const FULL = 2

function panelLines(screen: ScreenView, panel: Panel): Line[] {
  const edge = panel.top <= FULL ? screen.cols : conversationEdge(screen)
  const lines: Line[] = []
  for (let y = panel.top; y < panel.bottom; y += 1) {
    const text = textWithin(screen, y, edge)
      .slice(BAR_AT + 1)
      .replace(SCROLL_BAR, '')
    lines.push({ y, text: text.trim() })
  }
  return lines
}

function permission(screen: ScreenView, said: readonly Line[]): Dialog | null {
  const first = said[0]?.text.replace(/^△ /u, '') ?? ''
  const hint = said.findIndex((line) => hasButtonHint(line.text))
  // On a narrow screen the hint has a row of its own.
  const at = said[hint]?.text.replace(BUTTON_HINT, '') === '' ? hint - 1 : hint
  const last = said[at]
  if (at < 0 || !last) {
    // The rejection of a subagent's call asks for words.
    if (!/^Reject permission/u.test(first)) return null
    return dialogOf('permission', said[1]?.text ?? first, [], [first])
  }
  const body = said.slice(1, at)
  const options = buttons(screen, last)
  const words = said.slice(0, at).map((line) => line.text)
  return dialogOf('permission', permissionTitle(first, body), options, words)
}

function hasButtonHint(text: string): boolean {
  const words = BUTTON_HINT.exec(text)?.[1]
  return words !== undefined && HINT_WORDS.startsWith(words.replace(/\s+/gu, ' '))
}

/** `Permission required: $ ls`: what is asked for stands below the head. */
function permissionTitle(first: string, body: readonly Line[]): string {
  const what = body[0]?.text ?? ''
  if (first !== 'Permission required') return /^This will allow/u.test(what) ? `${first}: ${what}` : first
  const command = body[1]?.text ?? ''
  const title = command.startsWith('$ ') ? command : what.replace(/^[^\p{L}\p{N}"]+/u, '')
  return title === '' ? first : `${first}: ${title}`
}

/** Buttons stand three columns apart; the selected one has a background of its own. */
function buttons(screen: ScreenView, line: Line): Option[] {
  const row = screen.row(line.y)
  const text = row.text
  const hint = text.search(/ {2,}(?:\S+ (?:fullscreen|minimize)|⇆)/u)
  const end = hint < 0 ? text.length : hint
  const plain = row.style(BAR_AT + 1).bg
  const options: Option[] = []
  for (const match of text.slice(0, end).matchAll(/[^\s┃]+(?: [^\s┃]+)*/gu)) {
    const { bg } = row.style(row.column(match.index))
    options.push({ key: String(options.length + 1), label: match[0], selected: bg !== plain })
  }
  return options
}

function question(screen: ScreenView, said: readonly Line[]): Dialog {
  const options: Option[] = []
  let first = -1
  for (const [n, line] of said.entries()) {
    const [, key = '', , label = ''] = ANSWER.exec(line.text) ?? []
    if (key !== String(options.length + 1)) continue
    if (first < 0) first = n
    const row = screen.row(line.y)
    const { bg } = row.style(TEXT_AT)
    options.push({ key, label, selected: bg !== row.style(BAR_AT + 1).bg })
  }
  const above = said.slice(0, first < 0 ? said.length - 1 : first).map((line) => line.text)
  const title = above.includes('Review') ? 'Review' : (above.at(-1) ?? '')
  return dialogOf('question', title, options, above)
}

function dialogOf(kind: Dialog['kind'], title: string, options: Option[], words: readonly string[]): Dialog {
  // A diff is laid out anew when the panel takes the whole screen.
  const said = words.map((text) => text.replace(/\s+/gu, ' '))
  const fingerprint = JSON.stringify([kind, said, options.map((o) => [o.key, o.label])])
  return { kind, title, options, fingerprint }
}

/**
 * A box over the middle of the screen (models, sessions, commands, help): a head row with `esc` at its right end, on a
 * background that the row's ends do not have.
 */
export function readBox(screen: ScreenView): FoundDialog | null {
  for (let y = 0; y < screen.rows; y += 1) {
    const row = screen.row(y)
    const at = escAt(row.text)
    if (at < 0) continue
    const title = row.text.slice(0, at).trimEnd().split(/ {3,}/u).at(-1)?.trim() ?? ''
    const column = row.column(at)
    const head = row.column(row.text.lastIndexOf(title, at))
    const { bg } = row.style(head)
    const own = row.style(column).bg === bg && row.style(0).bg !== bg && boxed(screen, y, head, column, bg)
    if (title !== '' && !title.includes('┃') && own) return box(screen, y, title, head, column + 3)
  }
  return null
}

/** Index of an `esc` that stands for itself, at a row's end or with a gap behind it; -1 where there is none. */
function escAt(text: string): number {
  for (let at = text.lastIndexOf('  esc'); at > 0; at = text.lastIndexOf('  esc', at - 1)) {
    const behind = text.slice(at + 5, at + 8)
    if (behind === '' || behind === '   ') return at + 2
  }
  return -1
}

/** The box's background goes on above and below. */
function boxed(screen: ScreenView, y: number, from: number, to: number, bg: unknown): boolean {
  if (y === 0 || y + 1 >= screen.rows) return false
  for (let x = from; x <= to; x += 1) if (screen.style(x, y).bg !== bg) return false
  return [y - 1, y + 1].every((n) => screen.style(from, n).bg === bg && screen.style(to, n).bg === bg)
}

/** Keys that the box's last row explains. */
const KEYS = /^(?:\S+(?: \S+)? ctrl\+\w+ *)+$/u

function box(screen: ScreenView, top: number, title: string, from: number, to: number): FoundDialog {
  const { bg, fg } = screen.style(from, top)
  let left = from
  while (left > 0 && screen.style(left - 1, top).bg === bg) left -= 1
  const options: Option[] = []
  const evidence: string[] = [title]
  for (let y = top + 1; y < screen.rows && screen.style(left, y).bg === bg; y += 1) {
    const text = within(screen, y, from, to)
    if (text === '') continue
    evidence.push(text)
    const style = screen.style(from, y)
    const selected = style.bg !== bg
    const option = selected || (style.fg === fg && !style.bold && !KEYS.test(text))
    // Behind it stands its key.
    const label = text.replace(/ {3,}\S.*$/u, '')
    if (option) options.push({ key: String(options.length + 1), label, selected })
  }
  const fingerprint = JSON.stringify(['other', title, options.map((o) => o.label)])
  return { dialog: { kind: 'other', title, options, fingerprint }, evidence: evidence.slice(0, 12) }
}

function within(screen: ScreenView, y: number, from: number, to: number): string {
  const row = screen.row(y)
  let text = ''
  for (let at = 0; at < row.text.length; at += 1) {
    const x = row.column(at)
    if (x >= from && x < to) text += row.text[at]
  }
  return text.trim()
}
