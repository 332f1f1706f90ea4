/**
 * @module adapters/claude/grammar - how Claude Code draws its conversation. Pure; grammar of 2.1.197, on the normal and
 * the alternate screen; flat lines for screen readers are in flat.ts.
 */
import {
  type BlockContext,
  type BlockRule,
  furniture,
  type Grammar,
  hasBackground,
  isBlank,
  type Row,
  type ScreenItem,
  type ScreenView,
  styleAt,
} from '../../src/adapter/index.js'
import { agentRules } from './agents.js'
import {
  call,
  folded,
  goesOn,
  goesOnFolded,
  INTERRUPTED,
  isCall,
  isFolded,
  isResult,
  isWithCalls,
  outputOf,
  textOf,
} from './calls.js'
import { conversationEnd } from './chrome.js'
import { flatRegion, flatRules, isFlat } from './flat.js'
import { bulletTone, toneOf } from './look.js'

/** A rule across the screen: of a prompt box or a dialog that scrolled away. */
const ACROSS = /^[─╌▔]{10,}/u
const DONE = /^✻ \p{Lu}[\p{L}-]+ for \d/u
const SPINNER = /^[·✢✳*✶✻✽] (?:.+…|.*(?:Retrying in|attempt \d+\/\d+))/u
const COMPACTED = /^✻ Conversation compacted/u
const THOUGHT = /^(?: {2}|[●⏺][ \u00a0])(?:∴ )?(?:Thought for|Thinking for|Thinking…|Thinking)\b/u
const PLAN = /^[●⏺][ \u00a0]User (?:approved|rejected) Claude's plan/u
const ASKED = /^[●⏺][ \u00a0]User (?:answered|declined)\b/u
const PLAN_FILE = /^Plan saved to: [\s\S]*?\/plan to edit\s*/u
const REFUSED_PLAN = /^User rejected Claude's plan:\n/u
/** A slash command's name; a path has more than one slash. */
const COMMAND = /^\/[a-z][\w:.-]*(?:\s|$)/iu

/** Rows that belong to whatever began above at column 0. */
const indented = (row: Row) => /^ {2}/u.test(row.text)

const ownRules: readonly BlockRule[] = [
  {
    ...furniture(
      'claude.banner',
      // Where all is drawn anew, its first rows may be overwritten.
      (row, { open }) =>
        /^╭─+ Claude Code|^ ?▐▛███▜▌/u.test(row.text) ||
        (/^[│╰].*[│╯]$/u.test(row.text) && open?.rule.id !== 'claude.banner'),
      (row, { open }) => /^[│╰▝▘ ]/u.test(row.text) && !open?.rows.some((r) => /^╰/u.test(r.text)),
    ),
    // A dialog higher than the window makes the program draw all of it again below the old copy.
    restarts: true,
  },
  furniture('claude.done', (row) => DONE.test(row.text)),
  {
    id: 'claude.compacted',
    starts: (row) => COMPACTED.test(row.text),
    continues: () => false,
    item: (rows) => ({ kind: 'compaction', text: rows[0]?.text.replace(/^✻ /u, '') ?? '' }),
  },
  furniture(
    'claude.spinner',
    (row) => SPINNER.test(row.text) || isSpinnerBelow(row),
    (row, { above }) => indented(row) && !(above && isBlank(above)),
  ),
  furniture(
    'claude.frame',
    (row) => ACROSS.test(row.text),
    (row) => !bulletTone(row),
  ),
  {
    id: 'claude.prompt',
    starts: (row) => /^❯[ \u00a0]+\S/u.test(row.text) && hasBackground(row),
    continues: (row) => hasBackground(row) && indented(row),
    item: prompt,
  },
  {
    id: 'claude.shell-mode',
    starts: (row) => /^![ \u00a0]\S/u.test(row.text) && hasBackground(row),
    continues: (row) => hasBackground(row) && indented(row),
    item: (rows, context) => ({ kind: 'command', text: `!${textOf(rows, context)}` }),
  },
  {
    id: 'claude.thought',
    starts: (row, { above }) =>
      THOUGHT.test(row.text) &&
      !isWithCalls(row) &&
      toneOf(styleAt(row, 2).fg) !== 'text' &&
      (!above || isBlank(above)) &&
      grey(row),
    continues: (row, { open }) => goesOnFolded(row, open?.rows ?? []),
    endsAtBlank: true,
    item: thought,
  },
  ...agentRules,
  {
    id: 'claude.folded-call',
    starts: (row, { above }) => isFolded(row, above),
    continues: (row, { open }) => goesOnFolded(row, open?.rows ?? []),
    endsAtBlank: true,
    item: folded,
  },
  {
    id: 'claude.call',
    starts: isCall,
    continues: (row, { above }) => goesOn(row, above),
    item: call,
  },
  {
    id: 'claude.plan',
    starts: (row) => PLAN.test(row.text) && !['text', 'default'].includes(bulletTone(row) ?? 'text'),
    continues: (row, { above }) => goesOn(row, above),
    item: plan,
  },
  {
    id: 'claude.asked',
    starts: (row, { below }) => ASKED.test(row.text) && below !== null && /^ {2}⎿\s+· /u.test(below.text),
    continues: (row, { above }) => goesOn(row, above),
    item: asked,
  },
  {
    id: 'claude.event',
    starts: (row) => ['ok', 'error', 'warning', 'accent'].includes(bulletTone(row) ?? ''),
    continues: (row) => indented(row) && !isResult(row),
    item: event,
  },
  {
    id: 'claude.text',
    starts: (row) => ['text', 'default'].includes(bulletTone(row) ?? ''),
    continues: (row) => indented(row) && !isResult(row),
    item: (rows, context) => ({ kind: 'assistant_message', text: textOf(rows, context) }),
  },
  {
    id: 'claude.result-line',
    starts: (row, { open }) => isResult(row) && !takesResult(open?.rule.id),
    continues: (row) => /^ {5}/u.test(row.text),
    endsAtBlank: true,
    item: resultLine,
  },
]

/** A text's bullet that was drawn over the spinner's, whose coloured word still stands behind it. */
const isSpinnerBelow = (row: Row): boolean =>
  /^[●⏺] \p{Lu}[\p{L}-]+…/u.test(row.text) &&
  ['text', 'default'].includes(bulletTone(row) ?? '') &&
  !['text', 'default', 'muted'].includes(toneOf(styleAt(row, 2).fg))

/** Blocks whose result is a part of them. */
const takesResult = (id: string | undefined) =>
  [
    'claude.call',
    'claude.folded-call',
    'claude.thought',
    'claude.plan',
    'claude.asked',
    'claude.spinner',
  ].includes(id ?? '')

/** The hint of what is folded is grey; in a text it would be a text's colour. */
function grey(row: Row): boolean {
  const at = Math.max(2, row.text.indexOf('('))
  return row.text.indexOf('(') < 0 || toneOf(styleAt(row, at).fg) === 'muted'
}

function prompt(rows: readonly Row[], context: BlockContext): ScreenItem {
  const said = textOf(rows, context)
  return { kind: COMMAND.test(said) && !said.includes('\n') ? 'command' : 'user_message', text: said }
}

/** A thought's text is shown while it is thought; afterwards only how long it took. */
function thought(rows: readonly Row[], context: BlockContext): ScreenItem {
  const at = rows.findIndex((row) => isResult(row))
  const label = textOf(rows.slice(0, at < 0 ? rows.length : at), context)
  return { kind: 'reasoning', text: at < 0 ? '' : textOf(rows.slice(at), context, 5), label }
}

function plan(rows: readonly Row[], context: BlockContext): ScreenItem | null {
  const said = textOf(rows.slice(1), context, 5).replace(PLAN_FILE, '')
  return said === '' ? null : { kind: 'plan', text: said }
}

/** The end of a question: its dialog leaves the answers behind. */
function asked(rows: readonly Row[]): ScreenItem {
  const at = rows.findIndex((row) => isResult(row))
  return {
    kind: 'tool_call',
    tool: 'question',
    name: 'AskUserQuestion',
    input: null,
    status: /\bdeclined\b/u.test(rows[0]?.text ?? '') ? 'denied' : 'completed',
    output: outputOf(at < 0 ? [] : rows.slice(at), false),
  }
}

/** A line in a colour that texts do not have: an error of the model's API, news of a background command. */
function event(rows: readonly Row[], context: BlockContext): ScreenItem {
  const said = textOf(rows, context)
  const tone = bulletTone(rows[0] as Row)
  if (tone === 'error' || /^API Error\b/u.test(said))
    return { kind: 'notice', level: 'error', text: said, outcome: 'failed' }
  return { kind: 'notice', level: tone === 'warning' ? 'warning' : 'info', text: said }
}

/** A result that stands under no call: what the program says by itself, or after a command. */
function resultLine(rows: readonly Row[], context: BlockContext): ScreenItem | null {
  const first = rows[0] as Row
  const said = outputOf(rows, false)
  if (/^\[Image #\d+\]$/u.test(said) || /^Tip:/u.test(said)) return null
  if (INTERRUPTED.test(said)) return { kind: 'notice', level: 'info', text: said, outcome: 'interrupted' }
  if (REFUSED_PLAN.test(said)) return { kind: 'plan', text: inBox(said), outcome: 'interrupted' }
  if (toneOf(styleAt(first, 5).fg) === 'error')
    return { kind: 'notice', level: 'error', text: textOf(rows, context, 5), outcome: 'failed' }
  return { kind: 'notice', level: 'info', text: textOf(rows, context, 5) }
}

/** What stands in a frame. */
const inBox = (said: string): string =>
  said
    .split('\n')
    .flatMap((line) => /^│ ?(.*?)\s*│$/u.exec(line)?.[1] ?? [])
    .join('\n')
    .trim()

/** Flat lines may begin with anything, so within them nothing else begins. */
const rules: readonly BlockRule[] = [
  ...flatRules,
  ...ownRules.map((rule) => ({
    ...rule,
    starts: (row: Row, place: Parameters<BlockRule['starts']>[1]) =>
      !isFlat(place.open?.rule.id) && rule.starts(row, place),
  })),
]

export const grammar: Grammar = {
  rules,
  transcript(screen: ScreenView, reading) {
    if (reading.rule.startsWith('claude.flat')) return flatRegion(screen)
    const bottom = reading.composer || reading.dialog ? conversationEnd(screen) : null
    if (bottom === null) return null
    let top = 0
    // The alternate screen's first row is blank for a moment when a prompt is sent, whatever stood there.
    while (screen.alternate && top < bottom && screen.text(top).trim() === '') top += 1
    return { top, bottom }
  },
}
