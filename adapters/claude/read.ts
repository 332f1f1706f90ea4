/** @module adapters/claude/read - what a settled screen of Claude Code says. Pure; grammar of 2.1.197. */
import { type Composer, type Reading, type Row, type ScreenView, styleAt } from '../../src/adapter/index.js'
import { type Box, composerBox } from './chrome.js'
import { readDialog } from './dialog.js'
import { readFlat } from './flat.js'

const SPINNER = /^[·✢✳*✶✻✽] (?:.+…|.*(?:Retrying in|attempt \d+\/\d+))/u
const BUSY_TITLE = /^[⠂⠐]/u

export function read(screen: ScreenView): Reading {
  const box = composerBox(screen)
  if (box) {
    const composer = readComposer(screen, box)
    return { ...stateWithComposer(screen, box), composer, dialog: null }
  }
  const flat = readFlat(screen)
  if (flat) return flat
  const found = readDialog(screen)
  if (found) {
    const { dialog, body } = found
    const evidence = [...body, ...dialog.options.map((o) => `${o.key}. ${o.label}`)]
    return { state: 'blocked', rule: `claude.dialog.${dialog.kind}`, evidence, composer: null, dialog }
  }
  const nothing = { composer: null, dialog: null }
  if (BUSY_TITLE.test(screen.title))
    return { state: 'running', rule: 'claude.title.busy', evidence: [screen.title], ...nothing }
  return { state: 'unknown', rule: 'claude.no-composer', evidence: tail(screen), ...nothing }
}

/** What was typed, and the suggestion that stands behind it or in its place. */
function readComposer(screen: ScreenView, box: Box): Composer {
  const lines: string[] = []
  let ghost = ''
  for (let y = box.first; y <= box.last; y += 1) {
    const { typed, suggested } = parts(screen.row(y))
    lines.push(typed)
    ghost = `${ghost} ${suggested}`.trim()
  }
  const bash = screen.text(box.first).startsWith('!') ? '!' : ''
  return { text: bash + lines.join('\n').trim(), ghost: ghost || null }
}

/** A suggestion is dim; the drawn cursor inverts its first cell, which is typed only if nothing dim follows. */
function parts(row: Row): { typed: string; suggested: string } {
  const { text } = row
  let dim = -1
  for (let at = 2; at < text.length; at += 1) {
    if (text[at] === ' ' || text[at] === '\u00a0' || !styleAt(row, at).dim) continue
    dim = at
    break
  }
  if (dim < 0) return { typed: text.slice(2), suggested: '' }
  const cursor = dim - 1 >= 2 && styleAt(row, dim - 1).inverse ? dim - 1 : dim
  return { typed: text.slice(2, cursor).trimEnd(), suggested: text.slice(cursor).trim() }
}

function stateWithComposer(screen: ScreenView, box: Box): Pick<Reading, 'state' | 'rule' | 'evidence'> {
  if (BUSY_TITLE.test(screen.title))
    return { state: 'running', rule: 'claude.title.busy', evidence: [screen.title] }
  const above = lastOfColumn(screen, box.top)
  if (above !== null && SPINNER.test(above))
    return { state: 'running', rule: 'claude.spinner', evidence: [above] }
  for (let y = box.last + 1; y < screen.rows; y += 1) {
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

/** The lowest row above the box that begins in column 0: tips, tasks and queued prompts are indented. */
function lastOfColumn(screen: ScreenView, top: number): string | null {
  for (let y = top - 1; y >= 0; y -= 1) if (/^\S/u.test(screen.text(y))) return screen.text(y)
  return null
}

function tail(screen: ScreenView): string[] {
  const lines: string[] = []
  for (let y = 0; y < screen.rows; y += 1) if (screen.text(y).trim()) lines.push(screen.text(y))
  return lines.slice(-4)
}
