/** @module codex/cells - what Codex's cells of tool calls say: commands, reads, edits, calls of servers. Pure; 0.171. */
import {
  type BlockContext,
  cutColumns,
  isBlank,
  proseOf,
  type Row,
  type ScreenItem,
  styleAt,
} from '../../src/adapter/index.js'
import { lineOf, seam } from './prose.js'
import { canonicalTool, toolOfWord } from './tools.js'

type Call = Extract<ScreenItem, { kind: 'tool_call' }>

/** Palette colours of a bullet, of a count of added lines, of a read's verb. */
export const RED = 1
/** Done. */
export const GREEN = 2
export const VERB = 75

const RESULT = /^ {2}└(?: |$)/u
/** The rest of a command that was wrapped or written in several lines. */
export const COMMAND_REST = /^ {2}│ /u
/** A cell that begins with a bold word: `Ran make`, `Exited (status 3) make`. */
export const HEAD = /^[•◦] (\p{Lu}\p{L}+)(?: \(status (-?\d+)\))?(?: (.*))?$/su
/** The head of a cell of reads. */
export const EXPLORE = /^[•◦] Explor(?:ed|ing)(?: · .+)?$/u
/** A picture that the model looked at. */
export const IMAGE = /^• Viewed [Ii]mage (\S.*)$/u
const EXIT = / \(exit -?\d+\)$/u
/** The answers to the model's questions. */
export const QUESTIONS = /^[•◦] Questions \d+\/\d+ answered/u
/** One row of a cell of reads. */
export const READ = /^ {2}[└ ] (Read|Search|List|Run)(?: (.*))?$/su
/** The head of a patch, with its counts of lines. */
export const EDIT = /^[•◦] (?:Edited|Added|Deleted|Editing|Proposed Change) (.+?) \(\+\d+ -\d+\)$/su
/** A call of a server's tool. */
export const MCP = /^[•◦] Call(?:ed|ing) ([\w-]+\.[\w-]+.*)$/su
/** A command that runs, or that is asked about. */
export const RUNNING = /^[•◦] Running \S/u
/** A command of the person's own. */
export const SHELL_MODE = /^[•◦] You ran (.*)$/su
export const VERDICT = /^([✔✗]) You .+? to run (.*)$/su
/** How Codex says that a turn was stopped by a person. */
export const INTERRUPTED = /^■ Conversation interrupted/u
/** What is folded away. */
export const MORE = /^ {4}\+ ?(?:\d+ lines?|Show details)/u

const bullet = (row: Row) => /^[•◦] \S/u.test(row.text)
/** A text's bullet is dim and its words are plain; a call's first word is bold. */
export const boldWord = (row: Row) => bullet(row) && styleAt(row, 2).bold
/** The bullet of a command is green, red or blinking, never dim while it stands still. */
export const ownBullet = (row: Row) => boldWord(row) && (row.text.startsWith('◦') || !row.style(0).dim)

/** Rows below a head that belong to it. */
export const below = (row: Row) => RESULT.test(row.text) || /^ {4}/u.test(row.text)

/** One read. */
export function explored(rows: readonly Row[], { newest, reading }: BlockContext): Call {
  const line = lineOf(
    rows.filter((row) => !MORE.test(row.text)),
    4,
    6,
  )
  const text = line.replace(EXIT, '')
  // Reads of the same kind are added to the last row while the cell is open.
  const open = newest && reading.state === 'running'
  return {
    kind: 'tool_call',
    tool: 'shell',
    name: 'exec_command',
    input: text.startsWith('Run ') ? { command: text.slice(4) } : { text },
    status: open ? 'running' : text === line ? 'completed' : 'failed',
    output: '',
  }
}

/** A patch. */
export function edit(rows: readonly Row[], { newest, reading }: BlockContext): Call {
  const [, what = ''] = EDIT.exec(rows[0]?.text ?? '') ?? []
  const asked = newest && reading.state !== 'idle'
  const cut = interrupted(rows)
  return {
    kind: 'tool_call',
    tool: 'edit',
    name: 'apply_patch',
    input: /^\d+ files$/u.test(what) ? null : { path: what.replace(/^.+ → /u, '') },
    status: cut ? 'interrupted' : asked ? 'running' : 'completed',
    output: rows
      .slice(1)
      .filter((row) => !MORE.test(row.text) && !INTERRUPTED.test(row.text))
      .map((row) => cutColumns(row, 4).trimEnd())
      .join('\n')
      .trim(),
    ...(cut ? { outcome: 'interrupted' as const } : {}),
  }
}

/** Whether a turn was stopped right below. */
export const interrupted = (rows: readonly Row[]) => rows.some((row) => INTERRUPTED.test(row.text))

/** A call of a server's tool. */
export function mcp(rows: readonly Row[]): Call {
  const head = headRows(rows)
  const [, what = ''] = MCP.exec(lineOf(head, 0, 4)) ?? []
  const [, name = what, input = ''] = /^([^(]+)(?:\((.*)\))?$/su.exec(what) ?? []
  const [server = '', tool = ''] = name.split('.')
  const output = outputOf(rows)
  const running = /^[•◦] Calling/u.test(rows[0]?.text ?? '')
  const failed = rows[0]?.style(0).fg === RED
  return {
    kind: 'tool_call',
    tool: 'mcp',
    name: tool === '' ? name : `mcp__${server}__${tool}`,
    input: input === '' ? null : { text: input },
    status: running ? 'running' : failed ? 'failed' : 'completed',
    output,
  }
}

/** A command, or any other cell with a bold word. */
export function call(rows: readonly Row[], cols: number): Call {
  const [, word = '', status] = HEAD.exec(rows[0]?.text ?? '') ?? []
  const name = toolOfWord(word)
  const tool = canonicalTool(name ?? word)
  const text = commandOf(rows, cols)
  const running = /^(?:Running|Waiting|Searching)$/u.test(word)
  const failed = status !== undefined || rows[0]?.style(0).fg === RED
  return {
    kind: 'tool_call',
    tool,
    name: name ?? word,
    input: text === '' ? null : tool === 'shell' ? { command: text } : { text },
    status: running ? 'running' : failed ? 'failed' : 'completed',
    output: outputOf(rows),
  }
}

/** The first row and those that go on with it, before the result. */
function headRows(rows: readonly Row[]): readonly Row[] {
  const at = rows.findIndex((row, n) => n > 0 && (RESULT.test(row.text) || isBlank(row)))
  return rows.slice(0, at < 0 ? rows.length : at)
}

/** The command behind the cell's words; rows behind a `│` are its further lines, or rows that were wrapped. */
export function commandOf(rows: readonly Row[], cols: number): string {
  return proseOf(headRows(rows), { cols, first: 2, rest: 4, seam })
    .replace(/^(?:You ran|\p{Lu}\p{L}+)(?: \(status -?\d+\))? ?/u, '')
    .replace(/\n?… \+\d+ lines?$/u, '\n…')
}

/** The rows of a result. */
export function outputOf(rows: readonly Row[]): string {
  const at = rows.findIndex((row) => RESULT.test(row.text))
  if (at < 0) return ''
  const text = rows
    .slice(at)
    .map((row) => (MORE.test(row.text) ? `…${row.text.trim()}` : cutColumns(row, 4).trimEnd()))
  return text.join('\n').trim()
}
