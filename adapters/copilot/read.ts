/** @module adapters/copilot/read - what a settled screen of Copilot CLI says. Pure; grammar of 1.0.102. */
import type { Composer, Reading, ScreenView } from '../../src/adapter/index.js'
import { readDialog } from './dialog.js'
import { type Box, inputBox } from './layout.js'

/** `◉ Working · 209 B esc esc interrupt`; the word may be what the model says it does. Stands alone or after the mode. */
const BUSY = /(?:^| · )\s*[●◉◎○∙∘] \S/u
const BUSY_HINT =
  /esc esc (?:interrupt|edit prompt|cancel|stop)|esc again to interrupt|Working|Executing|Cancelling/u
/** Alone in the footer after a first Escape. */
const ARMED = /^esc again to interrupt/u
/** Titles before the first prompt, which then is the title. */
const STARTS: ReadonlySet<string> = new Set(['', 'GitHub Copilot'])
const LOADING = /^\s*[●◉◎○∙∘] Loading:/u
/** What only the footer of a program that waits has. */
const IDLE =
  /\/ commands|@ files|# issues|\/help show help|ctrl\+c again to|esc again to (?:rewind|clear|cancel)|(?:Interactive|Plan|Autopilot) · /u

export function read(screen: ScreenView): Reading {
  const box = inputBox(screen)
  if (box) return { ...stateOf(screen, box), composer: composerOf(screen, box), dialog: null }
  const found = readDialog(screen)
  if (found)
    return {
      state: 'blocked',
      rule: `copilot.dialog.${found.dialog.kind}`,
      evidence: found.evidence,
      composer: null,
      dialog: found.dialog,
    }
  const all = lines(screen, 0, screen.rows)
  if (STARTS.has(screen.title) && (all.length === 0 || onlyBanner(all)))
    return { state: 'starting', rule: 'copilot.banner', evidence: all, composer: null, dialog: null }
  return {
    state: 'unknown',
    rule: 'copilot.no-box',
    evidence: all.slice(-4),
    composer: null,
    dialog: null,
  }
}

/** The footer under the box is the program's own: no text of a conversation gets there. */
function stateOf(screen: ScreenView, box: Box): Pick<Reading, 'state' | 'rule' | 'evidence'> {
  const footer = lines(screen, box.bottom + 1, screen.rows)
  const text = footer.join(' ')
  if (LOADING.test(text)) return { state: 'starting', rule: 'copilot.footer.loading', evidence: footer }
  if (ARMED.test(text) || (BUSY.test(text) && BUSY_HINT.test(text)))
    return { state: 'running', rule: 'copilot.footer.busy', evidence: footer }
  if (IDLE.test(text)) return { state: 'idle', rule: 'copilot.footer.idle', evidence: footer }
  return { state: 'unknown', rule: 'copilot.footer', evidence: footer }
}

/** Nothing but the banner is drawn yet. */
const onlyBanner = (rows: readonly string[]): boolean =>
  rows.length <= 4 && rows.some((row) => /^[╰╭]─[╯╮][╰╭]─[╯╮]/u.test(row))

const SHELL_GHOST = 'Execute shell command'

/** The draft. A suggestion is dim, or it stands behind the cursor: in the box of a command, or in an empty shell box. */
function composerOf(screen: ScreenView, box: Box): Composer {
  const drafts: string[] = []
  const ghosts: string[] = []
  const sign = screen.text(box.top + 1)[0]
  const shell = sign === '!' || sign === '$'
  const popup = box.top > 0 && screen.text(box.top - 1).startsWith('┃')
  for (let y = box.top + 1; y < box.bottom; y += 1) {
    const row = screen.row(y)
    const suggested =
      screen.cursor.y === y && (popup || (shell && row.text.slice(2) === SHELL_GHOST)) ? screen.cursor.x : -1
    let draft = ''
    let ghost = ''
    for (let at = 2; at < row.text.length; at += 1) {
      const char = row.text[at] ?? ''
      const x = row.column(at)
      if (ghost !== '' || (suggested >= 0 && x >= suggested) || (char !== ' ' && row.style(x).dim))
        ghost += char
      else draft += char
    }
    drafts.push(draft.trimEnd())
    if (ghost.trim() !== '') ghosts.push(ghost.trim())
  }
  const text = drafts.join('\n').trim()
  return { text: (shell ? '!' : '') + text, ghost: ghosts.join(' ') || null }
}

function lines(screen: ScreenView, from: number, to: number): string[] {
  const out: string[] = []
  for (let y = from; y < to; y += 1) if (screen.text(y).trim() !== '') out.push(screen.text(y).trim())
  return out
}
