/** @module adapters/gemini/calls - tool calls as Gemini CLI draws them: framed boxes and compact lines. Pure. */
import { isBlank, type Row, type ScreenItem, styleAt } from '../../src/adapter/index.js'
import { leftoverRows } from './leftover.js'
import { canonicalTool, inputOf } from './tools.js'

/** `? ` asked, `o` waiting, `⊶ ⊷` running, `✓` done, `-` cancelled, `x` failed; three columns, then the bold name. */
const HEAD = /^(?:│ | {2})([?o⊶⊷✓x✗-]) {2}\S/u
const AGENTS = /^│ ≡ (\S.*?)\s*(?:\(ctrl\+o to \w+\))?\s*│?$/u
const FRAMED = /^│/u
/** Narrower than it was, the terminal broke the row of its edge. */
const EDGE = /^[╭╰]─+[╮╯]?$/u
const CLOSED = /^╰─/u
/** Only the frame's sides. */
const BARE = /^[│\s]*$/u
/** A running shell's key for the keyboard. */
const FOCUS = /\s+\([^()]* to (?:un)?focus\)$/u
const NAME_AT = 5

type Status = Extract<ScreenItem, { kind: 'tool_call' }>['status']

/** A call's first row: its mark has a colour of its own and its name is bold, which no text has. */
export function isCallHead(row: Row): boolean {
  if (!HEAD.test(row.text)) return false
  const mark = styleAt(row, 2)
  const name = styleAt(row, NAME_AT)
  return name.bold && (mark.fg !== name.fg || (mark.fg === 'default' && FRAMED.test(row.text)))
}

export const isAgentsHead = (row: Row): boolean => AGENTS.test(row.text) && styleAt(row, NAME_AT - 1).bold

export const isFrameEdge = (row: Row): boolean => EDGE.test(row.text)

/** The lower edge of the frame in which a call stands last. */
export const closesCall = (row: Row, head: Row | undefined): boolean =>
  head !== undefined && isCallHead(head) && FRAMED.test(head.text) && CLOSED.test(row.text)

/** Rows of the same frame, or of the same compact line. A call's last row is bare, but where its frame has no end. */
export function continuesCall(row: Row, head: Row | undefined, below: Row | null): boolean {
  if (head && FRAMED.test(head.text)) {
    const last = below === null || isBlank(below)
    return (FRAMED.test(row.text) && !(last && BARE.test(row.text))) || closesCall(row, head)
  }
  return /^ {3}/u.test(row.text) || row.text.trim() === ''
}

/** `newest`: nothing stands below it. */
export function callOf(block: readonly Row[], newest: boolean): ScreenItem | null {
  const head = block[0]
  if (!head) return null
  const framed = FRAMED.test(head.text)
  const end = framed ? block.findIndex((row) => CLOSED.test(row.text)) : -1
  // Frames of calls that run stand last: with something below, this one is left of an earlier drawing.
  if (end >= 0 && !newest && statusOf(head.text[2] ?? '', '') === 'running') return null
  // Cut off below its text: a frame that has no end is left of an earlier drawing.
  if (framed && end < 0 && !BARE.test(block.at(-1)?.text ?? '')) return null
  const rows = withoutLeftover(end < 0 ? block : block.slice(0, end))
  const { name, rest, summary } = headOf(head, framed)
  const tool = canonicalTool(name)
  const lines = rows.slice(1).map((row) => lineOf(row, framed))
  while (lines[0] === '') lines.shift()
  const output = [...(summary === '' ? [] : [summary]), ...lines].join('\n').trimEnd()
  return {
    kind: 'tool_call',
    tool,
    name,
    input: inputOf(tool, rest),
    status: statusOf(head.text[2] ?? '', output),
    output,
  }
}

function withoutLeftover(rows: readonly Row[]): readonly Row[] {
  const end = leftoverRows(rows).indexOf(true)
  return end < 0 ? rows : rows.slice(0, end)
}

function statusOf(mark: string, output: string): Status {
  if (mark === '✓') return 'completed'
  if (mark === 'x' || mark === '✗') return 'failed'
  // The same mark stands for a refused call and for one that was stopped: only a result tells that it ran.
  if (mark === '-') return output === '' || /^→ Rejected/u.test(output) ? 'denied' : 'interrupted'
  return 'running'
}

/** The bold name, what stands beside it, and behind an arrow in another colour the result. */
function headOf(row: Row, framed: boolean): { name: string; rest: string; summary: string } {
  const text = framed ? row.text.replace(/\s*│$/u, '') : row.text
  let end = NAME_AT
  while (end < text.length && (styleAt(row, end).bold || text[end] === ' ')) end += 1
  const name = text.slice(NAME_AT, end).trim()
  const rest = text.slice(end)
  const arrow = framed ? -1 : arrowIn(row, text, end)
  if (arrow < 0) return { name, rest: rest.trim().replace(FOCUS, ''), summary: '' }
  return { name, rest: text.slice(end, arrow).trim(), summary: text.slice(arrow).trim() }
}

function arrowIn(row: Row, text: string, from: number): number {
  for (let at = text.indexOf('→', from); at >= 0; at = text.indexOf('→', at + 1)) {
    const before = text.slice(from, at).trim() === '' ? null : styleAt(row, from).fg
    if (text[at - 1] === ' ' && styleAt(row, at).fg !== before) return at
  }
  return -1
}

/** What stands in the frame; a payload of a compact line is indented six columns. */
function lineOf(row: Row, framed: boolean): string {
  if (!framed) return row.text.replace(/^ {3,6}/u, '').trimEnd()
  return row.text.replace(/^│ ?/u, '').replace(/\s*│$/u, '').trimEnd()
}

/** A group of agents: its state is said in words, each agent has a row. */
export function agentsOf(rows: readonly Row[]): ScreenItem | null {
  const title = AGENTS.exec(rows[0]?.text ?? '')?.[1] ?? ''
  const running = /\brunning\b|^Running\b/u.test(title)
  const status: Status = running
    ? 'running'
    : /Cancelled/u.test(title)
      ? 'interrupted'
      : /Error/u.test(title)
        ? 'failed'
        : 'completed'
  const output = rows
    .slice(1)
    .map((row) => lineOf(row, true))
    .join('\n')
    .trim()
  return { kind: 'tool_call', tool: 'agent', name: 'Agent', input: null, status, output }
}
