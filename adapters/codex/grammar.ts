/** @module codex/grammar - how Codex draws its conversation. Pure; grammar of 0.171, alternate screen and inline. */
import {
  type BlockRule,
  furniture,
  type Grammar,
  hasBackground,
  isBlank,
  isDim,
  type Row,
  type RowPlace,
  type ScreenItem,
  styleAt,
} from '../../src/adapter/index.js'
import { callRules } from './calls.js'
import { INTERRUPTED } from './cells.js'
import { readDialog } from './dialog.js'
import {
  composerBox,
  isBrowsing,
  isBusyRow,
  isEmpty,
  isPager,
  stickyRows,
  transcriptAbove,
} from './layout.js'
import { lineOf, textOf } from './prose.js'

const WORKED = /^ {2}Worked for .+ • \d/u
const HINT = /^ {2}└ Tip: /u
/** Rows that say what the program did by itself; their bullet is a text's. */
const OWN_WORDS =
  /^• (?:Model changed to |Stopping all background terminals|Model interrupted to submit steer|Hook (?:failed|stopped)\b|Unrecognized command |Permissions updated to |Thread (?:re)?named |No background terminals |Token usage: )/u
const COMPACTED = /^• Context compacted(?: · .*)?$/u

/** A shorter rest of a prompt says too little to be known again. */
const LEAST_REST = 60

const indented = (row: Row) => row.text.startsWith('  ')
const prompt = (row: Row) => row.text.startsWith('› ') && row.style(0).bold && row.style(0).dim
const magenta = (row: Row) => row.style(0).fg === 5

const rules: readonly BlockRule[] = [
  furniture(
    'codex.header',
    (row, { open }) =>
      open?.rule.id !== 'codex.command' && /^ {2}>_ OpenAI Codex /u.test(row.text) && styleAt(row, 5).bold,
    (row) => /^ {5}\S|^ {2}permissions: /u.test(row.text),
  ),
  furniture(
    'codex.banner',
    (row) => /^╭─+╮$/u.test(row.text),
    (row) => /^[│╰]/u.test(row.text),
  ),
  furniture(
    'codex.splash',
    (row) => /^[\s\u2800-\u28ff]+$/u.test(row.text),
    (row) => /^[\s\u2800-\u28ff]+$/u.test(row.text),
  ),
  furniture('codex.worked', (row) => WORKED.test(row.text) && isDim(row)),
  furniture('codex.busy', isBusyRow, (row) => indented(row) && isDim(row)),
  furniture('codex.hint', isTip, (row) => /^ {4}\S/u.test(row.text)),
  {
    id: 'codex.prompt',
    starts: prompt,
    continues: inPrompt,
    item: (rows, { cols }) => ({
      kind: 'user_message',
      text: textOf(rows, cols, 1),
    }),
  },
  {
    // The end of a prompt whose head does not fit on the screen.
    id: 'codex.prompt-rest',
    starts: (row, { open }) => onGrey(row) && !open?.rule.id.startsWith('codex.prompt'),
    continues: onGrey,
    item: (rows, { cols }) => {
      const text = textOf(rows, cols, 1).replace(/^ {2}/u, '')
      return text.length < LEAST_REST ? null : { kind: 'user_message', text }
    },
  },
  {
    id: 'codex.command',
    starts: (row) => /^\/[a-z][\w-]*(?: .*)?$/u.test(row.text) && magenta(row),
    continues: (row) => indented(row) || row.style(0).bold,
    item: (rows) => ({ kind: 'command', text: rows[0]?.text ?? '' }),
  },
  ...callRules,
  {
    id: 'codex.plan',
    starts: (row) => /^[•◦] (?:Updated|Proposed) Plan$/u.test(row.text) && styleAt(row, 2).bold,
    continues: indented,
    item: (rows, { cols }) => ({ kind: 'plan', text: textOf(rows.slice(1), cols).replace(/^\n+/u, '') }),
  },
  {
    id: 'codex.compacted',
    starts: (row) => COMPACTED.test(row.text),
    continues: () => false,
    item: (rows) => ({ kind: 'compaction', text: (rows[0]?.text ?? '').replace(/^• | · .*$/gu, '') }),
  },
  {
    id: 'codex.own-words',
    starts: (row) => OWN_WORDS.test(row.text),
    continues: indented,
    item: ownWords,
  },
  {
    // Between turns the model says nothing: what looks like its text is the program's word on a key or a command.
    id: 'codex.between-turns',
    starts: (row, { open }) => isText(row) && BETWEEN.has(open?.rule.id ?? '') && isNear(open?.rows ?? []),
    continues: indented,
    item: ownWords,
  },
  {
    id: 'codex.error',
    starts: (row, { open }) =>
      row.text.startsWith('■ ') && !(open?.rule.id === 'codex.edit' && INTERRUPTED.test(row.text)),
    continues: (row, { open }) => sameColumn(row, open?.rows[0]),
    item: failure,
  },
  {
    id: 'codex.warning',
    starts: (row) => /^(?:⚠|↳|ℹ|✔|✗) /u.test(row.text),
    continues: indented,
    item: (rows) => ({
      kind: 'notice',
      level: rows[0]?.text.startsWith('⚠') ? 'warning' : 'info',
      text: lineOf(rows, 2, 2),
    }),
  },
  {
    // Shown while details are on (ctrl+t).
    id: 'codex.reasoning',
    starts: (row) => isText(row) && styleAt(row, 2).dim && styleAt(row, 2).italic,
    continues: indented,
    item: (rows, { cols }) => ({ kind: 'reasoning', text: textOf(rows, cols) }),
  },
  {
    id: 'codex.text',
    starts: (row, place) => isText(row) || isTextWithoutBullet(row, place),
    continues: indented,
    item: (rows, { cols }) => ({ kind: 'assistant_message', text: textOf(rows, cols) }),
  },
]

/** What stands above a word of the program's own between two turns. */
const BETWEEN: ReadonlySet<string> = new Set(['codex.header', 'codex.worked', 'codex.between-turns'])

/** One free row parts two cells; where a prompt stood between them that is hidden now, there are more. */
const isNear = (rows: readonly Row[]) => rows.slice(-2).filter(isBlank).length < 2

function ownWords(rows: readonly Row[]): ScreenItem {
  const level = /Hook/u.test(rows[0]?.text ?? '') ? 'warning' : 'info'
  return { kind: 'notice', level, text: lineOf(rows, 2, 2) }
}

/** A text's bullet is dim, as no call's is. */
const isText = (row: Row) => /^• \S/u.test(row.text) && row.style(0).dim

/** After a prompt that steers, the answer goes on without a bullet. */
function isTextWithoutBullet(row: Row, { open, above }: RowPlace): boolean {
  if (open?.rule.id !== 'codex.prompt' || !indented(row) || hasBackground(row)) return false
  return above !== null && isBlank(above) && open.rows.some((r) => hasBackground(r))
}

function isTip(row: Row): boolean {
  return HINT.test(row.text) && styleAt(row, 4).bold
}

/** The prompt's background marks its rows, where the terminal told its colours. */
function inPrompt(row: Row, { open }: RowPlace): boolean {
  const first = open?.rows[0]
  return first && hasBackground(first) ? hasBackground(row) : indented(row)
}

/** Rows of a prompt stand on a grey of their own; added and removed lines stand on colours. */
function onGrey(row: Row): boolean {
  const { bg, dim, bold } = row.style(0)
  if (!indented(row) || dim || bold) return false
  if (typeof bg === 'number') return bg >= 232
  const [r = 0, g = 0, b = 0] = (/^#(..)(..)(..)$/u.exec(bg)?.slice(1) ?? []).map((hex) =>
    Number.parseInt(hex, 16),
  )
  return bg !== 'default' && Math.max(r, g, b) - Math.min(r, g, b) < 12
}

/** An error goes on at the left edge, in its colour. */
function sameColumn(row: Row, first: Row | undefined): boolean {
  if (!first || indented(row)) return false
  const style = row.style(0)
  return !style.bold && !style.dim && style.fg === first.style(0).fg
}

function failure(rows: readonly Row[]): ScreenItem {
  const text = lineOf(rows, 2, 0)
  if (INTERRUPTED.test(rows[0]?.text ?? ''))
    return { kind: 'notice', level: 'info', text, outcome: 'interrupted' }
  return { kind: 'notice', level: 'error', text, outcome: 'failed' }
}

export const grammar: Grammar = {
  rules,
  transcript(screen) {
    // What a pager shows was drawn before.
    if (isPager(screen)) return null
    const box = composerBox(screen)
    const region = box
      ? transcriptAbove(screen, box.top)
      : { top: stickyRows(screen), bottom: readDialog(screen)?.top ?? 0 }
    // Whoever browses scrolls back.
    if (isBrowsing(screen)) return null
    return region.bottom <= region.top || isEmpty(screen, region) ? null : region
  },
}
