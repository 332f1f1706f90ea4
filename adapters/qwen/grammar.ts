/** @module adapters/qwen/grammar - how Qwen Code draws its conversation. Pure; grammar of 0.24.4 and 0.15.10. */
import {
  type BlockRule,
  furniture,
  type Grammar,
  isBlank,
  proseOf,
  type Row,
  type ScreenItem,
  type ScreenView,
  styleAt,
} from '../../src/adapter/index.js'
import { callsOf, continuesCall, isCallHead } from './calls.js'
import { composerBox, conversationEnd } from './composer.js'
import { readDialog } from './dialog.js'
import { ConversationRow, hasScrollBar, withoutScrollBar } from './scroll-bar.js'
import { answerOf } from './text.js'

/** Everything has its mark in the third column; what belongs to it is indented by four. */
const PROMPT = /^ {2}([>$]) \S/u
const ANSWER = /^ {2}[◆✦]\ufe0e? /u
/** `∵ Thinking… 1s` while it goes on, `∴ Thought for 1s (ctrl+o to expand)` behind. */
const THOUGHT = /^ {2}[∴∵]\ufe0e? \S/u
const NOTICE = /^ {2}([●△⚠✕ℹ])\ufe0e? +\S/u
const COMPACTED =
  /^Chat history compress|^Compression was not|^Could not compress chat|^Nothing to compress\./u
const CANCELLED = /^Request cancelled\.$/u
/** Errors that end a turn. */
const FAILED = /^\[(?:API|[A-Z]\w*) Error\b/u
const RETRY = /\s*\(Press Ctrl\+Y to retry\)$/u
const INDENT = 4
/** Rows that the head of a call that asks may take, and a blank one below. */
const HEAD_ROWS = 8
const LEVELS: Readonly<Record<string, 'info' | 'warning' | 'error'>> = {
  '△': 'warning',
  '⚠': 'warning',
  '✕': 'error',
}
/** A command is one word of letters behind its slash; a path has more slashes. */
const COMMAND = /^\/[\p{L}?][\w:-]*(?: [^\n]*)?$/u

const indented = (row: Row) => /^ {4}/u.test(row.text)
/** The index of the text behind a mark, which may be followed by a variation selector. */
const textAt = (row: Row) => /^ {2}\S\ufe0e? */u.exec(row.text)?.[0].length ?? INDENT

/** The mark and the text have one colour: the whole row is one saying of the program. */
function oneColor(row: Row): boolean {
  const { fg } = row.style(2)
  return fg !== 'default' && styleAt(row, textAt(row)).fg === fg
}

const rules: readonly BlockRule[] = [
  {
    id: 'qwen.prompt',
    starts: (row) => PROMPT.test(row.text) && row.style(2).fg !== 'default',
    continues: indented,
    item: promptOf,
  },
  {
    id: 'qwen.call',
    starts: isCallHead,
    continues: (row, { open }) => continuesCall(row, open?.rows[0]),
    item: (rows, { cols }) => callsOf(rows, cols),
  },
  furniture('qwen.frame', (row) => /^ {2}[╭╰]─+[╮╯]$/u.test(row.text)),
  {
    id: 'qwen.thought',
    starts: (row) => THOUGHT.test(row.text) && row.style(2).italic,
    continues: indented,
    item: thoughtOf,
  },
  furniture('qwen.context-files', (row) => /^ {2}●\ufe0e? Read context files: /u.test(row.text), indented),
  furniture('qwen.compacting', (row) => /^ {2}[⠀-⣿] (?:Compressing chat|Exporting )/u.test(row.text)),
  furniture('qwen.retrying', (row) => /^ {2}↻ /u.test(row.text), indented),
  {
    id: 'qwen.notice',
    starts: (row) => NOTICE.test(row.text),
    continues: indented,
    item: noticeOf,
  },
  {
    id: 'qwen.success',
    starts: (row) => /^ {2}✓ \S/u.test(row.text) && oneColor(row),
    continues: indented,
    item: noticeOf,
  },
  {
    // 0.15.10 gives thoughts the answer's mark in grey.
    id: 'qwen.grey-thought',
    starts: (row) => /^ {2}✦\ufe0e? /u.test(row.text) && oneColor(row) && !isOwnWords(row),
    continues: indented,
    item: (rows, { cols }) => ({ kind: 'reasoning', text: answerOf(rows, cols) }),
  },
  {
    id: 'qwen.compacted',
    starts: (row) => ANSWER.test(row.text) && isOwnWords(row) && styleAt(row, textAt(row)).fg !== 'default',
    continues: indented,
    item: (rows, { cols }) => ({ kind: 'compaction', text: answerOf(rows, cols) }),
  },
  {
    id: 'qwen.answer',
    starts: (row) => ANSWER.test(row.text),
    continues: indented,
    item: (rows, { cols }) => {
      const text = answerOf(rows, cols)
      return text === '' ? null : { kind: 'assistant_message', text }
    },
  },
]

/** Said by the program behind the answer's mark. */
const isOwnWords = (row: Row): boolean => COMPACTED.test(row.text.slice(textAt(row)))

function promptOf(rows: readonly Row[], { cols }: { cols: number }): ScreenItem {
  const text = proseOf(rows, { cols, first: INDENT, rest: INDENT, right: 2 })
  if (rows[0]?.text[2] === '$') return { kind: 'command', text: `!${text}` }
  return { kind: COMMAND.test(text) ? 'command' : 'user_message', text }
}

function noticeOf(rows: readonly Row[], { cols }: { cols: number }): ScreenItem {
  const head = rows[0] as Row
  const at = textAt(head)
  const shape = { cols, first: head.column(at), rest: INDENT, right: 2 }
  const text = proseOf(rows, shape).replace(RETRY, '')
  const level = LEVELS[head.text[2] ?? ''] ?? 'info'
  if (CANCELLED.test(text)) return { kind: 'notice', level, text, outcome: 'interrupted' }
  if (level === 'error' && FAILED.test(text)) return { kind: 'notice', level, text, outcome: 'failed' }
  return { kind: 'notice', level, text }
}

/** Folded it has only its head: `Thought for 1s`. */
function thoughtOf(rows: readonly Row[], { cols }: { cols: number }): ScreenItem {
  const head = rows[0] as Row
  const label = head.text.slice(textAt(head)).trim()
  return { kind: 'reasoning', text: bodyOf(rows.slice(1), cols), ...(/∴/u.test(head.text) ? { label } : {}) }
}

function bodyOf(rows: readonly Row[], cols: number): string {
  const from = rows.findIndex((row) => !isBlank(row))
  if (from < 0) return ''
  return proseOf(rows.slice(from), { cols, first: INDENT, rest: INDENT, right: 2 })
}

/** The first row below the head of the call that asks: with it the call stays in its place. */
function askedCallEnd(screen: ScreenView, top: number): number {
  for (let y = top + 1; y < Math.min(screen.rows, top + HEAD_ROWS); y += 1)
    if (screen.text(y).replace(/[│█]$/u, '').trim() === '') return y
  return top
}

const own = (screen: ScreenView, y: number): Row => new ConversationRow(screen.row(y), false)

export const grammar: Grammar = {
  rules,
  transcript(screen, reading) {
    const box = composerBox(screen)
    const found = box || !reading.dialog ? null : readDialog(screen)
    // A framed dialog leaves too little of the conversation to find its place by.
    if (!box && (!found || found.framed)) return null
    const bottom = box ? conversationEnd(screen, box) : askedCallEnd(screen, found?.top ?? 0)
    if (!screen.alternate || !hasScrollBar(screen, bottom))
      return { top: 0, bottom, row: (y) => own(screen, y) }
    const rows = withoutScrollBar(screen, bottom)
    return { top: 0, bottom: rows.length, row: (y) => rows[y] ?? own(screen, y) }
  },
}
