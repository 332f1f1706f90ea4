/** @module adapters/claude/calls - what Claude Code draws of its tool calls and their results. Pure. */
import {
  type BlockContext,
  cutColumns,
  everyCell,
  isBlank,
  proseOf,
  type Row,
  type ScreenItem,
  styleAt,
} from '../../src/adapter/index.js'
import { boldName, bulletTone, toneOf } from './look.js'
import { canonicalTool } from './tools.js'

/** The hook before a call's result: grey; in a text it would have the text's colour. */
export const isResult = (row: Row): boolean =>
  /^ {2}⎿\s/u.test(row.text) && (toneOf(row.style(2).fg) === 'muted' || row.style(2).dim)
export const INTERRUPTED = /Interrupted\s+· What should Claude do instead\?/u
const REJECTED = /^(?:User rejected|Tool use rejected|Rejected|No \()/u
/** What stands where a result will be. */
export const PENDING = /^(?:Running|Waiting|Initializing)…/u
/** Below the output of a running command: how long it runs, how to leave it. */
const MEANWHILE = /^(?:\+\d+ lines? )?\(\d+[smh ]+.*\)$|^\(ctrl\+b /u
const HINT = '(ctrl+o to expand)'
const EXPAND = /\s*\(ctrl\+o to (?:expand|see all)\)$/u
/** Names that the screen shows for others. */
const NAMES: Readonly<Record<string, string>> = { Update: 'Edit', 'Updated plan': 'Write' }

/** Rows that the program wrapped, as text; `first` and `rest` are the columns of their indent. */
export const textOf = (rows: readonly Row[], { cols }: BlockContext, first = 2, rest = first) =>
  proseOf(rows, { cols, first, rest, seam: (before, after) => brokenWord(before, after, cols - rest) })

/** A word that is longer than a row is cut where the row ends. */
function brokenWord(before: string, after: string, width: number): string | null {
  const word = /\S*$/u.exec(before)?.[0] ?? ''
  const rest = /^\S*/u.exec(after.trimStart())?.[0] ?? ''
  return word !== '' && rest !== '' && word.length + rest.length > width ? '' : null
}

/** A call: a bullet in another colour than a text's, then its name in bold, then its input in brackets. */
export function isCall(row: Row): boolean {
  const tone = bulletTone(row)
  if (tone === null || tone === 'text') return false
  const name = boldName(row)
  if (name === '') return false
  const rest = row.text.slice(2 + name.length).trim()
  return rest === '' || rest.startsWith('(')
}

export function call(rows: readonly Row[], { cols }: BlockContext): ScreenItem {
  const first = rows[0] as Row
  const at = rows.findIndex((row) => isResult(row))
  const head = proseOf(rows.slice(0, at < 0 ? rows.length : at), { cols, first: 2, rest: 2 })
  const drawn = boldName(first)
  const name = NAMES[drawn] ?? mcpName(drawn)
  const args = /^\((.*?)\)?$/su.exec(head.slice(drawn.length).trim())?.[1] ?? ''
  const running = bulletTone(first) === 'muted'
  const output = outputOf(at < 0 ? [] : rows.slice(at), running)
  const tool = canonicalTool(name)
  const interrupted = INTERRUPTED.test(output)
  const failed = bulletTone(first) === 'error'
  const stopped = interrupted ? ('interrupted' as const) : REJECTED.test(output) ? ('denied' as const) : null
  return {
    kind: 'tool_call',
    tool,
    name,
    input: args === '' ? null : inputOf(tool, args),
    status: stopped ?? (failed ? 'failed' : running ? 'running' : 'completed'),
    output,
    ...(interrupted ? { outcome: 'interrupted' as const } : {}),
  }
}

/** `lab - echo (MCP)` is the tool `mcp__lab__echo`. */
function mcpName(drawn: string): string {
  const [, server, tool] = /^(.+?) - (.+) \(MCP\)$/u.exec(drawn) ?? []
  return server && tool ? `mcp__${server}__${tool}` : drawn
}

function inputOf(tool: string, args: string): Readonly<Record<string, string>> {
  if (tool === 'shell') return { command: args }
  if (tool === 'read' || tool === 'edit' || tool === 'write') return { path: args }
  if (tool === 'agent') return { description: args }
  return { text: args }
}

/** The result's rows without hook and indent. */
export function outputOf(rows: readonly Row[], running: boolean): string {
  const lines = rows
    .map((row) => cutColumns(row, row.wrapped ? 0 : isResult(row) ? 5 : Math.min(5, indent(row))))
    .map((text) => text.trimEnd().replace(EXPAND, ''))
  if (running) {
    if (PENDING.test(lines[0] ?? '')) return ''
    while (MEANWHILE.test(lines.at(-1) ?? '')) lines.pop()
  }
  return lines.join('\n').trimEnd()
}

const indent = (row: Row) => row.text.length - row.text.trimStart().length

/** Rows that go on with a call: its folded input, its result, and what stands below that. */
export function goesOn(row: Row, above: Row | null): boolean {
  return (above && isBlank(above) ? /^ {5}/u : /^ {2}/u).test(row.text)
}

/**
 * Calls that only look are folded into one line with a count in bold: `Read 2 files`, `Searched for 1 pattern, listed 1
 * directory`. It is grey when done; while they run it has a bullet that blinks.
 */
export function isFolded(row: Row, above: Row | null): boolean {
  if (above && !isBlank(above)) return false
  if (!/^(?:[●⏺][ \u00a0]| {2})\p{Lu}\p{L}+ /u.test(row.text) || !boldNumber(row)) return false
  if (bulletTone(row) === 'muted') return !styleAt(row, 2).bold
  return row.text.startsWith('  ') && everyCell(row, (s) => toneOf(s.fg) === 'muted')
}

/** A thought that is folded into the line of the calls behind it: `Thought for 1s, read 2 files`. */
const THOUGHT_BEFORE = /^Th(?:ought|inking)( for [\dhms ]+), (?=\p{Ll}+ (?:for )?\d)/u
export const isWithCalls = (row: Row): boolean => THOUGHT_BEFORE.test(row.text.slice(2))

/** What stands for the thought in such a line, as it stands where a thought is alone; null in other lines. */
export function thoughtBefore(drawn: string): string | null {
  const [, long] = THOUGHT_BEFORE.exec(drawn) ?? []
  return long === undefined ? null : `Thought${long} ${HINT}`
}

/** Rows that go on with what is folded: its line is broken anywhere before its hint ends, a result may stand below. */
export function goesOnFolded(row: Row, rows: readonly Row[]): boolean {
  if (isResult(row) || /^ {4}/u.test(row.text)) return true
  return /^ {2}\S/u.test(row.text) && !rows.some((r) => isResult(r)) && !EXPAND.test(lineOf(rows))
}

const lineOf = (rows: readonly Row[]): string => rows.map((row) => row.text.trim()).join(' ')

/** Whether a number of the row is bold: a count of what is folded. */
export function boldNumber(row: Row): boolean {
  for (let at = 2; at < row.text.length; at += 1)
    if (/\d/u.test(row.text[at] ?? '') && styleAt(row, at).bold) return true
  return false
}

const DONE: Readonly<Record<string, string>> = {
  Reading: 'Read',
  Listing: 'Listed',
  Searching: 'Searched',
  Calling: 'Called',
  Running: 'Ran',
  Fetching: 'Fetched',
}
const TOOLS = [
  [/^Read/u, 'read'],
  [/^(?:Search|List)/u, 'search'],
  [/^Call/u, 'mcp'],
  [/^Ran/u, 'shell'],
  [/^Fetch/u, 'fetch'],
] as const

/**
 * Folded calls, told as one: how many of a kind the line counts, not what each of them was. Of the thoughts that are
 * folded with them the newest is shown below while the calls run, in slanted letters.
 */
export function folded(rows: readonly Row[], context: BlockContext): readonly ScreenItem[] {
  const at = rows.findIndex((row) => isResult(row))
  const head = textOf(rows.slice(0, at < 0 ? rows.length : at), context)
  const label = thoughtBefore(head)
  const one = foldedLine(head, bulletTone(rows[0] as Row) === 'muted')
  if (label === null) return [one]
  const shown = at < 0 || !(rows[at] as Row).style(5).italic ? [] : rows.slice(at)
  return [{ kind: 'reasoning', text: textOf(shown, context, 5), label }, one]
}

/** The line under the words that it has when done, so that it stays one call. */
export function foldedLine(drawn: string, runs = /^\p{L}+ing /u.test(drawn)): ScreenItem {
  const name = drawn
    .replace(EXPAND, '')
    .replace(/…$/u, '')
    .replace(THOUGHT_BEFORE, '')
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
    .replace(/^\p{L}+/u, (word) => DONE[word] ?? word)
  return {
    kind: 'tool_call',
    tool: TOOLS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other',
    name,
    input: null,
    status: runs ? 'running' : 'completed',
    output: '',
  }
}
