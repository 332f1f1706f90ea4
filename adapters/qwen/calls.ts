/** @module adapters/qwen/calls - tool calls as Qwen Code draws them: plain rows, in 0.15.10 framed boxes. Pure. */
import { isBold, type Row, type ScreenItem, styleAt } from '../../src/adapter/index.js'
import { canonicalTool, FOLDED_READ, filesOf, foldedName, inputOf } from './tools.js'

/** `?` asked, `.` and `..` running, `✓` done, `-` cancelled, `x` failed; two columns (framed: three), then the bold name. */
const MARK = String.raw`([?o⊶⊷✓x✗-]|\.{1,3}|[⠀-⣿])`
const HEAD = new RegExp(String.raw`^ {2}${MARK}\ufe0e? {0,2}(?=\S)`, 'u')
const FRAMED_HEAD = new RegExp(String.raw`^ {2}│ ${MARK}\ufe0e? {0,2}(?=\S)`, 'u')
const FRAMED = /^ {2}│/u
/** A running shell counts what came. */
const COUNTER = /^\d+(?:\.\d+)? [KMG]?B$/u
/** A running shell's key for the keyboard. */
const FOCUS = /\s+\([^()]* to (?:un)?focus\)$/u

type Status = Extract<ScreenItem, { kind: 'tool_call' }>['status']

/** Where the name begins on a call's first row; -1 on other rows. A name is bold, which a notice or a text is not. */
function nameAt(row: Row): number {
  const match = HEAD.exec(row.text) ?? FRAMED_HEAD.exec(row.text)
  if (!match) return -1
  const at = match[0].length
  const width = FRAMED.test(row.text) ? 7 : 4
  return row.column(at) === width && styleAt(row, at).bold ? at : -1
}

export const isCallHead = (row: Row): boolean => nameAt(row) >= 0

export function continuesCall(row: Row, head: Row | undefined): boolean {
  return head && FRAMED.test(head.text) ? FRAMED.test(row.text) : /^ {4}/u.test(row.text)
}

/** The calls of one head: files that are read together share it. */
export function callsOf(rows: readonly Row[], cols: number): readonly ScreenItem[] {
  const head = rows[0]
  const at = head ? nameAt(head) : -1
  if (!head || at < 0) return []
  const framed = FRAMED.test(head.text)
  const { name, rest: begun, bold } = headOf(rows, at, framed)
  const wrapped = framed || bold > 0 ? bold : wrappedRows(rows, begun, cols)
  const more = bold > 0 ? [] : rows.slice(1, 1 + wrapped).map((row) => row.text.trim())
  const rest = [begun, ...more].join(' ')
  const tool = canonicalTool(name)
  const mark = (HEAD.exec(head.text) ?? FRAMED_HEAD.exec(head.text))?.[1] ?? ''
  const lines = rows.slice(1 + wrapped).map((row) => lineOf(row, framed))
  while (lines[0] === '') lines.shift()
  const running = /^[.?o⊶⊷⠀-⣿]/u.test(mark)
  if (running && COUNTER.test(lines.at(-1) ?? '')) lines.pop()
  const output = lines.join('\n').trimEnd()
  const status = statusOf(mark, output)
  const inputs = name === FOLDED_READ ? filesOf(rest) : [rest]
  return inputs.map((input, n) => ({
    kind: 'tool_call',
    tool,
    name,
    input: inputOf(tool, input),
    status,
    output: n === inputs.length - 1 ? output : '',
  }))
}

function statusOf(mark: string, output: string): Status {
  if (mark === '✓') return 'completed'
  if (mark === 'x' || mark === '✗') return 'failed'
  // The same mark stands for a refused call and for one that was stopped: only a result tells that it ran.
  if (mark === '-') return output === '' ? 'denied' : 'interrupted'
  return 'running'
}

/** `bold`: how many rows below the first a line that is all bold takes. */
function headOf(
  rows: readonly Row[],
  at: number,
  framed: boolean,
): { name: string; rest: string; bold: number } {
  const row = rows[0] as Row
  const text = framed ? row.text.replace(/\s*│$/u, '') : row.text.replace(/\s+←$/u, '')
  let end = at
  while (end < text.length && (styleAt(row, end).bold || text[end] === ' ')) end += 1
  const name = text.slice(at, end).trim()
  const rest = text.slice(end).trim().replace(FOCUS, '')
  if (rest !== '' || !foldedName(name)) return { name, rest, bold: 0 }
  const next = framed ? 1 : rows.findIndex((r, n) => n > 0 && !isBold(r))
  const bold = (next < 0 ? rows.length : next) - 1
  const line = [name, ...rows.slice(1, 1 + bold).map((r) => r.text.trim())].join(' ')
  return { ...(foldedName(line) ?? { name, rest }), bold }
}

/** How many rows the head goes on: in its colour, and only where the next word had no room behind it. */
function wrappedRows(rows: readonly Row[], rest: string, cols: number): number {
  const fg = styleAt(rows[0] as Row, Math.max(0, (rows[0]?.text.length ?? 1) - 1)).fg
  let count = 0
  if (rest === '' || fg === 'default') return 0
  for (let at = 1; at < rows.length; at += 1) {
    const [above, row] = [rows[at - 1] as Row, rows[at] as Row]
    const word = /^ {4}(\S+)/u.exec(row.text)?.[1]
    if (word === undefined || styleAt(row, 4).fg !== fg) break
    if (above.column(above.text.length) + 1 + word.length <= cols - 4) break
    count = at
  }
  return count
}

function lineOf(row: Row, framed: boolean): string {
  if (!framed) return row.text.slice(4).trimEnd()
  return row.text
    .replace(/^ {2}│ ?/u, '')
    .replace(/\s*│$/u, '')
    .trimEnd()
}
