/** @module pi/calls - what Pi draws of its tool calls. Pure. */
import {
  type BlockContext,
  cutColumns,
  firstStyle,
  isBlank,
  proseOf,
  type Row,
  type ScreenItem,
  styleAt,
} from '../../src/adapter/index.js'
import { failedBackground, toneOf } from './look.js'
import { canonicalTool } from './tools.js'

/** ` $ ls -la`, ` read a.py`, ` lab/echo text="hello"`: the name, or a shell's whole command, is bold. */
const SHELL = /^ \$ \S/u
const NAME = /^ ([a-z][\w-]*(?:\/[\w-]+)?)(?: |$|:)/u
const TOOK = /^ (?:Took|Elapsed) [\d.]+m?s?/u
const RUNS = /^ Elapsed /u
const DENIED = /^\s*(?:User denied|Denied by|Blocked by|Tool execution was blocked)\b/iu
const DIFF = /^ [-+]\s*\d/u

export function isCall(row: Row): boolean {
  if (!styleAt(row, 1).bold) return false
  if (SHELL.test(row.text)) return true
  const name = NAME.exec(row.text)?.[1]
  if (!name) return false
  // A heading is bold to its end; behind a bold word of a text the text's own colour goes on, never an input's.
  const rest = row.text.slice(1 + name.length).trimStart()
  const at = row.text.length - rest.length
  if (rest === '') return true
  const [head, tail] = [styleAt(row, 1), styleAt(row, at)]
  return !tail.bold && (tail.fg !== head.fg || tail.dim !== head.dim)
}

export function call(rows: readonly Row[], context: BlockContext): ScreenItem {
  const first = rows[0] as Row
  const shell = SHELL.test(first.text)
  const end = headEnd(rows)
  const head = proseOf(rows.slice(0, end), { cols: context.cols, first: 1, rest: 1, right: 1 })
  const drawn = shell ? 'bash' : (NAME.exec(first.text)?.[1] ?? '')
  const name = drawn.includes('/') ? `mcp__${drawn.replace('/', '__')}` : drawn
  const args = shell ? head.slice(2) : head.slice(drawn.length).trim()
  const body = rows.slice(end)
  const output = body
    .filter((row) => !TOOK.test(row.text))
    .map((row) => (row.wrapped ? row.text : cutColumns(row, 1)).trimEnd())
    .join('\n')
    .replace(/^\n+|\s+$/gu, '')
  const tool = canonicalTool(name)
  return {
    kind: 'tool_call',
    tool,
    name,
    input: args === '' ? null : inputOf(tool, args),
    status: statusOf(rows, body, output, context),
    output,
  }
}

/** The input goes on as long as no free row comes. */
function headEnd(rows: readonly Row[]): number {
  const at = rows.findIndex(isBlank)
  return at < 0 ? rows.length : at
}

function inputOf(tool: string, args: string): Readonly<Record<string, string>> {
  if (tool === 'shell') return { command: args.replace(/ \(timeout \d+s\)$/u, '') }
  if (tool === 'read' || tool === 'edit' || tool === 'write')
    return { path: args.replace(/(?::\d+(?:-\d+)?| \(.*\))$/u, '') }
  return { text: args }
}

function statusOf(rows: readonly Row[], body: readonly Row[], output: string, context: BlockContext) {
  const said = output.split('\n').filter((line) => line.trim() !== '')
  if (said.some((line) => /^\s*(?:Command|Operation) aborted/u.test(line))) return 'interrupted'
  if (said.length > 0 && DENIED.test(said[0] ?? '')) return 'denied'
  if (said.some((line) => /^\s*Command exited with code \d|^\s*Command timed out/u.test(line)))
    return 'failed'
  if (failedBackground(rows[0] as Row)) return 'failed'
  const wrong = body.some(
    (row) => !isBlank(row) && toneOf(firstStyle(row).fg) === 'red' && !DIFF.test(row.text),
  )
  if (wrong) return 'failed'
  if (body.some((row) => RUNS.test(row.text))) return 'running'
  const done = body.some((row) => /^ Took /u.test(row.text))
  return !done && context.newest && context.reading.state !== 'idle' ? 'running' : 'completed'
}
