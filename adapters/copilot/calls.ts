/** @module adapters/copilot/calls - a block of a tool call as an item. Pure. */
import {
  type BlockContext,
  firstStyle,
  indentOf,
  proseOf,
  type Row,
  type ScreenItem,
} from '../../src/adapter/index.js'
import type { ToolStatus } from '../../src/protocol/items.js'
import { type Head, headOf } from './head.js'
import { toolOf, withoutOwner } from './tools.js'

/** What a call came to, at the end of its first row. */
const SUMMARY =
  /(?:^|\s)(No Content|\d+ lines?(?:…| read)?|L\d+(?:[:–-]\d+)?(?: \(\d+ lines? read\))?|\d+ (?:files?|match(?:es)?|results?)(?: found)?|No (?:files|matches|results)(?: found)?|\+\d+(?: -\d+)?|-\d+)$/u
/** Marks that turn while a call runs. */
const RUNNING = /^[○∘∙◎◉]$/u
const DENIED = /rejected|denied/iu
const ABORTED = /aborted by user|cancell?ed/iu
/** Columns that the program leaves free at the right. */
const RIGHT = 2

/** The call that a block shows; null where its first row is none. */
export function call(rows: readonly Row[], context: BlockContext): ScreenItem | null {
  const first = rows[0]
  const head = first ? headOf(first) : null
  if (!head) return null
  const { tool, name } = toolOf(head.title, head.rest)
  const rest = head.wrong === '' ? head.rest : head.rest.slice(0, -head.wrong.length).trim()
  const plain = withoutOwner(rest)
  const summary = SUMMARY.exec(plain)?.[1] ?? ''
  const said = summary === '' ? plain : plain.slice(0, -summary.length).trim()
  const about = head.bare ? '' : said
  const below = rows.slice(1)
  const cut = below.findIndex((row) => !isCommand(row))
  const command = tool === 'shell' ? below.slice(0, cut < 0 ? below.length : cut) : []
  const details = below.slice(command.length).map((row) => row.text.replace(/^ {0,3}(?:[│└├] ?)?/u, ''))
  // The model's command stands under the row; a person's own is in it.
  if (tool === 'shell' && command.length === 0)
    return below.length > 0 || summary !== '' || context.reading.state === 'idle'
      ? { kind: 'command', text: `!${about}` }
      : null
  if (tool === 'mcp' || /^· \w+: /u.test(plain)) {
    const { input, answer } = argumentsOf(plain)
    const output = [answer, head.wrong, ...details].filter((line) => line !== '').join('\n')
    const status = statusOf(head, output, answer, context)
    return { kind: 'tool_call', tool, name, input, status, output }
  }
  const answer = head.bare ? `${said} ${summary}`.trim() : summary
  const output = [answer, head.wrong, ...details].filter((line) => line !== '').join('\n')
  const why = `${head.wrong}\n${details.join('\n')}`
  const status = statusOf(head, why, summary, context)
  const input =
    command.length > 0
      ? { command: proseOf(command, { cols: context.cols, first: 3, rest: 3, right: RIGHT }) }
      : inputOf(tool, about)
  return { kind: 'tool_call', tool, name, input, status, output }
}

/** The command stands under the row, plain; what follows it is bold or has a branch before it. */
function isCommand(row: Row): boolean {
  return indentOf(row) >= 3 && !/^\s*[│└├] /u.test(row.text) && !(indentOf(row) === 3 && firstStyle(row).bold)
}

function statusOf(head: Head, why: string, summary: string, { newest, reading }: BlockContext): ToolStatus {
  const { mark, badge, wrong } = head
  if (mark === '✗' || mark === '!' || (badge && wrong !== '')) {
    if (DENIED.test(why) || mark === '!') return 'denied'
    return ABORTED.test(why) ? 'interrupted' : 'failed'
  }
  if (RUNNING.test(mark)) return 'running'
  // These keep their marks while they run: only what they came to tells. A command always comes to something.
  const open = mark === '$' || ((mark === '/' || badge) && newest)
  return open && summary === '' && reading.state !== 'idle' ? 'running' : 'completed'
}

/** `· text: "hello", n: 2 what it answered` */
function argumentsOf(text: string): { input: Readonly<Record<string, string>> | null; answer: string } {
  const input: Record<string, string> = {}
  let rest = text.replace(/^· /u, '')
  for (;;) {
    const found = /^(\w+): ("(?:[^"\\]|\\.)*"|[^\s,"]+)(?:, | |$)/u.exec(rest)
    if (!found) break
    const [all, name = '', value = ''] = found
    input[name] = value.replace(/^"(.*)"$/u, '$1')
    rest = rest.slice(all.length)
    if (!all.endsWith(', ')) break
  }
  return { input: Object.keys(input).length > 0 ? input : null, answer: rest.trim() }
}

function inputOf(tool: string, about: string): Readonly<Record<string, string>> | null {
  if (about === '' || about === 'Waiting for response') return null
  if (tool === 'shell') return { command: about }
  if (tool === 'read' || tool === 'edit' || tool === 'write') return { path: about }
  if (tool === 'search') return { query: about.replace(/^"(.*)"$/u, '$1') }
  return { text: about.replace(/^· /u, '') }
}
