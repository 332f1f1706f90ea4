/** @module codex/read - what a settled screen of Codex says. Pure; grammar of 0.171. */
import {
  type Composer,
  isBlank,
  partsWhere,
  proseOf,
  type Reading,
  type ScreenView,
} from '../../src/adapter/index.js'
import { readDialog, readPicker } from './dialog.js'
import { type Box, busyRow, composerBox, isBrowsing, isPager } from './layout.js'

/** A spinner before the thread's name. */
const BUSY_TITLE = /^[\u2800-\u28ff] /u
/** `  GPT-5.5 default · /home/me/code`: drawn once the session is open. */
const FOOTER = /^ {2}\S.* · (?:~|\/)/u

type State = Pick<Reading, 'state' | 'rule' | 'evidence'>

export function read(screen: ScreenView): Reading {
  const box = composerBox(screen)
  if (box) return { ...stateWithComposer(screen, box), composer: readComposer(screen, box), dialog: null }
  const none = { composer: null, dialog: null }
  if (isPager(screen) || isBrowsing(screen))
    return { ...(stateOfSignals(screen) ?? unknown(screen, 'codex.pager')), ...none }
  const found = readDialog(screen) ?? readPicker(screen)
  if (found) {
    const { dialog, body } = found
    const evidence = [...body, ...dialog.options.map((o) => `${o.key}. ${o.label}`)]
    return { state: 'blocked', rule: `codex.dialog.${dialog.kind}`, evidence, composer: null, dialog }
  }
  if (screen.signals.status?.startsWith('state=blocked'))
    return { state: 'blocked', rule: 'codex.status.blocked', evidence: [screen.signals.status], ...none }
  return { ...unknown(screen, 'codex.no-composer'), ...none }
}

/** What the program says of itself goes before what its screen looks like. */
function stateWithComposer(screen: ScreenView, box: Box): State {
  const said = stateOfSignals(screen)
  if (said) return said
  const busy = busyRow(screen, box.top)
  if (busy !== null) return { state: 'running', rule: 'codex.busy-row', evidence: [screen.text(busy)] }
  const footer = footerOf(screen, box)
  // Before the title is set, start-up dialogs may still come.
  if (footer !== null && screen.title !== '')
    return { state: 'idle', rule: 'codex.footer.idle', evidence: [footer] }
  return unknown(screen, 'codex.composer-only')
}

function stateOfSignals(screen: ScreenView): State | null {
  const { status } = screen.signals
  const told = /^state=([a-z]+)/u.exec(status ?? '')?.[1]
  const evidence = status === null ? [] : [status]
  if (told === 'working') return { state: 'running', rule: 'codex.status.working', evidence }
  if (told === 'blocked') return { state: 'blocked', rule: 'codex.status.blocked', evidence }
  if (told === 'idle' || told === 'done' || told === 'error')
    return { state: 'idle', rule: `codex.status.${told}`, evidence }
  if (BUSY_TITLE.test(screen.title))
    return { state: 'running', rule: 'codex.title.busy', evidence: [screen.title] }
  return null
}

function footerOf(screen: ScreenView, box: Box): string | null {
  for (let y = box.bottom; y < screen.rows; y += 1) if (FOOTER.test(screen.text(y))) return screen.text(y)
  return null
}

/** Dim cells are a suggestion and not a draft. */
function readComposer(screen: ScreenView, box: Box): Composer {
  const rows = Array.from({ length: box.bottom - box.top }, (_, n) => screen.row(box.top + n))
  const ghost = rows
    .map((row) => partsWhere(row, (s) => s.dim, 2).trim())
    .join(' ')
    .trim()
  const typed = rows.some((row) => !isBlank(row) && partsWhere(row, (s) => !s.dim, 2).trim() !== '')
  const text = typed ? proseOf(rows, { cols: screen.cols, first: 2, rest: 2, right: 1 }) : ''
  const shell = screen.text(box.top).startsWith('!') ? '!' : ''
  return { text: shell + text.trimEnd(), ghost: typed ? null : ghost || null }
}

function unknown(screen: ScreenView, rule: string): State {
  const lines: string[] = []
  for (let y = 0; y < screen.rows; y += 1) if (screen.text(y).trim()) lines.push(screen.text(y))
  return { state: 'unknown', rule, evidence: lines.slice(-4) }
}
