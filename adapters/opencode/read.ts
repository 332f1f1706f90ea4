/** @module opencode/read - what a settled screen of OpenCode says. Pure; grammar of 1.18.33. */
import {
  type Composer,
  cutColumns,
  everyCell,
  type Reading,
  type Row,
  type ScreenView,
} from '../../src/adapter/index.js'
import { readBox, readPanel } from './dialog.js'
import { quietFor } from './late.js'
import {
  type ComposerBox,
  conversationEdge,
  findComposer,
  findPanel,
  footerEnd,
  textWithin,
} from './layout.js'
import { learnPalette } from './palette.js'
import { joined } from './text.js'

/** Below the composer while a turn runs: the moving squares, or dots where animations are off. */
const SQUARES = /[⬝■]{1,8}|\[⋯\]/u
const INTERRUPT = /\besc\s+(?:again\s+to\s+)?interrupt/u
const RETRYING = /\[retrying (?:in \S+ )?(?:attempt )?/u
/** Right of the footer while nothing runs: the key, and what it does. */
const READY = [
  ['ctrl+p', 'commands'],
  ['esc', 'exit shell mode'],
] as const
/** Columns between the bar and the text. */
const INDENT = 3
/** Columns of the footer in which the squares move. */
const SQUARE_COLUMNS = 12

export function read(screen: ScreenView): Reading {
  const over = readBox(screen)
  if (over) {
    const { dialog, evidence } = over
    return { state: 'blocked', rule: 'opencode.box', evidence, composer: null, dialog }
  }
  const composer = findComposer(screen)
  if (composer) {
    const below = stateBelow(screen, composer)
    const quiet = below.state === 'idle' ? { quietMs: quietFor(screen, composer) } : {}
    const reading = { ...below, ...quiet, composer: readComposer(screen, composer), dialog: null }
    return reading
  }
  const panel = findPanel(screen)
  const asked = panel && readPanel(screen, panel)
  if (asked) {
    const { dialog, evidence } = asked
    return {
      state: 'blocked',
      rule: `opencode.panel.${dialog?.kind ?? 'drawing'}`,
      evidence,
      composer: null,
      dialog,
    }
  }
  return unknown(screen, 'opencode.no-composer', null)
}

/** The footer tells: squares and the way out while a turn runs, else the hint of the commands. */
function stateBelow(screen: ScreenView, box: ComposerBox): Pick<Reading, 'state' | 'rule' | 'evidence'> {
  const rows: string[] = []
  const edge = conversationEdge(screen)
  const end = footerEnd(screen, box)
  for (let y = box.edge + 1; y < end; y += 1) rows.push(textWithin(screen, y, edge))
  const footer = rows.join('\n')
  const first = rows[0] ?? ''
  if (INTERRUPT.test(footer)) return { state: 'running', rule: 'opencode.footer.interrupt', evidence: rows }
  if (RETRYING.test(footer)) return { state: 'running', rule: 'opencode.footer.retrying', evidence: rows }
  if (SQUARES.test(first.slice(0, box.bar + SQUARE_COLUMNS)))
    return { state: 'running', rule: 'opencode.footer.squares', evidence: rows }
  if (READY.some(([key, words]) => endsWithHint(screen, box.edge + 1, end, key, words)))
    return { state: 'idle', rule: 'opencode.footer.idle', evidence: rows }
  return unknown(screen, 'opencode.footer.none', null)
}

/** Whether the footer ends with a hint; it has rows of its own below its key where the screen is narrow. */
function endsWithHint(screen: ScreenView, top: number, bottom: number, key: string, words: string): boolean {
  const edge = conversationEdge(screen)
  const first = textWithin(screen, top, edge)
  const at = first.lastIndexOf(key)
  if (at < 0) return false
  const from = screen.row(top).column(at)
  let said = first.slice(at)
  for (let y = top + 1; y < bottom; y += 1) {
    const below = cutColumns(screen.row(y), from)
      .slice(0, edge - from)
      .trim()
    if (below !== '') said += ` ${below}`
  }
  return said === `${key} ${words}`
}

/** Text in the box, as it would be typed: with the sign of the shell mode. Its placeholder is muted. */
function readComposer(screen: ScreenView, box: ComposerBox): Composer {
  const palette = learnPalette(screen, null)
  const rows: Row[] = []
  for (let y = box.top + 1; y < box.info - 1; y += 1) rows.push(screen.row(y))
  const first = rows[0]
  const indent = box.bar + INDENT
  const shell = textWithin(screen, box.info, box.right).slice(indent).trim() === 'Shell' ? '!' : ''
  const text = joined(rows, { cut: indent, edge: box.right })
  const from = first?.text.search(/[^\s┃]/u) ?? -1
  if (!first || from < 0) return { text: shell + text, ghost: null }
  const ghost = palette.muted !== null && everyCell(first, (s) => s.fg === palette.muted, from)
  return ghost ? { text: shell, ghost: text } : { text: shell + text, ghost: null }
}

function unknown(screen: ScreenView, rule: string, composer: Composer | null): Reading {
  const lines: string[] = []
  for (let y = 0; y < screen.rows; y += 1) if (screen.text(y).trim()) lines.push(screen.text(y))
  return { state: 'unknown', rule, evidence: lines.slice(-4), composer, dialog: null }
}
