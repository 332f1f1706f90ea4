/** @module opencode/calls - tool calls as OpenCode draws them: one line, or a block with what came out. Pure. */
import { firstStyle, indentOf, isBlank, type Row, type ScreenItem, styleAt } from '../../src/adapter/index.js'
import { MUTED, TEXT, WARNING } from './palette.js'
import { edgeOf, TEXT_AT } from './rows.js'
import { joined } from './text.js'
import { canonicalTool } from './tools.js'

export type Call = Extract<ScreenItem, { kind: 'tool_call' }>
export type Status = Call['status']

/** Frames of the mark of a call that runs. */
export const SPINNER = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]\s/u
/** Columns that an icon takes before a call's words. */
export const ICON = 2

interface Head {
  readonly name: string
  readonly input: Readonly<Record<string, string>> | null
}

/** What a call's line says behind its icon, by its first words. */
const HEADS: readonly (readonly [RegExp, string, string])[] = [
  [/^Read (\S.*?)(?: \[[^\]]*\])?$/su, 'read', 'path'],
  [/^List (\S.*)$/su, 'list', 'path'],
  [/^Edit (\S.*?)(?: \[[^\]]*\])?$/su, 'edit', 'path'],
  [/^Write (\S.*)$/su, 'write', 'path'],
  [/^Wrote (\S.*)$/su, 'write', 'path'],
  [/^(?:Patched|Created|Deleted|Moved) (\S.*)$/su, 'apply_patch', 'path'],
  [/^Patch(?: failed)?()$/su, 'apply_patch', ''],
  [/^Glob "(.*)"(?: in \S+)?(?: \(\d+ match(?:es)?\))?$/su, 'glob', 'query'],
  [/^Grep "(.*)"(?: in \S+)?(?: \(\d+ match(?:es)?\))?$/su, 'grep', 'query'],
  [/^WebFetch (\S.*)$/su, 'webfetch', 'url'],
  [/^[\p{L} ]*Search "(.*)"(?: \(\d+ results\))?$/su, 'websearch', 'query'],
  [/^Skill "(.*)"$/su, 'skill', 'name'],
  [/^(?:Asked \d+ questions?|Questions)()$/su, 'question', ''],
  [/^(?:Todos|Updating todos…|Todo update failed)()$/su, 'todowrite', ''],
  [/^[\p{Lu}][\p{L}\d_-]* Task(?: \(background\))? — (.*)$/su, 'task', 'description'],
]
const ICONS = /^[→←✱%◈#✓✗⚙◇│•~]\s+/u
/** Tools without a drawing of their own: `⚙ name [a=1, b=x]`. */
const GENERIC = /^([\w.-]+)(?: \[(.*)\])?$/su

/** The call that a line names; null when it is none. The icon is part of the line. */
export function headOf(line: string): Head | null {
  const spinning = SPINNER.test(line)
  if (line.startsWith('$ ')) return { name: 'bash', input: { command: line.slice(ICON) } }
  if (!ICONS.test(line) && !spinning) return null
  const words = line.replace(ICONS, '').replace(SPINNER, '')
  for (const [pattern, name, key] of HEADS) {
    const match = pattern.exec(words)
    if (match) return { name, input: key === '' ? null : { [key]: match[1] ?? '' } }
  }
  const generic = /^[⚙#]\s/u.test(line) ? GENERIC.exec(words) : null
  return generic ? { name: generic[1] ?? '', input: generic[2] ? { text: generic[2] } : null } : null
}

/** Whether a row outside of blocks is drawn as a call: an icon and words of one colour that no text has. */
export function isCallLine(row: Row): boolean {
  if (indentOf(row) !== TEXT_AT) return false
  const line = row.text.slice(TEXT_AT)
  if (!ICONS.test(line) && !line.startsWith('$ ') && !SPINNER.test(line)) return false
  return firstStyle(row).fg !== TEXT && oneColor(row) && headOf(line) !== null
}

/** Whether all characters of a row have one colour (the icon may have its own), and no background. */
export function oneColor(row: Row): boolean {
  const from = indentOf(row)
  const { fg } = styleAt(row, Math.min(from + ICON, row.text.length - 1))
  for (let at = from + 1; at < row.text.length; at += 1)
    if (row.text[at] !== ' ' && styleAt(row, at).fg !== fg) return false
  return true
}

/** A call of one line, wrapped where it is longer; below it an opened error. */
export function lineCall(rows: readonly Row[], cols: number, over: boolean): Call | null {
  const first = rows[0]
  if (!first) return null
  const { fg } = styleAt(first, TEXT_AT + ICON)
  const own = rows.filter((row) => indentOf(row) === TEXT_AT || styleAt(row, indentOf(row)).fg === fg)
  const [head = first, ...rest] = own
  const words = joined([head, ...rest], { cut: TEXT_AT, edge: edgeOf(rows, cols) })
  const tail = words.split('\n').filter((line) => /^\s*↳/u.test(line))
  const line = words
    .split('\n')
    .filter((text) => !/^\s*↳/u.test(text))
    .join(' ')
  const found = headOf(line)
  if (!found) return null
  return call(found, lineStatus(first, line, over), tail.map((text) => text.trim()).join('\n'))
}

/** Lines that stand behind the icon of the first one, as they were written. */
export const unhung = (text: string): string => text.replace(/\n {1,2}/gu, '\n')

/** Whether a row begins a command outside of a block. */
export const isCommandLine = (row: Row): boolean => row.text.startsWith('$ ', TEXT_AT) && isCallLine(row)

/** A command before anything came out: all its lines stand behind its icon, blank ones too. */
export function commandCall(rows: readonly Row[], cols: number, over: boolean): Call | null {
  const [first] = rows
  if (!first) return null
  const { fg } = styleAt(first, TEXT_AT + ICON)
  const own = rows.filter(
    (row) => isBlank(row) || styleAt(row, Math.max(indentOf(row), TEXT_AT + ICON)).fg === fg,
  )
  const command = unhung(joined(own, { cut: TEXT_AT, edge: edgeOf(rows, cols) })).slice(ICON)
  return call({ name: 'bash', input: { command } }, lineStatus(first, `$ ${command}`, over), '')
}

/** `over`: the program is idle, nothing runs any more. */
function lineStatus(row: Row, line: string, over: boolean): Status {
  const style = styleAt(row, TEXT_AT + ICON)
  if (style.strikethrough) return 'denied'
  if (style.fg === WARNING) return 'running'
  if (SPINNER.test(line)) return over ? 'completed' : 'running'
  if (style.fg !== MUTED && style.fg !== TEXT) return 'failed'
  // What these did stands in a block, once they did it; that of a long file may never have been whole on the screen.
  if (line.startsWith('← ')) return over ? 'completed' : 'running'
  if (/^(?:\$ |→ Asked )/u.test(line)) return over ? 'interrupted' : 'running'
  return 'completed'
}

/** A call as it is told. */
export function call({ name, input }: Head, status: Status, output: string): Call {
  return { kind: 'tool_call', tool: canonicalTool(name), name, input, status, output }
}
