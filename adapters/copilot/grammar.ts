/** @module adapters/copilot/grammar - how Copilot CLI draws its conversation. Pure; grammar of 1.0.102. */
import {
  type BlockRule,
  furniture,
  type Grammar,
  indentOf,
  isBlank,
  proseOf,
  type Row,
  type RowPlace,
  type ScreenItem,
} from '../../src/adapter/index.js'
import { call } from './calls.js'
import { headOf, isGreen, isHead } from './head.js'
import { conversationEnd, inputBox, panel, TranscriptRow } from './layout.js'

const BANNER = /^ {2}(?:╭─╮╭─╮|╰─╯╰─╯|█ \S\S █)|^ {3}▔▔▔▔/u
/** The time of a prompt, at the right edge of its first row; a full row leaves one blank before it. */
const TIME = /\s+(\d{1,2}:\d{2}(?: ?[AP]M)?)$/iu
/** So much of it as a frame may show that comes in the middle of the drawing, and where it begins at the earliest. */
const TIME_BEGUN = /\s{2,}(\d{1,2}(?::\d?)?)$/u
const TIME_COLUMNS = 10
/** Columns free at the right of a text, and of a prompt whose time the screen does not have. */
const RIGHT = 2
/** What the program says with the mark of an answer; an answer of just these words is taken for it. */
const NOTICES =
  /^(?:Started a fresh session\.|No copilot-instructions\.md found\.|Response was interrupted due to a server error\. Retrying|Request failed due to a transient API error\. Retrying|Environment loaded:|Model changed to|Already in \w+ mode\.|Activity · last \d+ days|MCP configuration reloaded|MCP Servers reloaded:|Session renamed to|Context Usage$|Current working directory: |Added directory to allowed list: |Path verification is o|Permission policy: |Session tool and exact-path approvals|Available Skills$|No plugins installed\.$|Copied last response to clipboard\.$)/u
const CANCELLED = /^Operation cancelled by user$/u

/** Rows that belong to the block above: everything that no block begins with. */
const body = (row: Row) => !isHead(row)

const marked = (row: Row, mark: string) => headOf(row)?.mark === mark

const textOf = (rows: readonly Row[], cols: number, at: number, right = RIGHT) =>
  proseOf(rows, { cols, first: at, rest: at, right })

/** A call's first row has a bold title: behind a badge, or behind a mark that answers do not have. */
function isCall(row: Row, { below }: RowPlace): boolean {
  const head = headOf(row)
  if (!head || head.title === '') return false
  const { mark, rest, badge, color } = head
  if (badge) return rest !== ''
  if (mark === '$' || mark === '/' || /^[○∘∙◎◉]$/u.test(mark)) return true
  if (mark === '●') return isGreen(color)
  return (mark === '✗' || mark === '!') && (rest !== '' || /^ {3}[│└├] /u.test(below?.text ?? ''))
}

/** The program speaks before anybody else does: right under its banner. */
const atStart = (place: RowPlace) =>
  place.open?.rule.id === 'copilot.banner' || place.open?.rule.id === 'copilot.startup'

const rules: readonly BlockRule[] = [
  furniture(
    'copilot.banner',
    (row) => BANNER.test(row.text),
    (row) => indentOf(row) >= 2,
  ),
  {
    id: 'copilot.thought',
    starts: (row) => {
      const head = headOf(row)
      return head !== null && /^[❯⌄◐]$/u.test(head.mark) && head.italic
    },
    continues: body,
    item: thought,
  },
  {
    id: 'copilot.prompt',
    starts: (row) => marked(row, '❯'),
    continues: body,
    item: (rows, { cols }) => prompt(rows, cols),
  },
  {
    id: 'copilot.compacted',
    starts: (row) => marked(row, '●') && /^Compaction completed/u.test(headOf(row)?.title ?? ''),
    continues: body,
    item: (rows) => ({ kind: 'compaction', text: rows[0]?.text.slice(3) ?? '' }),
  },
  { id: 'copilot.call', starts: isCall, continues: body, item: call },
  {
    id: 'copilot.error',
    starts: (row) => marked(row, '✗') || marked(row, '!'),
    continues: body,
    item: (rows, { cols }) => {
      const text = textOf(rows, cols, 3)
      return marked(rows[0] as Row, '✗')
        ? { kind: 'notice', level: 'error', text, outcome: 'failed' }
        : { kind: 'notice', level: 'warning', text }
    },
  },
  {
    id: 'copilot.cancelled',
    starts: (row, { below }) =>
      marked(row, '●') && CANCELLED.test(row.text.slice(3)) && (below === null || isBlank(below)),
    continues: () => false,
    item: (rows, { cols }) => ({
      kind: 'notice',
      level: 'info',
      text: textOf(rows, cols, 3),
      outcome: 'interrupted',
    }),
  },
  {
    id: 'copilot.startup',
    starts: (row, place) => marked(row, '●') && atStart(place),
    continues: body,
    item: notice,
  },
  {
    id: 'copilot.notice',
    starts: (row) => marked(row, '●') && NOTICES.test(row.text.slice(3)),
    continues: body,
    item: notice,
  },
  {
    id: 'copilot.text',
    starts: (row) => marked(row, '●'),
    continues: body,
    item: (rows, { cols }) => ({ kind: 'assistant_message', text: marksOf(textOf(rows, cols, 3)) }),
  },
]

function notice(rows: readonly Row[], { cols }: { cols: number }): ScreenItem {
  return { kind: 'notice', level: 'info', text: textOf(rows, cols, 3) }
}

/** An open thought has its text; a folded one a label, which is written when it is over. */
function thought(rows: readonly Row[], { cols }: { cols: number }): ScreenItem {
  const open = rows.slice(1).filter((row) => /^ {1,3}│/u.test(row.text))
  const label = rows[0]?.text.slice(3).trim() ?? ''
  if (open.length > 0) {
    const at = (open[0]?.text.indexOf('│') ?? 1) + 2
    return { kind: 'reasoning', text: textOf(open, cols, at), label }
  }
  // An answer may begin before its thought gets the label that stays.
  return { kind: 'reasoning', text: '', label: label === 'Thinking…' ? 'Thought' : label }
}

function prompt(rows: readonly Row[], cols: number): ScreenItem | null {
  const [first, ...rest] = rows as [Row, ...Row[]]
  if (rest.some((row) => /^ {3}└ \[pending\b/u.test(row.text))) return null
  const whole = first.column(first.text.length) >= cols - RIGHT ? TIME.exec(first.text) : null
  const time = whole ?? timeBegun(first, cols)
  const right = time ? cols - (first.column(time.index + time[0].length - (time[1]?.length ?? 0)) - 1) : RIGHT
  const head = time ? new Cut(first, time.index) : first
  const text = textOf([head, ...rest], cols, 3, right)
  return { kind: 'user_message', text }
}

function timeBegun(row: Row, cols: number): RegExpExecArray | null {
  const found = TIME_BEGUN.exec(row.text)
  const at = row.text.length - (found?.[1]?.length ?? 0)
  return found && row.column(at) >= cols - TIME_COLUMNS ? found : null
}

/** A row's beginning. */
class Cut implements Row {
  readonly text: string
  readonly wrapped = false

  constructor(
    private readonly row: Row,
    end: number,
  ) {
    this.text = row.text.slice(0, end)
  }

  style(x: number) {
    return this.row.style(x)
  }

  column(index: number): number {
    return this.row.column(index)
  }

  same(other: this): boolean {
    return this.text === other.text
  }
}

/** Marks of the written text that the screen draws in its own way: code has hard blanks at both ends, lists dots. */
function marksOf(text: string): string {
  return text
    .replace(/\u00a0([^\u00a0\n]+)\u00a0/gu, '`$1`')
    .replaceAll('\u00a0', ' ')
    .replace(/^(\s*)• /gmu, '$1- ')
}

export const grammar: Grammar = {
  rules,
  speaks: true,
  transcript(screen, reading) {
    const row = (y: number) => new TranscriptRow(screen.row(y), screen.cols)
    const box = inputBox(screen)
    if (box) return { top: 0, bottom: conversationEnd(screen, box.top), row }
    const dialog = reading.dialog ? panel(screen) : null
    return dialog ? { top: 0, bottom: dialog.top, row } : null
  },
}
