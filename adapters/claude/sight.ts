/**
 * @module adapters/claude/sight - what scripts look at beside the reading: footer, popup, queue, a command's answer. Pure.
 *
 * It rides on the reading, so that a condition sees all of one frame.
 */
import {
  type Composer,
  type Dialog,
  hasBackground,
  isBlank,
  type Reading,
  type ScreenView,
} from '../../src/adapter/index.js'
import { type Box, composerBox } from './chrome.js'
import { read } from './read.js'

/** A dialog, and whether its options have numbers that choose them. */
export interface ClaudeDialog extends Dialog {
  readonly numbered: boolean
}

export interface Sight {
  /** The permission mode by the footer; null while the footer cannot say it. */
  readonly mode: string | null
  /** The names in the completion popup, the selected one first; null where none is open. */
  readonly popup: readonly string[] | null
  /** Prompts in the program's own queue, as far as they are drawn. */
  readonly queued: readonly string[]
  /** The last command line above the prompt box and what stands under it; null when something else came after it. */
  readonly answer: string | null
  /** Text of the rows from the last rule but one on: a dialog's words, or the box and what is below it. */
  readonly foot: string
}

export interface ClaudeReading extends Reading {
  readonly dialog: ClaudeDialog | null
  readonly sight: Sight
}

/** The reading of this vendor, also where another's type is declared. */
export function sightOf(reading: Reading | null): Sight | null {
  return reading && 'sight' in reading ? (reading as ClaudeReading).sight : null
}

const MODES: readonly (readonly [RegExp, string])[] = [
  [/\baccept edits on\b/u, 'acceptEdits'],
  [/\bplan mode on\b/u, 'plan'],
  [/\bauto mode on\b/u, 'auto'],
  [/\bbypass permissions on\b/u, 'bypassPermissions'],
]
/** Labels of rows that want words: chosen from outside, nobody would write them. */
const FREE_TEXT = /^(?:Type something|Chat about this|Tell Claude|Something else)|\btell Claude what\b/iu
/** A list in which a choice only sets a mark. */
const MARKED = /^\[[ ✔xX]\] /u
const QUEUED = /^ {2}❯[ \u00a0](.*)$/u
const POPUP = /^(?:\/|@|\+ |\* )?(\S+)/u
/** Rows above the box in which a command's answer is looked for. */
const ANSWER_ROWS = 60

/** {@link read}, and what the scripts need. */
export function look(screen: ScreenView): ClaudeReading {
  const reading = read(screen)
  const box = composerBox(screen)
  return {
    ...reading,
    dialog: reading.dialog && answerable(screen, reading.dialog),
    sight: {
      mode: box && reading.composer ? modeOf(screen, box, reading.composer) : null,
      popup: box && popupOf(screen, box),
      queued: box ? queuedAbove(screen, box) : [],
      answer: box && answerAbove(screen, box),
      foot: footOf(screen, box),
    },
  }
}

/** Options that cannot be chosen by keys alone lose their key: they are answered in the terminal. */
function answerable(screen: ScreenView, dialog: Dialog): ClaudeDialog {
  const first = dialog.options[0]?.label ?? ''
  let numbered = false
  for (let y = screen.rows - 1; y >= 0 && !numbered; y -= 1)
    numbered =
      first !== '' && /^\s*(?:[❯↓↑]\s)?\s*1\. /u.test(screen.text(y)) && screen.text(y).includes(first)
  const marked = dialog.options.some((o) => MARKED.test(o.label))
  const options = dialog.options.map((o) => (marked || FREE_TEXT.test(o.label) ? { ...o, key: '' } : o))
  return { ...dialog, options, numbered }
}

/** While something is typed the footer says no mode; the default mode has no mark of its own. */
function modeOf(screen: ScreenView, box: Box, composer: Composer): string | null {
  if (composer.text !== '') return null
  let below = ''
  for (let y = box.last + 2; y < screen.rows; y += 1) below += `${screen.text(y)}\n`
  for (const [words, mode] of MODES) if (words.test(below)) return mode
  return below.trim() === '' || /again to exit|Press /u.test(below) ? null : 'default'
}

function popupOf(screen: ScreenView, box: Box): readonly string[] | null {
  const names: string[] = []
  for (let y = box.last + 2; y < screen.rows; y += 1) {
    const text = screen.text(y)
    const name = /^[/@+*]/u.test(text) ? POPUP.exec(text) : null
    if (!name) continue
    // The selected row has the accent's colour, the others are grey: it goes first.
    const fg = screen.style(0, y).fg
    const grey = fg === 'default' || (typeof fg === 'number' && fg >= 232)
    if (grey) names.push(name[0])
    else names.unshift(name[0])
  }
  return names.length > 0 ? names : null
}

function queuedAbove(screen: ScreenView, box: Box): string[] {
  const found: string[] = []
  let lines: string[] = []
  for (let y = box.top - 1; y >= 0; y -= 1) {
    const text = screen.text(y)
    if (!/^ {2}/u.test(text) || !hasBackground(screen.row(y), 2)) break
    const head = QUEUED.exec(text)
    lines.unshift(head ? (head[1] ?? '') : text.trim())
    if (!head) continue
    found.unshift(lines.join('\n').trim())
    lines = []
  }
  return found
}

/** `❯ /command` and the `⎿` rows under it, when nothing else stands between them and the box. */
function answerAbove(screen: ScreenView, box: Box): string | null {
  const rows: string[] = []
  for (let y = box.top - 1; y >= 0 && box.top - y < ANSWER_ROWS; y -= 1) {
    const row = screen.row(y)
    if (isBlank(row)) continue
    const text = row.text.trimEnd()
    rows.unshift(text.trim().replace(/^⎿\s*/u, ''))
    if (/^❯[ \u00a0]+\//u.test(text)) return rows.join('\n')
    if (/^\S/u.test(text) && !/^●/u.test(text)) return null
  }
  return null
}

function footOf(screen: ScreenView, box: Box | null): string {
  const from = box ? box.top : Math.max(0, screen.rows - 30)
  const lines: string[] = []
  for (let y = from; y < screen.rows; y += 1) if (!isBlank(screen.row(y))) lines.push(screen.text(y).trim())
  return lines.join('\n')
}
