/** @module opencode/grammar - how OpenCode draws its conversation. Pure; grammar of 1.18.33. */
import {
  type BlockRule,
  everyCell,
  firstStyle,
  furniture,
  type Grammar,
  indentOf,
  isBlank,
  type Row,
  type RowPlace,
  type ScreenItem,
  type ScreenView,
  styleAt,
} from '../../src/adapter/index.js'
import { blockCall, isFold } from './blocks.js'
import { commandCall, isCallLine, isCommandLine, lineCall, oneColor } from './calls.js'
import { drawnEdge, findComposer, findPanel, isHome, toastAt } from './layout.js'
import { learnPalette, MUTED, TEXT } from './palette.js'
import { BAR_AT, barOf, edgeOf, isPadding, partOf, TEXT_AT } from './rows.js'
import { joined } from './text.js'

/** `▣  Build · Model · 3.0s`, below each answer. */
const FOOTER = /^ {5}▣ {2}\S.* · \S/u
const ENDED = / · (?:interrupted|(?:\d+[a-z]+ ?)+|\d+(?:\.\d+)?m?s)$/u
const INTERRUPTED = / · interrupted$/u
const COMPACTION = /^ *─+ Compaction ─+$/u
const THOUGHT = /^ {5}(?:[+-] )?Thought(?:: .+| · .+)?$/u
const THINKING = /^ {5}[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] Thinking(?:: .+)?$/u
/** Where the text of a thought stands that a person opened alone. */
const OPENED_AT = TEXT_AT + 2
/** A call whose input is still being written: `~ Writing command…`. */
const PENDING =
  /^ {5,8}~ (?:Writing command|Reading file|Preparing (?:write|edit|patch)|Finding files|Searching (?:content|web)|Fetching from the web|Updating todos|Asking questions|Loading skill|Delegating|Executing)…$/u
/** Below a task, and below the files that a read took along. */
const SUBAGENTS = /^ {5}\S.* view subagents(?: · .*)?$/u
const LOADED = /^ {5,8}↳ Loaded \S/u

/** A block with a bar begins where the row above has none of its kind. */
const beginsBar = (row: Row, above: Row | null, kind: 'tool' | 'colored' | 'panel') =>
  barOf(row) === kind && (barOf(above) !== kind || above?.style(BAR_AT).fg !== row.style(BAR_AT).fg)
const inBar = (kind: 'tool' | 'colored' | 'panel') => (row: Row) => barOf(row) === kind

/** An error's text is muted; what a person wrote is text. */
const saysError = (row: Row | null) => {
  const at = row?.text.search(/[^\s┃]/u) ?? -1
  return row !== null && at >= 0 && styleAt(row, at).fg === MUTED
}

const isFooter = (row: Row) => FOOTER.test(row.text) && firstStyle(row).fg !== TEXT
const endsBlock = (row: Row, { open }: RowPlace) =>
  open?.rule.id === 'opencode.tool-block' &&
  INTERRUPTED.test(row.text) &&
  isFooter(row) &&
  open.rows.some(isFold)

const indented = (row: Row) => indentOf(row) >= TEXT_AT && barOf(row) === null

const callGoesOn = (row: Row) => indentOf(row) > TEXT_AT && barOf(row) === null && firstStyle(row).fg !== TEXT

const rules: readonly BlockRule[] = [
  {
    id: 'opencode.error',
    endsAtBlank: true,
    starts: (row, { above, below }) =>
      beginsBar(row, above, 'colored') && saysError(isPadding(row) ? below : row),
    continues: inBar('colored'),
    item: (rows, { cols }) => {
      const text = innerText(rows, cols)
      return text === null ? null : { kind: 'notice', level: 'error', text, outcome: 'failed' }
    },
  },
  {
    id: 'opencode.prompt',
    endsAtBlank: true,
    starts: (row, { above }) => beginsBar(row, above, 'colored'),
    continues: inBar('colored'),
    item: prompt,
  },
  {
    // The mark of an interrupt below belongs to a folded output: it tells what the output's end would.
    id: 'opencode.tool-block',
    starts: (row, { above }) => beginsBar(row, above, 'tool'),
    continues: (row, place) => barOf(row) === 'tool' || endsBlock(row, place),
    item: (rows, { cols, reading }) => blockCall(rows, cols, reading.state === 'idle'),
  },
  furniture('opencode.reverted', (row, { above }) => beginsBar(row, above, 'panel'), inBar('panel')),
  {
    id: 'opencode.footer',
    endsAtBlank: true,
    starts: (row, place) => isFooter(row) && !endsBlock(row, place),
    continues: () => false,
    item: (rows) =>
      INTERRUPTED.test(rows[0]?.text ?? '')
        ? { kind: 'notice', level: 'info', text: 'interrupted', outcome: 'interrupted' }
        : null,
  },
  {
    id: 'opencode.compaction',
    endsAtBlank: true,
    starts: (row) => COMPACTION.test(row.text) && firstStyle(row).fg !== TEXT,
    continues: () => false,
    item: () => ({ kind: 'compaction', text: 'Compaction' }),
  },
  furniture(
    'opencode.thinking',
    (row) => THINKING.test(row.text) && firstStyle(row).fg !== TEXT,
    thoughtGoesOn,
  ),
  {
    id: 'opencode.thought',
    starts: (row) => THOUGHT.test(row.text) && firstStyle(row).fg !== TEXT && oneColor(row),
    continues: thoughtGoesOn,
    item: thought,
  },
  furniture('opencode.pending', (row) => PENDING.test(row.text) && oneColor(row)),
  furniture('opencode.hint', (row) => SUBAGENTS.test(row.text) || (LOADED.test(row.text) && !hasText(row))),
  {
    id: 'opencode.command',
    starts: (row, place) => isCommandLine(row) && callMayBegin(place),
    continues: callGoesOn,
    item: (rows, { cols, reading }) => commandCall(rows, cols, reading.state === 'idle'),
  },
  {
    id: 'opencode.call',
    endsAtBlank: true,
    starts: (row, place) => isCallLine(row) && callMayBegin(place),
    continues: callGoesOn,
    item: (rows, { cols, reading }) => lineCall(rows, cols, reading.state === 'idle'),
  },
  {
    id: 'opencode.text',
    starts: (row, place) => indented(row) && !place.open?.rule.continues(row, place),
    continues: indented,
    item: (rows, { cols }) => {
      const text = joined(rows, { cut: TEXT_AT, edge: edgeOf(rows, cols) })
      return text === '' ? null : { kind: 'assistant_message', text }
    },
  },
]

const callMayBegin = ({ above, open }: RowPlace) =>
  above === null || isBlank(above) || /^opencode\.(?:call|command|pending|hint)$/u.test(open?.rule.id ?? '')

/** Whether a character has the colour of texts. */
const hasText = (row: Row) => everyCell(row, (s) => s.fg !== TEXT) === false && !isBlank(row)

/** What stands between the padding of a whole block; null when it is cut. */
function innerText(rows: readonly Row[], cols: number): string | null {
  if (!isPadding(rows[0]) || !isPadding(rows.at(-1))) return null
  const text = joined(rows.slice(1, -1), { cut: TEXT_AT, edge: edgeOf(rows, cols) })
  return text === '' ? null : text
}

/** A message that waits in the queue says so; the names of its files stand below the text. */
function prompt(rows: readonly Row[], { cols }: { cols: number }): ScreenItem | null {
  const end = rows.findIndex((row, n) => n > 0 && isBadge(row))
  if (end > 0 && rows.slice(end).some(isQueued)) return null
  let text = rows
  if (end > 0) {
    const padding = rows.at(-1)
    text = [...rows.slice(0, end), ...(padding ? [padding] : [])]
  }
  const said = innerText(text, cols)
  return said === null ? null : { kind: 'user_message', text: said }
}

/** The row begins with a word on a background of its own. */
function isBadge(row: Row): boolean {
  const at = row.text.search(/[^\s┃]/u)
  return at >= 0 && styleAt(row, at).bg !== row.style(BAR_AT + 1).bg
}

/** Only an opened thought has a text, deeper or paler than an answer's; it ends where something else begins. */
function thoughtGoesOn(row: Row, { open }: RowPlace): boolean {
  const head = open?.rows[0]?.text.trimStart() ?? ''
  if (!indented(row) || head.startsWith('+ ')) return false
  return head.startsWith('- ') ? indentOf(row) >= OPENED_AT : !hasText(row)
}

function thought(rows: readonly Row[], { cols }: { cols: number }): ScreenItem {
  const [head, ...body] = rows
  const label = (head?.text ?? '').trim().replace(/^[+-] /u, '')
  const open = /^ {5}- /u.test(head?.text ?? '') ? OPENED_AT : TEXT_AT
  const text = joined(body, { cut: open, edge: edgeOf(rows, cols) })
  return text === '' ? { kind: 'reasoning', text, label } : { kind: 'reasoning', text }
}

export const grammar: Grammar = {
  rules,
  transcript(screen, reading) {
    if (reading.state === 'unknown' || reading.rule === 'opencode.box') return null
    const composer = findComposer(screen)
    const panel = composer ? null : findPanel(screen)
    const end = composer?.top ?? panel?.top ?? 0
    // On the first screen the box stands in the middle, below the name.
    if (end < 3 || (composer && isHome(screen, composer)) || popupAbove(screen, end)) return null
    const warning = panel ? screen.style(BAR_AT, panel.top).fg : null
    const palette = learnPalette(screen, reading.dialog?.kind === 'permission' ? warning : null)
    const edge = drawnEdge(screen, composer)
    if (edge === null) return null
    const row = (y: number) => {
      const cut = toastAt(screen, y) ?? edge
      return partOf(screen.row(y), palette, cut, edge)
    }
    return { top: 0, bottom: contentEnd(row, end), row }
  },
}

/** A list of commands or files stands right above the box, over the conversation. */
function popupAbove(screen: ScreenView, top: number): boolean {
  const row = screen.row(top - 1)
  return /^ *┃.*┃$/u.test(row.text) && row.text.indexOf('┃') !== row.text.lastIndexOf('┃')
}

/** What hangs below the conversation and moves with its end: blank rows, the footer of an open answer, the queue. */
function contentEnd(row: (y: number) => Row, end: number): number {
  let bottom = end
  for (;;) {
    while (bottom > 0 && isBlank(row(bottom - 1))) bottom -= 1
    if (bottom === 0) return 0
    const last = row(bottom - 1)
    if (FOOTER.test(last.text) && !ENDED.test(last.text)) bottom -= 1
    else {
      const top = queuedTop(row, bottom)
      if (top === null) return bottom
      bottom = top
    }
  }
}

/** First row of the message in the queue that ends here; null when it is none. */
function queuedTop(row: (y: number) => Row, bottom: number): number | null {
  let top = bottom
  let queued = false
  while (top > 0 && barOf(row(top - 1)) === 'colored') {
    top -= 1
    queued ||= isQueued(row(top))
  }
  return queued ? top : null
}

const isQueued = (row: Row) => /^┃ +QUEUED$/u.test(row.text.trim()) && isBadge(row)
