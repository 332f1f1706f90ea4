/** @module opencode/blocks - a tool call's block: its line between padding, then what came out. Pure. */
import { cutColumns, type Row, styleAt } from '../../src/adapter/index.js'
import { type Call, call, headOf, ICON, SPINNER, type Status, unhung } from './calls.js'
import { MUTED, TEXT } from './palette.js'
import { barOf, edgeOf, isPadding, TEXT_AT } from './rows.js'
import { isWhole } from './shell.js'
import { joined, type TextPlace } from './text.js'

/** Before a command, and before one that runs. */
const COMMAND = /^[$⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]\s/u
/** What a command's output ends with when a person stopped it. */
const ABORTED = /<shell_metadata>\n.*\babort(?:ed)?\b.*\n<\/shell_metadata>$/u

/** Below an output of which not all is shown. */
const FOLD = /^ *┃ +Click to expand$/u
export const isFold = (row: Row): boolean => FOLD.test(row.text)

/** `over`: the program is idle, nothing runs any more. Behind the block may stand the mark of an interrupt. */
export function blockCall(all: readonly Row[], cols: number, over: boolean): Call | null {
  const end = all.findLastIndex((row) => barOf(row) !== null) + 1
  const rows = all.slice(0, end)
  if (!isPadding(rows[0]) || !isPadding(rows.at(-1))) return null
  const place = { cut: TEXT_AT, edge: edgeOf(rows, cols) }
  let { line, body } = headAndBody(rows.slice(1, -1), place)
  // `# Running in folder` stands above the command.
  if (/^# Running in /u.test(line) && body.length > 0) ({ line, body } = headAndBody(body, place))
  const spinning = SPINNER.test(line)
  const found = headOf(line) ?? (spinning ? { name: 'bash', input: { command: line.slice(ICON) } } : null)
  if (!found) return null
  const lines = body.map((row) => cutColumns(row, TEXT_AT).trimEnd())
  const folded = lines.findIndex((text) => /^Click to (?:expand|collapse)$/u.test(text))
  const output = (folded < 0 ? lines : lines.slice(0, folded)).join('\n').replace(/^\n+|\s+$/gu, '')
  if (end < all.length) return { ...call(found, 'interrupted', output), outcome: 'interrupted' }
  return call(found, blockStatus(found.name, body, output, spinning, over), output)
}

/** A block's line ends at the first padding that does not stand within a command. */
function headAndBody(rows: readonly Row[], place: TextPlace): { line: string; body: readonly Row[] } {
  const gaps = [...rows.flatMap((row, n) => (isPadding(row) ? [n] : [])), rows.length]
  const first = rows[0] ? cutColumns(rows[0], place.cut) : ''
  const headTo = (gap: number) => {
    const text = joined(rows.slice(0, gap), place)
    return SPINNER.test(first) ? unhung(text) : text
  }
  const isCommand = COMMAND.test(first)
  const whole = isCommand ? gaps.find((gap) => isWhole(headTo(gap))) : undefined
  const end = whole ?? gaps[0] ?? rows.length
  return { line: headTo(end), body: rows.slice(end + 1) }
}

function blockStatus(
  name: string,
  body: readonly Row[],
  output: string,
  spinning: boolean,
  over: boolean,
): Status {
  if (ABORTED.test(output)) return 'interrupted'
  if (!DONE_BLOCKS.test(name) && body.some(isError)) return 'failed'
  // A stopped command loses its mark: one that is left when all is over had left the screen before.
  return spinning && !over ? 'running' : 'completed'
}

/** Tools whose blocks are drawn when they succeeded alone; colours within them mean something else. */
const DONE_BLOCKS = /^(?:edit|write|apply_patch|todowrite|question)$/u

/** Whether all of the row's text has one colour that is neither text nor muted: the words of an error. */
function isError(row: Row): boolean {
  const from = row.text.search(/[^\s┃]/u)
  if (from < 0) return false
  const { fg } = styleAt(row, from)
  if (fg === TEXT || fg === MUTED) return false
  for (let at = from; at < row.text.length; at += 1)
    if (row.text[at] !== ' ' && styleAt(row, at).fg !== fg) return false
  return true
}
