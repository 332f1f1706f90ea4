/** @module adapters/claude/dialog - the dialogs that take the place of Claude Code's prompt box. Pure. */
import {
  type Dialog,
  indentOf,
  isBlank,
  isBold,
  type Row,
  type ScreenView,
  styleAt,
} from '../../src/adapter/index.js'
import { belowConversation, dialogTop, isRule } from './chrome.js'
import { toneOf } from './look.js'

const OPTION = /^(\s*)(❯\s|↓\s|↑\s)?\s*(\d{1,2})\. (.+)$/u
const SELECTED = /^\s*❯\s+\S/u
/** Words that dialogs alone have in their last rows. */
export const DIALOG_HINT =
  /\bEsc(?:ape)? to (?:cancel|exit|close|go back|clear)|Enter to (?:confirm|select|submit|continue|set)|Tab to amend|esc to cancel/iu
/** Rows above the options that can belong to the question. */
const DIALOG_ROWS = 40
const PERMISSION =
  /^(?:Bash command|Edit file|Create file|Overwrite file|Read file|Tool use|Fetch|Web search|Permission Required)|^Do you want to (?:proceed|make this edit|create|overwrite|allow)|^Claude wants to/iu
const BANNER = /^╭─+ Claude Code\b/u
const TABS = /^(?:←\s+)?[☐☑☒✔] \S|Chat about this/u

export interface DialogSeen {
  readonly dialog: Dialog
  /** What is asked, row by row. */
  readonly body: readonly string[]
}

type Option = Dialog['options'][number]

/** The dialog below the conversation; null where none can be told. */
export function readDialog(screen: ScreenView): DialogSeen | null {
  const top = dialogTop(screen)
  const from = top ?? belowConversation(screen)
  const rows = Array.from({ length: screen.rows - from }, (_, n) => screen.row(from + n))
  const hint = rows.some((row) => DIALOG_HINT.test(row.text))
  const numbered = numberedOptions(rows)
  const found =
    numbered.options.length >= 2 && (hint || numbered.options.some((o) => o.selected)) ? numbered : null
  const list = found ?? (hint ? listedOptions(rows) : null)
  const framed = top !== null && rows.slice(1, 3).some((row) => !isBlank(row) && isHeading(row))
  if (!list && !(framed && hint)) return null
  const first = list?.first ?? rows.findIndex((row) => DIALOG_HINT.test(row.text))
  if (top === null && isOverdrawn(rows.slice(0, first))) return null
  const above: string[] = []
  for (let y = first - 1; y >= 0 && first - y <= DIALOG_ROWS; y -= 1) {
    const text = (rows[y] as Row).text.trim()
    if (text !== '' && !isRule(screen, from + y) && !/^[╌▔]{3,}$/u.test(text)) above.unshift(text)
  }
  return { dialog: dialogOf(above, list?.options ?? []), body: above }
}

/** Whether the banner was drawn over the head of a dialog that is over: what asked is no more to be seen. */
function isOverdrawn(above: readonly Row[]): boolean {
  if (!above.some((row) => BANNER.test(row.text))) return false
  const rest = above.slice(above.findLastIndex((row) => /^╰─/u.test(row.text)) + 1)
  return !rest.some((row) => !isBlank(row) && (isHeading(row) || row.text.trimEnd().endsWith('?')))
}

/** A dialog from its words. */
export function dialogOf(above: readonly string[], options: readonly Option[]): Dialog {
  const heading = above[0] ?? ''
  const title = above.findLast((line) => line.endsWith('?')) ?? heading
  const kind = kindOf(heading, title, [...above, ...options.map((o) => o.label)])
  const fingerprint = JSON.stringify([above.join('\n'), options.map((o) => [o.key, o.label])])
  return { kind, title, options, fingerprint }
}

function kindOf(heading: string, title: string, words: readonly string[]): Dialog['kind'] {
  if (/^(?:Ready to code|Exit plan mode)\?/u.test(heading) || /written up a plan/u.test(title)) return 'plan'
  if (words.some((w) => /trust this folder|Quick safety check|Do you trust the files/u.test(w)))
    return 'trust'
  if (words.some((w) => TABS.test(w))) return 'question'
  if (PERMISSION.test(heading) || PERMISSION.test(title)) return 'permission'
  return /API key|Log ?in|Sign in|Select login method/iu.test(`${heading}\n${title}`) ? 'login' : 'other'
}

/** A heading is bold, in the dialog's colour. */
const isHeading = (row: Row) => isBold(row) || styleAt(row, indentOf(row)).bold

/** The last list that begins with 1. */
export function numberedOptions(rows: readonly Row[]): { first: number; options: Option[] } {
  let options: Option[] = []
  let first = -1
  let last: { column: number; y: number; row: Row } | null = null
  rows.forEach((row, y) => {
    const match = OPTION.exec(row.text)
    if (!match) {
      const label = options.at(-1)
      // A long label goes on below itself, in its own colour; a description is grey.
      if (label && last && y === last.y + 1 && goesOn(row, last)) {
        options[options.length - 1] = { ...label, label: `${label.label} ${row.text.trim()}` }
        last = { ...last, y }
      }
      return
    }
    const [, , mark, key = '', words = ''] = match
    if (key === '1') {
      options = []
      first = y
    } else if (Number(key) !== options.length + 1) return
    // A description may stand in a column of its own.
    const label = (words.trim().split(/\s{3,}| ✔(?:\s|$)/u)[0] ?? '').trim()
    options.push({ key, label, selected: mark?.startsWith('❯') ?? false })
    last = { column: row.column(row.text.length - words.length), y, row }
  })
  return { first, options }
}

function goesOn(row: Row, last: { column: number; row: Row }): boolean {
  if (isBlank(row) || row.column(indentOf(row)) !== last.column) return false
  const [a, b] = [styleAt(row, indentOf(row)), last.row.style(last.column)]
  return toneOf(a.fg) === toneOf(b.fg) && a.dim === b.dim
}

/** A list without numbers: the run of rows around the selected one. */
function listedOptions(rows: readonly Row[]): { first: number; options: Option[] } | null {
  const at = rows.findLastIndex((row) => SELECTED.test(row.text))
  if (at < 0) return null
  const chosen = rows[at] as Row
  const column = chosen.column(chosen.text.search(/[^\s❯]/u))
  const isOption = (row: Row | undefined) =>
    row !== undefined && !isBlank(row) && row.column(row.text.search(/[^\s❯]/u)) === column
  let first = at
  while (isOption(rows[first - 1])) first -= 1
  let end = at + 1
  while (isOption(rows[end]) && !DIALOG_HINT.test((rows[end] as Row).text)) end += 1
  const options = rows.slice(first, end).map((row, n) => ({
    key: String(n + 1),
    label: row.text.replace(/^\s*❯?\s*/u, '').trim(),
    selected: first + n === at,
  }))
  return { first, options }
}
