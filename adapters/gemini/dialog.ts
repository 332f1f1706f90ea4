/** @module adapters/gemini/dialog - what Gemini CLI asks: framed boxes in the place of the input box. Pure. */
import { type Dialog, fingerprintOf, questionOf, type ScreenView } from '../../src/adapter/index.js'

const TOP = /^( ?)╭─+╮$/u
const BOTTOM = /^( ?)╰─+╯$/u
/** `● 1. Allow once`, `  2.  [x] Redis` */
const OPTION = /^\s*(●)?\s*(\d{1,2})\.\s+(?:\[[ x]\]\s+)?(\S.*)$/u
/** `● Stay at current position` */
const BULLET = /^\s*●\s+(\S.*)$/u
/** Words of a dialog's last rows: what the keys do. */
const HINT = /\((?:Press|Use|Enter|Esc)\b.*\)|Enter to (?:select|submit)|Esc to (?:close|cancel|go back)/u
/** The list of earlier conversations has no frame. */
const BROWSER = /^ (Chat Sessions) \(\d+ total\)/u
const BROWSER_KEYS = /^ Navigate: ↑\/↓ +Resume: Enter/u
const KINDS: readonly (readonly [RegExp, Dialog['kind']])[] = [
  [/Do you trust the files|Trust folder \(/u, 'trust'],
  [
    /How would you like to authenticate|Enter Gemini API Key|Change authentication|Verify your account/u,
    'login',
  ],
  [/Answer Questions|Review your answers|Enter a custom value/u, 'question'],
  [/automatically accept edits|Exit Plan Mode|start implementation/u, 'plan'],
  [
    /Allow once|Allow execution|Apply this change\?|Allow .*\?|Do you want to (?:proceed|allow)/u,
    'permission',
  ],
]

export interface FoundDialog {
  readonly dialog: Dialog
  /** The rows of its text, frames cut. */
  readonly body: readonly string[]
  /** Its first row on the screen. */
  readonly top: number
}

/** The dialog at the end of the screen, when there is no input box. */
export function readDialog(screen: ScreenView): FoundDialog | null {
  return framed(screen) ?? browser(screen)
}

function framed(screen: ScreenView): FoundDialog | null {
  let bottom = screen.rows - 1
  while (bottom > 0 && !BOTTOM.test(screen.text(bottom))) bottom -= 1
  const edge = BOTTOM.exec(screen.text(bottom))
  if (!edge) return null
  // Below a dialog stands at most a line about it.
  let below = 0
  for (let y = bottom + 1; y < screen.rows; y += 1) if (screen.text(y).trim()) below += 1
  if (below > 2) return null
  const indent = edge[1] ?? ''
  let top = bottom - 1
  while (top >= 0 && !(TOP.test(screen.text(top)) && TOP.exec(screen.text(top))?.[1] === indent)) {
    if (!screen.text(top).startsWith(`${indent}│`)) return null
    top -= 1
  }
  const lines: string[] = []
  for (let y = Math.max(0, top + 1); y < bottom; y += 1) lines.push(inner(screen.text(y)))
  const dialog = dialogOf(lines, screen.cols)
  return dialog && { dialog, body: lines.map((l) => l.trim()).filter((l) => l !== ''), top: Math.max(0, top) }
}

const inner = (text: string): string => text.replace(/^ ?│/u, '').replace(/\s*│$/u, '')
/** A frame within the frame: the command, the diff. What it holds is content, not the dialog's own words. */
const isContent = (line: string): boolean => /^ [│╭╰]/u.test(line)

function dialogOf(lines: readonly string[], cols: number): Dialog | null {
  const options: { key: string; label: string; selected: boolean }[] = []
  let first = -1
  lines.forEach((line, n) => {
    const match = isContent(line) ? null : OPTION.exec(line)
    if (!match) return
    const [, mark, key = '', label = ''] = match
    if (key === '1') {
      options.length = 0
      first = n
    }
    if (Number(key) === options.length + 1) options.push({ key, label: label.trim(), selected: !!mark })
  })
  const chosen = options.some((o) => o.selected)
  const own = lines.filter((line) => !isContent(line))
  const bullet = own.some((line) => BULLET.test(line))
  if (!chosen && !bullet && !own.some((line) => HINT.test(line))) return null
  // The program waits for something itself.
  if (own.some((line) => /^\s*[⠀-⣿] /u.test(line))) return null
  // A list in the text of a dialog is not what can be chosen.
  if (!chosen) options.length = 0
  const above = chosen ? lines.slice(0, first) : lines
  const title = questionOf(
    above.map((line) => (isContent(line) ? '' : line.trim())),
    cols,
  )
  const all = lines.map((line) => line.trim()).filter((line) => line !== '')
  const words = all.join('\n')
  const kind = KINDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'other'
  // Where something is typed the content changes; it is the question that stays.
  const asked = (chosen ? above : own)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !BULLET.test(line) && (chosen || !line.startsWith('> ')))
  return { kind, title, options, fingerprint: fingerprintOf(asked, options) }
}

function browser(screen: ScreenView): FoundDialog | null {
  for (let y = 0; y + 1 < screen.rows; y += 1) {
    const match = BROWSER.exec(screen.text(y))
    if (!match || !BROWSER_KEYS.test(screen.text(y + 1))) continue
    const title = match[1] ?? ''
    const body = [screen.text(y).trim(), screen.text(y + 1).trim()]
    return { dialog: { kind: 'other', title, options: [], fingerprint: title }, body, top: y }
  }
  return null
}
