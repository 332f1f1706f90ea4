/** @module adapters/gemini/grammar - how Gemini CLI draws its conversation. Pure; grammar of 0.61.0, main screen. */
import {
  type BlockRule,
  firstStyle,
  furniture,
  type Grammar,
  hasBackground,
  isBlank,
  proseOf,
  type Row,
  type RowPlace,
  type ScreenItem,
  styleAt,
} from '../../src/adapter/index.js'
import {
  agentsOf,
  callOf,
  closesCall,
  continuesCall,
  isAgentsHead,
  isCallHead,
  isFrameEdge,
} from './calls.js'
import { composerBox, conversationEnd } from './composer.js'
import { readDialog } from './dialog.js'
import { belowLeftover, EMPTY_BOX, isDrawnAgain, isLeftover } from './leftover.js'
import { answerOf, isCodeRow } from './text.js'

/** A prompt between half blocks; `$` is the shell mode's. */
const PROMPT = /^ ([>$]) /u
/** Without backgrounds the prompt's sign stands at the edge. */
const BARE_PROMPT = /^([>$]) \S/u
/** One word behind its slash; a path has more slashes. */
const COMMAND = /^\/[\p{L}?][\w:-]*(?:\s|$)/u
const COMPACTED =
  /^✦ (?:Chat history compress|Compression was not|Could not compress chat|Nothing to compress\.)/u
const THINKING = /^ Thinking\.\.\.$/u
const THOUGHT = /^ │(?: |$)/u
const CANCELLED = /^Request cancelled\.$/u
/** Errors that end a turn. */
const FAILED = /^\[(?:API|[A-Z]\w*) Error\b/u
const MARKS: Readonly<Record<string, 'info' | 'warning' | 'error'>> = {
  ℹ: 'info',
  '⚠': 'warning',
  '✕': 'error',
}
/** The first line of a code block. */
const FIRST_CODE = /^ {3} *1(?: |$)/u
const NOTICE = /^([ℹ⚠✕])\ufe0f? {1,2}\S/u

const indented = (row: Row) => /^ {2}/u.test(row.text)
const isPrompt = (row: Row) => PROMPT.test(row.text) && hasBackground(row) && !EMPTY_BOX.test(row.text)
const isBarePrompt = (row: Row, { above }: RowPlace) =>
  BARE_PROMPT.test(row.text) &&
  (above === null || isBlank(above)) &&
  row.style(0).fg !== 'default' &&
  row.style(0).fg !== styleAt(row, 2).fg

const rules: readonly BlockRule[] = [
  furniture('gemini.prompt-edge', (row, { open }) => /^[▄▀]{10,}$/u.test(row.text) && !belowLeftover(open)),
  furniture('gemini.old-box', (row, { open }) => EMPTY_BOX.test(row.text) && !belowLeftover(open)),
  {
    id: 'gemini.prompt',
    starts: isPrompt,
    continues: (row) => hasBackground(row),
    item: (rows, { cols }) => promptOf(rows, cols, 3),
  },
  {
    id: 'gemini.bare-prompt',
    starts: isBarePrompt,
    continues: (row) => indented(row) && !isCallHead(row),
    item: (rows, { cols }) => promptOf(rows, cols, 2),
  },
  {
    id: 'gemini.call',
    starts: isCallHead,
    continues: (row, { open, below }) => continuesCall(row, open?.rows[0], below) || isLeftover(row, open),
    item: (rows, { newest }) => callOf(rows, newest),
  },
  {
    id: 'gemini.agents',
    starts: isAgentsHead,
    continues: (row) => row.text.startsWith('│'),
    item: (rows) => agentsOf(rows),
  },
  furniture('gemini.frame', (row, { open }) => isFrameEdge(row) && !closesCall(row, open?.rows[0])),
  {
    id: 'gemini.thinking',
    starts: (row, { open }) =>
      (THINKING.test(row.text) && styleAt(row, 1).italic) ||
      (THOUGHT.test(row.text) && open?.rule.id !== 'gemini.thinking' && row.style(1).fg !== 'default'),
    continues: (row) => THOUGHT.test(row.text) || isBlank(row),
    item: thoughtsOf,
  },
  {
    id: 'gemini.compacted',
    starts: (row) => COMPACTED.test(row.text) && isStatusText(row),
    continues: (row) => indented(row),
    item: (rows, { cols }) => ({ kind: 'compaction', text: proseOf(rows, { cols, first: 2, rest: 2 }) }),
  },
  furniture('gemini.compacting', (row) => /^[⠀-⣿] (?:Compressing chat|Exporting )/u.test(row.text)),
  furniture('gemini.model', (row) => /^ {2}Responding with \S/u.test(row.text) && firstStyle(row).italic),
  {
    id: 'gemini.notice',
    starts: (row) => NOTICE.test(row.text),
    // Its rows have the mark's colour; an answer that goes on below has not.
    continues: (row, { open }) =>
      isBlank(row) || (indented(row) && firstStyle(row).fg === open?.rows[0]?.style(0).fg),
    item: noticeOf,
  },
  {
    // Its empty beginning was committed before the code, and is not drawn.
    id: 'gemini.code-answer',
    starts: (row, { open }) => FIRST_CODE.test(row.text) && beginsAnswer(open) && isCodeRow(row),
    continues: (row, { open }) => indented(row) || isLeftover(row, open),
    item: (rows, { cols }) => ({ kind: 'assistant_message', text: answerOf(rows, cols) }),
  },
  {
    id: 'gemini.answer',
    starts: (row, { open }) => /^✦ /u.test(row.text) && !isDrawnAgain(row, open),
    continues: (row, { open }) => indented(row) || isLeftover(row, open) || isDrawnAgain(row, open),
    item: (rows, { cols }) => {
      const text = answerOf(rows, cols)
      return text === '' ? null : { kind: 'assistant_message', text }
    },
  },
]

/** Below a prompt, a thought or the frame of calls; calls without a frame have numbered lines of their own. */
function beginsAnswer(open: RowPlace['open']): boolean {
  if (open?.rule.id === 'gemini.call') return open.rows.some(isFrameEdge)
  return open !== null && /^gemini\.(?:prompt-edge|frame|thinking)$/u.test(open.rule.id)
}

/** The program's own words behind the answer's mark have the colour of success; a model's text is white or default. */
function isStatusText(row: Row): boolean {
  const { fg } = styleAt(row, 2)
  return fg !== 'default' && fg !== '#ffffff' && fg !== 7 && fg !== 15
}

function promptOf(rows: readonly Row[], cols: number, cut: number): ScreenItem {
  const text = proseOf(rows, { cols, first: cut, rest: cut, right: 1 })
  const head = rows[0] as Row
  const sign = cut - 2
  if (head.text[sign] === '$') return { kind: 'command', text: `!${text}` }
  // A command has the colour of its sign; so may a path have.
  const command = COMMAND.test(text) && styleAt(head, cut).fg === head.style(sign).fg
  return { kind: command ? 'command' : 'user_message', text }
}

function noticeOf(rows: readonly Row[], { cols }: { cols: number }): ScreenItem {
  const mark = NOTICE.exec(rows[0]?.text ?? '')
  const first = /^\S\ufe0f? +/u.exec(rows[0]?.text ?? '')?.[0] ?? ''
  const text = proseOf(rows, { cols, first: rows[0]?.column(first.length) ?? 2, rest: 2 })
  const level = MARKS[mark?.[1] ?? ''] ?? 'info'
  if (CANCELLED.test(text)) return { kind: 'notice', level, text, outcome: 'interrupted' }
  if (level === 'error' && FAILED.test(text)) return { kind: 'notice', level, text, outcome: 'failed' }
  return { kind: 'notice', level, text }
}

/** Each thought has an empty row, a bold subject, and what it says. */
function thoughtsOf(rows: readonly Row[], { cols }: { cols: number }): ScreenItem | null {
  const parts: string[] = []
  let said: Row[] = []
  const flush = () => {
    if (said.length > 0) parts.push(proseOf(said, { cols, first: 3, rest: 3, right: 1 }))
    said = []
  }
  for (const row of rows) {
    if (!THOUGHT.test(row.text)) continue
    const text = row.text.slice(3)
    if (text.trim() === '') flush()
    else if (styleAt(row, 3).bold) {
      flush()
      parts.push(`**${text.trim()}**`)
    } else said.push(row)
  }
  flush()
  return parts.length === 0 ? null : { kind: 'reasoning', text: parts.join('\n') }
}

export const grammar: Grammar = {
  rules,
  transcript(screen, reading) {
    const box = composerBox(screen)
    if (box) return { top: 0, bottom: conversationEnd(screen, box) }
    if (!reading.dialog) return null
    const found = readDialog(screen)
    return found ? { top: 0, bottom: found.top } : null
  },
}
