/** @module adapters/claude/read - what a settled screen of Claude Code says. Pure; grammar of 2.1.197. */
import type { Composer, Dialog, Reading, ScreenView } from '../../src/adapter/index.js'

/** A rule across the screen; a session's name may stand in the upper one. */
const RULE = /^─{10,}/u
const COMPOSER = /^[❯!](?:[\s\u00a0]|$)/u
const OPTION = /^\s*(❯)?\s*(\d)\. (.+)$/u
const SPINNER = /^[·✢*✶✻✽] .+…/u
/** Words that dialogs alone have in their last rows. */
const DIALOG_HINT = /Esc to (?:cancel|exit)|Enter to (?:confirm|select|submit)|Tab to amend/u
/** Rows above the options that can belong to the question. */
const DIALOG_ROWS = 16
const KINDS: readonly (readonly [RegExp, Dialog['kind']])[] = [
  [/trust this folder|Quick safety check/u, 'trust'],
  [/Do you want to (?:proceed|make this edit|create)/u, 'permission'],
  [/Ready to code\?|Exit plan mode\?/u, 'plan'],
  [/API key|Log ?in|Select login method/iu, 'login'],
  [/☐|Chat about this/u, 'question'],
]

export function read(screen: ScreenView): Reading {
  const box = composerBox(screen)
  if (box) {
    const composer = readComposer(screen, box)
    return { ...stateWithComposer(screen, box.top), composer, dialog: null }
  }
  const found = readDialog(screen)
  if (found) {
    const { dialog, body } = found
    const evidence = [...body, ...dialog.options.map((o) => `${o.key}. ${o.label}`)]
    return { state: 'blocked', rule: `claude.dialog.${dialog.kind}`, evidence, composer: null, dialog }
  }
  return {
    state: 'unknown',
    rule: 'claude.no-composer',
    evidence: tail(screen),
    composer: null,
    dialog: null,
  }
}

interface Box {
  /** Row of the upper rule, first and last text row. */
  readonly top: number
  readonly first: number
  readonly last: number
}

/** The input box: two rules with a prompt sign under the upper one; the lowest on the screen counts. */
function composerBox(screen: ScreenView): Box | null {
  let bottom = -1
  for (let y = screen.rows - 1; y >= 0; y -= 1) {
    if (!RULE.test(screen.text(y))) continue
    if (bottom >= 0 && y + 1 < bottom && COMPOSER.test(screen.text(y + 1)))
      return { top: y, first: y + 1, last: bottom - 1 }
    bottom = y
  }
  return null
}

/** Text before the cursor's ghost: dim cells are a suggestion and not a draft. */
function readComposer(screen: ScreenView, box: Box): Composer {
  const lines: string[] = []
  let ghost = ''
  for (let y = box.first; y <= box.last; y += 1) {
    const text = screen.text(y).slice(2)
    if (text.trim() === '') {
      lines.push('')
      continue
    }
    if (isGhost(screen, y, text)) ghost = text.trim()
    else lines.push(text)
  }
  const bash = screen.text(box.first).startsWith('!') ? '!' : ''
  return { text: bash + lines.join('\n').trim(), ghost: ghost || null }
}

/** The drawn cursor inverts the first cell of a suggestion; the cells behind it are dim. */
function isGhost(screen: ScreenView, y: number, text: string): boolean {
  const from = 2 + (text.length - text.trimStart().length)
  for (let x = from + 1; x < 2 + text.length; x += 1) {
    if (screen.text(y)[x] === ' ') continue
    return screen.style(x, y).dim
  }
  return false
}

function stateWithComposer(screen: ScreenView, top: number): Pick<Reading, 'state' | 'rule' | 'evidence'> {
  if (/^[⠂⠐]/u.test(screen.title))
    return { state: 'running', rule: 'claude.title.busy', evidence: [screen.title] }
  for (let y = top - 1; y >= 0 && y > top - 6; y -= 1) {
    const text = screen.text(y)
    if (SPINNER.test(text)) return { state: 'running', rule: 'claude.spinner', evidence: [text] }
  }
  for (let y = top; y < screen.rows; y += 1) {
    const text = screen.text(y)
    if (text.includes('esc to interrupt'))
      return { state: 'running', rule: 'claude.footer.busy', evidence: [text] }
    if (text.includes('? for shortcuts'))
      return { state: 'idle', rule: 'claude.footer.idle', evidence: [text] }
  }
  if (screen.title.startsWith('✳'))
    return { state: 'idle', rule: 'claude.title.idle', evidence: [screen.title] }
  return { state: 'unknown', rule: 'claude.composer-only', evidence: tail(screen) }
}

/** The dialog, and the lines of it above its options: what is asked. */
function readDialog(screen: ScreenView): { dialog: Dialog; body: string[] } | null {
  const options: { key: string; label: string; selected: boolean }[] = []
  let first = -1
  let hint = false
  for (let y = 0; y < screen.rows; y += 1) {
    const text = screen.text(y)
    if (DIALOG_HINT.test(text)) hint = true
    const match = OPTION.exec(text)
    if (!match) continue
    const [, mark, key = '', label = ''] = match
    if (key === '1') {
      options.length = 0
      first = y
    }
    options.push({ key, label: label.trim(), selected: mark !== undefined })
  }
  if (first < 0 || options.length < 2 || !(hint || options.some((o) => o.selected))) return null
  const above: string[] = []
  for (let y = first - 1; y >= 0 && y >= first - DIALOG_ROWS && !RULE.test(screen.text(y)); y -= 1) {
    const text = screen.text(y).trim()
    if (text) above.unshift(text)
  }
  const title = above.findLast((line) => line.endsWith('?')) ?? above[0] ?? ''
  const all = above.join('\n')
  const words = [all, ...options.map((o) => o.label)].join('\n')
  const kind = KINDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'other'
  const fingerprint = JSON.stringify([all, options.map((o) => [o.key, o.label])])
  return { dialog: { kind, title, options, fingerprint }, body: above }
}

function tail(screen: ScreenView): string[] {
  const lines: string[] = []
  for (let y = 0; y < screen.rows; y += 1) if (screen.text(y).trim()) lines.push(screen.text(y))
  return lines.slice(-4)
}
