/**
 * @module adapters/claude/flat - the flat lines that Claude Code writes for screen readers (`--ax-screen-reader`): no
 * colours, no frames, one word before what each says. A text whose line begins with such a word cannot be told apart.
 */
import {
  type BlockContext,
  type BlockRule,
  furniture,
  isBlank,
  proseOf,
  type Reading,
  type Region,
  type Row,
  type ScreenItem,
  type ScreenView,
} from '../../src/adapter/index.js'
import { foldedLine, INTERRUPTED, thoughtBefore } from './calls.js'
import { dialogOf, numberedOptions } from './dialog.js'
import { canonicalTool } from './tools.js'

const FOOTER = /^(?:esc to interrupt|\? for shortcuts|● \S+ · \/effort|tmux focus-events off)\b/u
const MARK = /^(?:you|claude|tool|tool error|error): /u
const MODE = /^\[Accessible screen reader mode: on\]/u
const SPINNER = /^\p{Lu}[\p{L}' -]*…(?:\s+\(|$)/u
const TIP = /^Tip: /u
const DONE = /^\p{Lu}[\p{L}-]+ for \d+(?:s|m|h)\b/u
const ASKS = /^Enter selection \[1-\d+\]/u
/** Calls that only look, folded into one line. */
const FOLDED = /^(?:tool: )?\p{Lu}\p{L}+ .*\(ctrl\+o to expand\)$/u
const THOUGHT = /^Th(?:ought|inking) .*\(ctrl\+o to expand\)$/u
const PENDING = /^(?:Running|Waiting|Initializing)…$/u

/** No frame is drawn, and the lines are the flat ones. */
export function readFlat(screen: ScreenView): Reading | null {
  const rows = Array.from({ length: screen.rows }, (_, y) => screen.row(y))
  const footer = footerTop(rows)
  const ask = rows.findLastIndex((row) => ASKS.test(row.text))
  if (ask >= 0 && !rows.slice(ask + 1).some((row) => MARK.test(row.text)))
    return asked(rows.slice(0, ask + 1))
  if (footer === null && !rows.some((row) => MODE.test(row.text))) return null
  const texts = rows.slice(footer ?? rows.length).map((row) => row.text.trim())
  const evidence = texts.filter((text) => text !== '')
  const last = texts.findLastIndex((text) => FOOTER.test(text))
  const composer = {
    text: texts
      .slice(last + 1)
      .join('\n')
      .trim(),
    ghost: null,
  }
  const base = { composer: footer === null ? null : composer, dialog: null }
  if (/^[⠂⠐]/u.test(screen.title))
    return { ...base, state: 'running', rule: 'claude.flat.title.busy', evidence: [screen.title] }
  if (evidence.some((text) => text.startsWith('esc to interrupt')))
    return { ...base, state: 'running', rule: 'claude.flat.footer.busy', evidence }
  if (footer !== null && screen.title.startsWith('✳'))
    return { ...base, state: 'idle', rule: 'claude.flat.title.idle', evidence: [screen.title, ...evidence] }
  return { ...base, state: 'unknown', rule: 'claude.flat', evidence }
}

function asked(rows: readonly Row[]): Reading {
  const from = rows.findLastIndex(
    (row) => MARK.test(row.text) || DONE.test(row.text) || PENDING.test(row.text),
  )
  const part = rows.slice(from + 1)
  const { first, options: drawn } = numberedOptions(part)
  const options = drawn.map((o) => ({
    ...o,
    label: o.label.replace(/^\(selected\) /u, '').replace(/ — .*$/u, ''),
    selected: o.selected || o.label.startsWith('(selected) '),
  }))
  const body = part.slice(0, Math.max(0, first)).flatMap((row) => row.text.trim() || [])
  const heading = (body[0] ?? '').replace(/^Permission Required: /u, '')
  const dialog = dialogOf([heading, ...body.slice(1)], options)
  const evidence = [...body, ...options.map((o) => `${o.key}. ${o.label}`)]
  return { state: 'blocked', rule: `claude.flat.dialog.${dialog.kind}`, evidence, composer: null, dialog }
}

/** First of the rows at the foot that are not the conversation's; null where none is drawn. */
function footerTop(rows: readonly Row[]): number | null {
  let end = rows.length
  while (end > 0 && isBlank(rows[end - 1] as Row)) end -= 1
  // What is typed stands below the footer, over as many rows as it takes.
  for (let y = end - 1; y >= 0 && !MARK.test((rows[y] as Row).text); y -= 1) {
    if (!FOOTER.test((rows[y] as Row).text)) continue
    let top = y
    while (top > 0 && FOOTER.test((rows[top - 1] as Row).text)) top -= 1
    return top
  }
  return null
}

export function flatRegion(screen: ScreenView): Region | null {
  const rows = Array.from({ length: screen.rows }, (_, y) => screen.row(y))
  const bottom = footerTop(rows)
  if (rows.some((row) => ASKS.test(row.text))) {
    const ask = rows.findLastIndex((row) => /^Permission Required: /u.test(row.text))
    return ask >= 0 && !rows.slice(ask).some((row) => MARK.test(row.text)) ? { top: 0, bottom: ask } : null
  }
  return bottom === null ? null : { top: 0, bottom }
}

const inFlat = (id: string | undefined) => id?.startsWith('claude.flat') ?? false
/** Whether a block is one of the flat lines. */
export const isFlat = inFlat

const onward = () => true

export const flatRules: readonly BlockRule[] = [
  furniture(
    'claude.flat.banner',
    (row) => MODE.test(row.text),
    (row) => !isBlank(row),
  ),
  furniture('claude.flat.done', (row, { open }) => inFlat(open?.rule.id) && DONE.test(row.text)),
  furniture(
    'claude.flat.spinner',
    (row, { open }) => inFlat(open?.rule.id) && (SPINNER.test(row.text) || TIP.test(row.text)),
  ),
  {
    id: 'claude.flat.thought',
    starts: (row, { open }) => inFlat(open?.rule.id) && THOUGHT.test(row.text),
    continues: () => true,
    endsAtBlank: true,
    item: flatThought,
  },
  {
    id: 'claude.flat.prompt',
    starts: (row) => /^you: /u.test(row.text),
    continues: onward,
    item: (rows, context) => {
      const said = line(rows, context, 5)
      return /^\/[a-z][\w:.-]*(?:\s|$)/iu.test(said) && !said.includes('\n')
        ? { kind: 'command', text: said }
        : { kind: 'user_message', text: said }
    },
  },
  {
    id: 'claude.flat.text',
    starts: (row) => /^claude: /u.test(row.text),
    continues: onward,
    item: (rows, context) => ({ kind: 'assistant_message', text: line(rows, context, 8) }),
  },
  {
    id: 'claude.flat.error',
    starts: (row) => /^error: /u.test(row.text),
    continues: onward,
    item: (rows, context) => ({
      kind: 'notice',
      level: 'error',
      text: line(rows, context, 7),
      outcome: 'failed',
    }),
  },
  {
    id: 'claude.flat.interrupted',
    starts: (row, { open }) =>
      inFlat(open?.rule.id) && open?.rule.id !== 'claude.flat.call' && INTERRUPTED.test(row.text),
    continues: () => false,
    item: (rows, context) => ({
      kind: 'notice',
      level: 'info',
      text: line(rows, context, 0),
      outcome: 'interrupted',
    }),
  },
  {
    id: 'claude.flat.folded-call',
    starts: (row, { open }) => inFlat(open?.rule.id) && FOLDED.test(row.text),
    continues: onward,
    item: (rows) => foldedLine((rows[0] as Row).text.replace(/^tool: /u, '')),
  },
  {
    id: 'claude.flat.call',
    starts: (row) => /^tool(?: error)?: /u.test(row.text),
    continues: onward,
    item: flatCall,
  },
]

const line = (rows: readonly Row[], { cols }: BlockContext, first: number) =>
  proseOf(rows, { cols, first, rest: 0 })

/** A thought, and the calls that are folded into its line. */
function flatThought(rows: readonly Row[], context: BlockContext): readonly ScreenItem[] {
  const drawn = rows[0]?.text ?? ''
  const label = thoughtBefore(drawn)
  const thought = { kind: 'reasoning' as const, text: line(rows.slice(1), context, 0), label: label ?? drawn }
  if (label === null) return [thought]
  return [thought, foldedLine(drawn, drawn.startsWith('Thinking'))]
}

/** `tool: Bash (ls -la)`, then the result. */
function flatCall(rows: readonly Row[], context: BlockContext): ScreenItem {
  // The input ends where the bracket does; the terminal wrapped it.
  let end = 1
  while (end < rows.length && (rows[end] as Row).wrapped) end += 1
  const error = /^tool error: /u.test((rows[0] as Row).text)
  const head = line(rows.slice(0, end), context, error ? 12 : 6)
  const [, name = head, args = ''] = /^(.+?) ?\((.*)\)$/su.exec(head) ?? []
  const output = rows
    .slice(end)
    .map((row) => row.text)
    .join('\n')
    .replace(/ ?\(ctrl\+o to expand\)$/u, '')
    .trim()
  const tool = canonicalTool(name)
  const interrupted = INTERRUPTED.test(output)
  const running = PENDING.test(output) || (output === '' && context.newest)
  return {
    kind: 'tool_call',
    tool,
    name,
    input: args === '' ? null : tool === 'shell' ? { command: args } : { text: args },
    status: interrupted ? 'interrupted' : running ? 'running' : error ? 'failed' : 'completed',
    output: running ? '' : output,
    ...(interrupted ? { outcome: 'interrupted' as const } : {}),
  }
}
