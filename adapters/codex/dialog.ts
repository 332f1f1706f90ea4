/** @module codex/dialog - what waits in the composer's place: approvals, questions, pickers, panels. Pure; 0.171. */
import { type Dialog, isBlank, type Row, type ScreenView, styleAt } from '../../src/adapter/index.js'
import { isChosen, isTitle } from './layout.js'
import { joined } from './prose.js'

/** A dialog and the first row that belongs to it. */
export interface FoundDialog {
  readonly dialog: Dialog
  readonly top: number
  /** What is asked, line by line: title, command, reason. */
  readonly body: readonly string[]
}

type Option = Dialog['options'][number]

/** `› 1. Yes, proceed (y)`; the login pages have `>`. */
const OPTION = /^(?: {2})?(?:([›>]) | {2})(\d+)\. (\S.*)$/u
/** The tenth option and later ones have no number. */
const UNNUMBERED = /^([›>]?) {5,6}(\S.*)$/u
/** Keys of an option, drawn bold behind its label. */
const KEY = / \((?:[a-z]|esc|enter|ctrl ?\+ ?[a-z])\)$/u
const PAGE = /^ {2}(?:Question|Field) \d+\/\d+/u
/** Rows above the last one in which a title is looked for. */
const REACH = 60

const KINDS: readonly (readonly [RegExp, Dialog['kind']])[] = [
  [/Trust this folder\?|Hooks need review/u, 'trust'],
  [/^Would you like to |^Allow .+ MCP server |^Do you want to /mu, 'permission'],
  [/^Implement this plan\?/mu, 'plan'],
  [/^Welcome to Codex, OpenAI's|Sign in with|API key/u, 'login'],
  [/^Question \d+\/\d+|^Field \d+\/\d+/mu, 'question'],
]

/** The dialog at the bottom of a screen that shows no composer. */
export function readDialog(screen: ScreenView): FoundDialog | null {
  let end = screen.rows
  while (end > 0 && isBlank(screen.row(end - 1))) end -= 1
  if (end === 0 || !isHint(screen.row(end - 1))) return null
  const login = /^ {2}Welcome to Codex, OpenAI's/u.test(screen.text(0))
  const first = firstOption(screen, end)
  const top = login ? 0 : titleRow(screen, first ?? end - 1)
  if (top === null) return null
  const options = first === null ? [] : readOptions(screen, first, end)
  const body = lines(screen, top, first ?? end)
  const asked = titleOf(body, login)
  const words = [...body, ...options.map((o) => o.label)].join('\n')
  const signalled = /kind=(permission|question)/u.exec(screen.signals.status ?? '')?.[1]
  const kind = KINDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'other'
  const fingerprint = JSON.stringify([body, options.map((o) => [o.key, o.label])])
  return {
    dialog: {
      kind: kind === 'other' && signalled ? (signalled as Dialog['kind']) : kind,
      title: asked,
      options,
      fingerprint,
    },
    top,
    body,
  }
}

/** A list over the whole screen (`Resume a previous session`): a bold title, keys in the last rows. */
export function readPicker(screen: ScreenView): FoundDialog | null {
  const title = screen.row(0)
  if (!/^ \S/u.test(title.text) || !styleAt(title, 1).bold) return null
  const keys = Array.from({ length: 4 }, (_, n) => screen.row(screen.rows - 1 - n))
  if (!keys.some((row) => /^ enter \w+ +.*\besc /u.test(row.text) && styleAt(row, 1).bold)) return null
  const dialog: Dialog = { kind: 'other', title: title.text.trim(), options: [], fingerprint: title.text }
  return { dialog, top: 0, body: [title.text.trim()] }
}

/** The last row names keys in bold: `enter select · esc back`, `Press enter to confirm or esc to cancel`. */
function isHint(row: Row): boolean {
  const found = /(?:^|[ ·|])(enter|esc)(?=[ /])/u.exec(row.text)
  if (!found) return false
  return styleAt(row, found.index + found[0].length - 1).bold && /^ {1,2}\S/u.test(row.text)
}

/** Questions of the model and forms of its servers count their pages in a dim row. */
const isPage = (row: Row) => PAGE.test(row.text) && styleAt(row, 2).dim

/** The highest row of the lowest run of options; a number 1 begins one. */
function firstOption(screen: ScreenView, end: number): number | null {
  let first: number | null = null
  for (let y = end - 2; y >= 0 && y > end - REACH; y -= 1) {
    const row = screen.row(y)
    const found = OPTION.exec(row.text) ?? (isChosen(row) ? UNNUMBERED.exec(row.text) : null)
    if (found) {
      first = y
      if (found[2] === '1' && found[3] !== undefined) return y
    } else if (first === null && isTitle(row) && !row.text.startsWith('   ')) return null
  }
  return first
}

/** The nearest row above that is drawn as a title; a page of its own may have a plain one. */
function titleRow(screen: ScreenView, from: number): number | null {
  let first: number | null = null
  for (let y = from - 1; y >= 0 && y > from - REACH; y -= 1) {
    const row = screen.row(y)
    if (isTitle(row) || isPage(row)) return y
    if (/^\S/u.test(row.text)) return first
    if (!isBlank(row)) first = y
  }
  return first
}

function lines(screen: ScreenView, from: number, to: number): string[] {
  const out: string[] = []
  for (let y = from; y < to; y += 1) if (!isBlank(screen.row(y))) out.push(screen.text(y).trim())
  return out
}

function titleOf(body: readonly string[], login: boolean): string {
  if (login) return body.find((line, n) => n > 0 && !line.startsWith('>')) ?? body[0] ?? ''
  const trust = body.find((line) => line.startsWith('Trust this folder?'))
  if (trust) return 'Trust this folder?'
  return PAGE.test(`  ${body[0]}`) ? body.slice(1).reduce(joined, '').trim() : (body[0] ?? '')
}

function readOptions(screen: ScreenView, first: number, end: number): Option[] {
  const options: Option[] = []
  for (let y = first; y < end - 1; y += 1) {
    const row = screen.row(y)
    const found = OPTION.exec(row.text)
    const free = found ? null : UNNUMBERED.exec(row.text)
    const last = options.at(-1)
    if (found) options.push(optionOf(found[1], found[2] ?? '', found[3] ?? ''))
    else if (free && last && y > first && isBlank(screen.row(y)) === false) {
      const at = row.text.indexOf(free[2] ?? '')
      if (styleAt(row, at).dim) continue
      // The rest of a long label stands where an unnumbered option would stand, one column to the left.
      if (at === 5 && !isChosen(row)) options[options.length - 1] = grown(last, free[2] ?? '')
      else options.push(optionOf(free[1], '', free[2] ?? ''))
    } else if (free && y === first) options.push(optionOf(free[1], '', free[2] ?? ''))
  }
  return options
}

const optionOf = (sign: string | undefined, key: string, text: string): Option => ({
  key,
  label: labelOf(text),
  selected: sign !== undefined && sign !== '',
})

const grown = (option: Option, text: string): Option => ({
  ...option,
  label: labelOf(joined(option.label, text)),
})

/** Without its explanation in the next column, and without its key. */
function labelOf(text: string): string {
  const label = text.split(/\s{2,}/u)[0] ?? text
  return label.trim().replace(KEY, '')
}
