/** @module adapters/qwen/dialog - what Qwen Code asks: below a call, or in a frame in the place of the input box. Pure. */
import {
  type Dialog,
  fingerprintOf,
  firstStyle,
  questionOf,
  type Row,
  type ScreenView,
} from '../../src/adapter/index.js'

/** A frame as wide as the screen stands a column further in where the scroll bar is, and its right edge is cut off. */
const TOP = /^ {2,3}[╭┌]─+(?:[╮┐]|$)/u
const BOTTOM = /^ {2,3}[╰└]─+(?:[╯┘]|$)/u
const SIDE = /^ {2,3}│/u
/** `? Shell touch a.txt (Touches it) ←`: the call that waits for an answer. */
const HEAD = /^ {2}\? \S/u
const ARROW = /\s*←\s*$/u
/** `› 1. Yes, allow once`, `❯ 2. [x] MySQL` */
const OPTION = /^\s*([›❯])?\s*(\d{1,2})\.\s+(?:\[[ x✓]\]\s+)?(\S.*)$/u
/** `› Alibaba ModelStudio` */
const BULLET = /^(\s*)[›❯]\s+(\S.*)$/u
const HINT =
  /\bEnter to (?:select|submit|confirm|continue)|\bEsc to (?:close|cancel|go back)|\bEnter: |to navigate\b/iu
/** Below a dialog that has its answer. */
const OVER = /^ {2}Qwen Code is restarting\b/u
const KINDS: readonly (readonly [RegExp, Dialog['kind']])[] = [
  [/^(?:Select Model|Resume Session|Rewind Conversation)/u, 'other'],
  [/Do you trust|Trust folder/u, 'trust'],
  [/Connect a Provider|Custom Provider|API [Kk]ey:|Select Auth|Get started/u, 'login'],
  [/Submit answers|Type something|Your answer|AskUserQuestion/u, 'question'],
  [/Allow execution|Apply this change\?|Yes, allow (?:once|always)/u, 'permission'],
  [/\bplan\b.*\?|ExitPlanMode|Would you like to proceed/iu, 'plan'],
]

export interface FoundDialog {
  readonly dialog: Dialog
  /** The rows of its text, frames cut. */
  readonly body: readonly string[]
  /** Its first row on the screen. */
  readonly top: number
  /** It takes the conversation's place: what stands above it is not all of it. */
  readonly framed: boolean
}

interface Line {
  readonly text: string
  readonly row: Row
}

/** The dialog at the end of the screen, when there is no input box. */
export function readDialog(screen: ScreenView): FoundDialog | null {
  return framedDialog(screen) ?? askedCall(screen)
}

function found(lines: readonly Line[], top: number, framed: boolean, cols: number): FoundDialog | null {
  const dialog = dialogOf(lines, framed, cols)
  const body = lines.map(({ text }) => text.trim()).filter((text) => text !== '')
  return dialog && { dialog, body, top, framed }
}

function framedDialog(screen: ScreenView): FoundDialog | null {
  let bottom = screen.rows - 1
  while (bottom > 0 && !BOTTOM.test(screen.text(bottom))) bottom -= 1
  if (!BOTTOM.test(screen.text(bottom))) return null
  let below = 0
  for (let y = bottom + 1; y < screen.rows; y += 1) {
    if (OVER.test(screen.text(y))) return null
    if (screen.text(y).trim()) below += 1
  }
  if (below > 2) return null
  let top = bottom - 1
  while (top >= 0 && !TOP.test(screen.text(top))) {
    if (!SIDE.test(screen.text(top))) return null
    top -= 1
  }
  const lines: Line[] = []
  for (let y = top + 1; y < bottom; y += 1) {
    const row = screen.row(y)
    lines.push({ row, text: row.text.replace(SIDE, '').replace(/\s*│\s*[│█]?$/u, '') })
  }
  return found(lines, Math.max(0, top), true, screen.cols)
}

/** A call with its question below: nothing else stands there, the input box is away. */
function askedCall(screen: ScreenView): FoundDialog | null {
  for (let y = screen.rows - 1; y >= 0; y -= 1) {
    const row = screen.row(y)
    if (!HEAD.test(row.text) || !row.style(4).bold) continue
    const lines: Line[] = []
    for (let n = y; n < screen.rows; n += 1) {
      const each = screen.row(n)
      // The spinner below says who is waited for.
      if (/^ {2}[⠀-⣿]/u.test(each.text)) continue
      lines.push({
        row: each,
        text: n === y ? each.text.replace(ARROW, '') : each.text.replace(/\s+[│█]$/u, ''),
      })
    }
    return found(lines, y, false, screen.cols)
  }
  return null
}

function dialogOf(lines: readonly Line[], framed: boolean, cols: number): Dialog | null {
  const { options, first } = numbered(lines)
  const chosen = options.some((o) => o.selected)
  const plain = chosen || !framed ? null : unnumbered(lines)
  if (!chosen && !plain && !lines.some(({ text }) => HINT.test(text))) return null
  const at = chosen ? first : (plain?.first ?? lines.length)
  const shown = chosen ? options : (plain?.options ?? [])
  const above = lines.slice(0, at).map(({ text }) => text.trim())
  const words = lines.map(({ text }) => text.trim()).join('\n')
  const kind = KINDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'other'
  const asked = above.filter((text) => text !== '')
  return { kind, title: questionOf(above, cols), options: shown, fingerprint: fingerprintOf(asked, shown) }
}

type Option = Dialog['options'][number]

/** The last list that counts from one. */
function numbered(lines: readonly Line[]): { options: Option[]; first: number } {
  const options: Option[] = []
  let first = -1
  lines.forEach(({ text }, n) => {
    const match = OPTION.exec(text)
    if (!match) return
    const [, mark, key = '', label = ''] = match
    if (key === '1') {
      options.length = 0
      first = n
    }
    if (Number(key) === options.length + 1) options.push({ key, label: label.trim(), selected: !!mark })
  })
  return { options, first }
}

/** Names at one indent, each with a grey line about it below. */
function unnumbered(lines: readonly Line[]): { options: Option[]; first: number } | null {
  const chosen = lines.find(({ text }) => BULLET.test(text))
  const match = chosen && BULLET.exec(chosen.text)
  if (!chosen || !match) return null
  const indent = chosen.text.indexOf(match[2] ?? '')
  const grey = firstStyle(chosen.row).fg
  const options: Option[] = []
  let first = -1
  lines.forEach(({ text, row }, n) => {
    const label = text.slice(indent).trim()
    const named = text.length > indent && text[indent] !== ' ' && text.slice(0, indent).trim() === ''
    const mine = row === chosen.row
    if (!mine && (!named || row.style(row.column(row.text.indexOf('│') + 1 + indent)).fg === grey)) return
    if (first < 0) first = n
    options.push({ key: '', label, selected: mine })
  })
  return { options, first }
}
