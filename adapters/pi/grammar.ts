/**
 * @module pi/grammar - how Pi draws its conversation. Pure; grammar of 1.6.0, both tui modes.
 *
 * Messages of a person and calls stand in boxes with a free row above and below, and one row parts all blocks. A theme
 * may give the boxes no colour (`system` does not); then the count of free rows alone tells a person's words.
 */
import {
  type BlockContext,
  type BlockRule,
  everyCell,
  firstStyle,
  furniture,
  type Grammar,
  hasBackground,
  indentOf,
  isBlank,
  proseOf,
  type Row,
  type RowPlace,
  type ScreenItem,
  type ScreenView,
} from '../../src/adapter/index.js'
import { call, isCall } from './calls.js'
import {
  gapAbove,
  hasThought,
  isFence,
  isMuted,
  isPlain,
  isQuoted,
  isThought,
  isToned,
  toneOf,
} from './look.js'
import { conversationEnd } from './read.js'
import { isPanel, windowRows } from './window.js'

/** Lines that say what was just switched or done; the next one replaces them. */
const STATUS =
  /^ (?:Thinking level: |Thinking blocks: |Tool output: |Refreshing |Switched to |Model: |Only \S+ |Session name|Resumed session|Auto-compact)/u

const BUG_HINT = /^ If this looks like a pi bug/u

const text = (rows: readonly Row[], { cols }: BlockContext) =>
  proseOf(rows, { cols, first: 1, rest: 1, right: 1 }).trimEnd()

/** Blocks that stand in a box. */
const boxed = (place: RowPlace) =>
  place.open?.rule.id === 'pi.prompt' ||
  place.open?.rule.id === 'pi.call' ||
  place.open?.rule.id === 'pi.compaction'

/** Whether a box begins here: its free row comes to the one that parts all blocks, and to the one of the box above. */
function beginsBox(row: Row, place: RowPlace): boolean {
  if (indentOf(row) !== 1) return false
  const gap = gapAbove(place)
  // Below a text stand just the two: more of them are its own.
  if (place.open?.rule.id === 'pi.text') return gap === 2
  return gap !== null && gap >= (boxed(place) ? 3 : 2)
}

/** A message of a person; where boxes have colours, the colour decides. */
function isPrompt(row: Row, place: RowPlace): boolean {
  if (!isPlain(row)) return false
  const inBox = hasBackground(row)
  if (inBox) return place.open ? beginsBox(row, place) : isWholeAtTop(row, place)
  if (coloured(place)) return false
  return beginsBox(row, place) && !firstStyle(row).italic
}

/**
 * Whether the box at the head of all that is known is a person's, and whole: it has its free row, and words in the
 * terminal's own colour. A call's output is grey; of a box that is cut there nobody can tell whose it is.
 */
function isWholeAtTop(row: Row, { above }: RowPlace): boolean {
  if (!above || !isBlank(above) || indentOf(row) !== 1) return false
  return hasBackground(above) && above.style(0).bg === row.style(0).bg && !isMuted(row)
}

/** Whether the theme gives boxes a colour, as far as the block above tells. */
const coloured = ({ open }: RowPlace): boolean => open?.rows.some((row) => hasBackground(row)) ?? false

function sameBox(row: Row, open: RowPlace['open']): boolean {
  // A block without rows goes on from what left the screen.
  const first = open?.rows[0]
  return first === undefined || row.style(0).bg === first.style(0).bg
}

const ownRules: readonly BlockRule[] = [
  furniture('pi.panel', isPanel, isPanel),
  furniture(
    'pi.status',
    (row, place) =>
      STATUS.test(row.text) && isMuted(row) && !isThought(row) && place.open?.rule.id !== 'pi.prompt',
  ),
  {
    // `!cmd` of the person stands between two rules.
    id: 'pi.shell-mode',
    starts: (row, { below }) => /^─{10,}$/u.test(row.text) && below !== null && /^ \$ \S/u.test(below.text),
    continues: (_, { open }) => inFrame(open),
    item: (rows) => ({ kind: 'command', text: `!${(rows[1]?.text ?? '').replace(/^ \$ /u, '')}` }),
  },
  {
    id: 'pi.session-info',
    starts: (row) => /^ Session Info$/u.test(row.text) && firstStyle(row).bold,
    continues: (_, place) => (gapAbove(place) ?? 0) < 2,
    item: () => null,
  },
  {
    id: 'pi.event',
    starts: (row) =>
      /^ ✓ \S/u.test(row.text) && toneOf(firstStyle(row).fg) !== 'plain' && !firstStyle(row).bold,
    continues: () => false,
    item: (rows, context) => ({ kind: 'notice', level: 'info', text: text(rows, context) }),
  },
  {
    id: 'pi.warning',
    starts: (row) => /^ Warning: /u.test(row.text) && isToned(row, 'yellow'),
    continues: (row, place) => isToned(row, 'yellow') && gapAbove(place) === 0,
    item: (rows, context) => ({ kind: 'notice', level: 'warning', text: text(rows, context) }),
  },
  {
    id: 'pi.error',
    starts: (row) =>
      /^ (?:Error: |Operation aborted|Retry failed|Response was truncated)/u.test(row.text) &&
      isToned(row, 'red'),
    continues: (row) => isToned(row, 'red') || BUG_HINT.test(row.text),
    item: failure,
  },
  {
    id: 'pi.compaction',
    starts: (row) => /^ \[compaction\]/u.test(row.text) && firstStyle(row).bold,
    continues: (row, { open }) => sameBox(row, open),
    item: (rows, context) => ({ kind: 'compaction', text: text(rows, context) }),
  },
  {
    id: 'pi.call',
    // A call that failed may have no free row at its end.
    starts: (row, place) =>
      isCall(row) && (gapAbove(place) ?? 2) >= 2 && !(coloured(place) && !hasBackground(row)),
    continues: (row, place) => callGoesOn(row, place),
    item: call,
  },
  {
    id: 'pi.reasoning',
    starts: (row, place) => isThought(row) && place.open?.rule.id !== 'pi.reasoning' && !inCall(row, place),
    continues: thoughtGoesOn,
    item: (rows, context) => {
      const said = unfenced(text(rows, context))
      return said === 'Thinking...'
        ? { kind: 'reasoning', text: '', label: said }
        : { kind: 'reasoning', text: said }
    },
  },
  {
    id: 'pi.prompt',
    starts: isPrompt,
    continues: (row, place) =>
      sameBox(row, place.open) &&
      (hasBackground(row) ? (gapAbove(place) ?? 0) < 3 : (gapAbove(place) ?? 0) < 2),
    item: (rows, context) => ({ kind: 'user_message', text: text(rows, context) }),
  },
  {
    id: 'pi.text',
    starts: isText,
    continues: (row, { open }) => sameBox(row, open),
    item: (rows, context) =>
      isUnclear(rows, context) ? null : { kind: 'assistant_message', text: unfenced(text(rows, context)) },
  },
  furniture('pi.muted', isAside, isMuted),
  // Free rows are counted below it, too.
  furniture('pi.unknown', (row, place) => !place.open?.rule.continues(row, place)),
]

/** Code within its fences is drawn two columns in. */
function unfenced(said: string): string {
  let inside = false
  return said
    .split('\n')
    .map((line) => {
      if (/^\s*```/u.test(line)) inside = !inside
      else if (inside) return line.replace(/^ {2}/u, '')
      return line
    })
    .join('\n')
}

/** A grey line apart from what stands above it, in no box. */
function isAside(row: Row, place: RowPlace): boolean {
  if (!isMuted(row) || indentOf(row) !== 1 || isFence(row) || boxed(place) || isThought(row)) return false
  const above = place.open?.rule.id
  if ((above === 'pi.error' && BUG_HINT.test(row.text)) || thoughtGoesOn(row, place)) return false
  return above !== 'pi.session-info' && (above !== 'pi.text' || (gapAbove(place) ?? 0) > 0)
}

/** What the model said: plain, in no box, apart from the block above. */
function isText(row: Row, place: RowPlace): boolean {
  if (!isPlain(row) || isThought(row) || hasBackground(row) || place.open?.rule.id === 'pi.text') return false
  if (thoughtGoesOn(row, place)) return false
  if (isMuted(row) && !isFence(row)) return false
  const box = place.open?.rows[0]
  if (place.open?.rule.id === 'pi.session-info') return (gapAbove(place) ?? 0) >= 2
  if (!box || !boxed(place) || hasBackground(box)) return true
  return (gapAbove(place) ?? 0) >= 2 && indentOf(row) === 1
}

/** A list's mark, a heading, code: while it is written it may become the head of a thought. */
function isUnclear(rows: readonly Row[], { newest, reading }: BlockContext): boolean {
  if (!newest || reading.state !== 'running') return false
  return rows.every((row) => isBlank(row) || everyCell(row, (style) => style.fg !== 'default'))
}

/** Whether a row belongs to the call above: its box has a colour, or no gap parts them. */
function inCall(row: Row, place: RowPlace): boolean {
  return place.open?.rule.id === 'pi.call' && callGoesOn(row, place)
}

/** What stands right below a thought is one, too; apart from it, what has words of one. A quote of an answer is none. */
function thoughtGoesOn(row: Row, place: RowPlace): boolean {
  if (place.open?.rule.id !== 'pi.reasoning') return false
  const below = place.open.rows.length > 0 && gapAbove(place) === 0
  if (below || (hasThought(row) && !isQuoted(row))) return true
  return /^ ┌/u.test(row.text) && place.below !== null && hasThought(place.below)
}

/** A call's box ends with its colour; without one, with plain text after the free rows below it. */
function callGoesOn(row: Row, place: RowPlace): boolean {
  const first = place.open?.rows[0]
  if (first && hasBackground(first)) return sameBox(row, place.open)
  return (gapAbove(place) ?? 0) < 2 || (!isPlain(row) && !isThought(row))
}

function failure(rows: readonly Row[], context: BlockContext): ScreenItem {
  const said = text(
    rows.filter((row) => !BUG_HINT.test(row.text)),
    context,
  )
  if (/^Operation aborted/u.test(said))
    return { kind: 'notice', level: 'info', text: said, outcome: 'interrupted' }
  const ended = context.newest && context.reading.state === 'idle'
  return { kind: 'notice', level: 'error', text: said, ...(ended ? { outcome: 'failed' as const } : {}) }
}

/** Whether the lower rule of a person's command has not come yet. */
function inFrame(open: RowPlace['open']): boolean {
  return open?.rule.id === 'pi.shell-mode' && !open.rows.slice(1).some((row) => /^─{10,}$/u.test(row.text))
}

/** Within such a frame nothing else begins. */
const rules: readonly BlockRule[] = ownRules.map((rule) => ({
  ...rule,
  starts: (row: Row, place: RowPlace) => !inFrame(place.open) && rule.starts(row, place),
}))

/** The first row to be read: free rows at the head say of what stands below only that it is no part of a box. */
function headOf(screen: ScreenView, bottom: number): number {
  const rows = Array.from({ length: bottom }, (_, y) => screen.row(y))
  const first = rows.findIndex((row) => !isBlank(row))
  if (first < 1) return 0
  // Where boxes have a colour, what has none stands in no box.
  const coloured = rows.some((row) => hasBackground(row))
  if (coloured && !hasBackground(rows[first] as Row)) return first
  // The free row of a box tells that nothing of it is above.
  if (hasBackground(rows[first] as Row) && hasBackground(rows[first - 1] as Row)) return first - 1
  // One free row parts two lines of a text; of a prompt's two, the upper one would stand there as well.
  return first === 1 ? 1 : 0
}

export const grammar: Grammar = {
  rules,
  transcript(screen) {
    const bottom = conversationEnd(screen)
    if (bottom === null) return null
    if (!screen.alternate) return { top: 0, bottom }
    return { top: headOf(screen, bottom), bottom, row: windowRows(screen, bottom) }
  },
}
