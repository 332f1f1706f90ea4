/** @module adapters/copilot/dialog - the dialogs and pickers that stand in the input box's place. Pure. */
import { type Dialog, firstStyle, type ScreenView } from '../../src/adapter/index.js'
import { type Panel, panel } from './layout.js'

const NUMBERED = /^\s*(❯)?\s*(\d)\. (.+)$/u
const CHOSEN = /^(\s*)❯ (\S.*)$/u
/** The row of keys that every dialog ends with; it may be wrapped. */
const HINTS =
  /↑\/↓|\benter\b.* (?:select|accept|confirm|submit|continue)|\besc\b.* (?:cancel|close|back|exit|dismiss)/u
/** Typing on the last option replaces its words, so they are no part of what the dialog is. */
const TYPED = / \(Esc(?: to stop)?\)$/u

const KINDS: readonly (readonly [RegExp, Dialog['kind']])[] = [
  [/Confirm folder trust|Do you trust the files/u, 'trust'],
  [/Plan Ready for Review/u, 'plan'],
  [/Sign (?:up|in)|Log ?in|authoriz|device code/iu, 'login'],
  [/Do you want to|wants elevated permissions|Do you want .* to|Allow path access/iu, 'permission'],
  [/Copilot needs information|MCP server|requests? information/iu, 'question'],
]

interface Option {
  readonly key: string
  readonly label: string
  readonly selected: boolean
}

/** The dialog, and the lines that say so. */
export function readDialog(screen: ScreenView): { dialog: Dialog; evidence: string[] } | null {
  const where = panel(screen)
  if (!where) return readPage(screen)
  const rows = contents(screen, where)
  const hint = rows.findLastIndex((row) => HINTS.test(row))
  if (hint < 0) return null
  const { options, first } = optionsOf(rows.slice(0, hint))
  const head = rows.slice(0, first).map((row) => row.trim())
  const said = head.filter((row) => row !== '' && !/^[─│╭╰]/u.test(row))
  const question = said.findLast((row) => row.endsWith('?'))
  const title = question ?? said[0] ?? ''
  if (title === '' && options.length === 0) return null
  const words = [said[0] ?? '', ...said.slice(-4)].join('\n')
  const kind = KINDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'other'
  // A picker's list changes while it is searched; what is asked does not.
  const labels = kind === 'other' ? [] : options.filter((o) => !TYPED.test(o.label)).map((o) => o.label)
  const asked = kind === 'other' ? [said[0] ?? ''] : head.filter((row) => row !== '')
  return {
    dialog: { kind, title, options, fingerprint: JSON.stringify([kind, asked, labels]) },
    evidence: [...said, ...options.map((o) => `${o.key}. ${o.label}`)],
  }
}

/** A page that takes the whole screen (`/help`); it scrolls, so what it shows is no part of what it is. */
function readPage(screen: ScreenView): { dialog: Dialog; evidence: string[] } | null {
  const last = screen.text(screen.rows - 1)
  if (!/^↑\/↓ .*\besc (?:close|back|exit)/u.test(last) || !firstStyle(screen.row(screen.rows - 1)).bold)
    return null
  let y = 0
  while (y < screen.rows && screen.text(y).trim() === '') y += 1
  const title = screen.text(y).trim()
  const fingerprint = JSON.stringify(['page', last])
  return { dialog: { kind: 'other', title, options: [], fingerprint }, evidence: [last] }
}

function contents(screen: ScreenView, { first, last, framed }: Panel): string[] {
  const out: string[] = []
  for (let y = first; y <= last; y += 1) {
    const text = screen.text(y)
    if (framed) out.push(text.replace(/^│ ?/u, '').replace(/\s*│$/u, ''))
    // A scroll bar stands at the right; a list's headings are bold and no options.
    else {
      const bare = text.replace(/\s*┃$/u, '')
      out.push(firstStyle(screen.row(y)).bold && !/^\s*❯ /u.test(bare) ? `\u00a0${bare.trimStart()}` : bare)
    }
  }
  return out
}

/** Numbered options, or the list around the chosen line; `first` is the row where they begin. */
function optionsOf(rows: readonly string[]): { options: Option[]; first: number } {
  let options: Option[] = []
  let first = rows.length
  rows.forEach((row, n) => {
    const match = NUMBERED.exec(row)
    if (match) {
      const [, mark, key = '', label = ''] = match
      if (key === '1') {
        options = []
        first = n
      }
      if (key === String(options.length + 1)) options.push({ key, label: label.trim(), selected: !!mark })
    } else if (n > first && options.length > 0 && row.trim() !== '') {
      const open = options.pop() as Option
      options.push({ ...open, label: `${open.label} ${row.trim()}` })
    }
  })
  if (options.length > 1) return { options, first }
  const at = rows.findIndex((row) => CHOSEN.test(row))
  if (at < 0) return { options: [], first: rows.length }
  const indent = (CHOSEN.exec(rows[at] ?? '')?.[1]?.length ?? 0) + 2
  const inList = (n: number) => new RegExp(`^ {${indent}}\\S`, 'u').test(rows[n] ?? '')
  let from = at
  while (from > 0 && inList(from - 1)) from -= 1
  let to = at
  while (to + 1 < rows.length && inList(to + 1)) to += 1
  const list = rows.slice(from, to + 1)
  return {
    options: list.map((row, n) => ({
      key: String(n + 1),
      label: row.replace(/^\s*(?:❯ )?/u, '').trim(),
      selected: from + n === at,
    })),
    first: from,
  }
}
