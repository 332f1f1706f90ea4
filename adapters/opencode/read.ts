/** @module opencode/read - what a settled screen of OpenCode says. Pure; grammar of 1.18.33. */
import { type Composer, everyCell, type Reading, type Row, type ScreenView } from '../../src/adapter/index.js'
import { readBox, readPanel } from './dialog.js'
import { type ComposerBox, conversationEdge, findComposer, findPanel, textWithin } from './layout.js'
import { learnPalette } from './palette.js'
import { joined } from './text.js'

/** Below the composer while a turn runs: the moving squares, or dots where animations are off. */
const SQUARES = /[⬝■]{1,8}|\[⋯\]/u
const INTERRUPT = /\besc (?:again to )?interrupt\b/u
const RETRYING = /\[retrying (?:in \S+ )?(?:attempt )?/u
const READY = /\b(?:ctrl\+p commands|esc exit shell mode)$/u
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
    return { ...stateBelow(screen, composer), composer: readComposer(screen, composer), dialog: null }
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
  for (let y = box.edge + 1; y < screen.rows && rows.length < 3; y += 1) {
    const text = textWithin(screen, y, edge)
    if (text.trim() === '') break
    rows.push(text)
  }
  const footer = rows.join('\n')
  const first = rows[0] ?? ''
  if (INTERRUPT.test(footer)) return { state: 'running', rule: 'opencode.footer.interrupt', evidence: rows }
  if (RETRYING.test(footer)) return { state: 'running', rule: 'opencode.footer.retrying', evidence: rows }
  if (SQUARES.test(first.slice(0, box.bar + SQUARE_COLUMNS)))
    return { state: 'running', rule: 'opencode.footer.squares', evidence: rows }
  if (READY.test(first)) return { state: 'idle', rule: 'opencode.footer.idle', evidence: rows }
  return unknown(screen, 'opencode.footer.none', null)
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
