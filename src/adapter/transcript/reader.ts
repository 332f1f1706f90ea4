/**
 * @module adapter/transcript/reader - settled screens in, observations out: the writer of a conversation where a
 * vendor's screen is all there is. It keeps no time of its own: `settle` is called when the screen was quiet.
 */
import type { BlockContext, BlockRule, Grammar, ScreenItem } from '../grammar.js'
import type { Observation } from '../observation.js'
import type { Reading, ScreenView } from '../reading.js'
import type { Row } from '../row.js'
import { type Block, parseBlocks } from './blocks.js'
import { type Drawn, TrackedItems } from './items.js'
import { faceOf, stitchAt } from './match.js'
import { TranscriptRows } from './rows.js'
import { STEADY, Teller } from './teller.js'

/** A text of more rows than this is read whole only when it ends: its cost would grow with its square. */
const LONG_ROWS = 400
/** And while it grows, each time it is so much longer than when it was read last. */
const GROWTH = 1.05

/** More rows of one block are not kept: a screen may write for ever. */
const MOST_ROWS = 5000
/** Items of one block. */
const MOST_ITEMS = 64
/** Blocks that are kept: what is above the window is for `explain` alone. */
const KEPT_BLOCKS = 20
/** Blocks that `explain` shows. */
const EXPLAINED = 40

const TOO_LONG = `a text of more than ${MOST_ROWS} rows: what follows is left out`
const LOST = 'more than a screen scrolled by between two drawings'

/** What the newest screen shows, with the rules that decided: for `explain`. */
export interface Explained {
  readonly reading: Reading
  readonly blocks: readonly {
    readonly rule: string | null
    readonly kind: string | null
    readonly rows: readonly string[]
  }[]
}

/** A block, what it says, and under which conditions it was read. */
interface Said {
  readonly block: Block
  readonly drawn: readonly Drawn[]
  readonly newest: boolean
  readonly state: Reading['state']
}

export class TranscriptReader {
  private readonly rows = new TranscriptRows()
  private readonly items = new TrackedItems()
  private readonly teller: Teller
  private blocks: Block[] = []
  private drawn: Said[] = []
  private reading: Reading | null = null
  private cols = 0
  private look = ''
  /** The newest block as it was read last, where it is long. */
  private long: { from: number; rows: number; items: readonly ScreenItem[] } | null = null
  /** The newest screen showed something of the conversation. */
  private shown = false
  /** Number of the row with which a text goes on whose head is not among the rows. */
  private headless: number | null = null
  /** Number of the window's first row when rows had passed unseen. */
  private lostAt: number | null = null

  constructor(private readonly grammar: Grammar) {
    this.teller = new Teller(grammar.speaks)
  }

  /** One settled screen and what the adapter read on it. */
  frame(screen: ScreenView, reading: Reading): readonly Observation[] {
    const before = this.reading
    this.reading = reading
    this.cols = screen.cols
    if (reading.state === 'idle') this.teller.rest()
    const region = this.grammar.transcript(screen, reading)
    const shown = region !== null && region.bottom > region.top
    if (shown) {
      // A jump and the end of the turn may come in one frame.
      const running = reading.state === 'running' || before?.state === 'running'
      const change = this.rows.update(screen, region, running)
      if (change.lost && this.shown) this.teller.gap('screen.rows_lost', LOST)
      if (change.lost) this.lostAt = this.rows.window
      if (change.from !== null) this.read(change.from, change.rebased)
      else if (reading.state !== before?.state) this.reread()
      else this.items.still()
      this.bound()
    }
    this.shown = shown
    this.teller.items(this.items.all, false)
    this.teller.state(before, reading)
    this.teller.openDialog(reading.dialog)
    return this.teller.take()
  }

  /** A settled screen on which nothing differs from the one before. */
  same(): readonly Observation[] {
    this.items.still()
    this.teller.items(this.items.all, false)
    return this.teller.take()
  }

  /** Tells the state alone: of a screen between two writes that shows nothing else for sure. */
  state(reading: Reading): readonly Observation[] {
    const before = this.reading
    this.reading = reading
    this.teller.state(before, reading)
    this.teller.openDialog(reading.dialog)
    return this.teller.take()
  }

  /** The screen has been quiet, or is over (`end`): what is drawn is whole if the program is idle. */
  settle(end = false): readonly Observation[] {
    const idle = this.reading?.state === 'idle'
    if (!idle && !end) {
      // Nothing is drawn for a while, as when a tool is silent: what stands there is whole enough to be told.
      for (let n = 0; n < STEADY; n += 1) this.items.still()
      this.teller.items(this.items.all, false)
    }
    if (idle || end) {
      this.reread()
      this.items.settle()
      this.teller.items(this.items.all, true)
      this.teller.endTurn(idle)
    }
    return this.teller.take()
  }

  /** Whether what is not told yet changed with the last frame; rows that only move or blink do not count. */
  get moved(): boolean {
    let look = ''
    for (const t of this.items.all) if (!t.completed && !t.gone) look += `${t.key} ${t.changes},`
    const moved = look !== this.look
    this.look = look
    return moved
  }

  /** The newest thing said is a prompt that nothing answers yet: the program may not have begun to show its work. */
  get unanswered(): boolean {
    return this.items.newest?.item.kind === 'user_message'
  }

  /** The blocks of the newest screen and what they were taken for. */
  explain(): Explained | null {
    if (!this.reading) return null
    const blocks = this.drawn.slice(-EXPLAINED).map(({ block, drawn }) => ({
      rule: block.rule?.id ?? null,
      kind: drawn[0]?.item.kind ?? null,
      rows: block.rows.map((row) => row.text),
    }))
    return { reading: this.reading, blocks }
  }

  /** Reads the rows from `from` on; blocks above stay as they are. */
  private read(from: number, rebased: boolean): void {
    // The row above may have asked for the one below it.
    const start = rebased ? from : from - 1
    const kept = rebased ? [] : this.blocks.slice(0, above(this.blocks, start))
    const last = kept.at(-1)
    const cut = last ? { ...last, rows: last.rows.slice(0, Math.max(1, start - last.from)) } : null
    if (cut) kept[kept.length - 1] = cut
    const resume = cut ? cut.from + cut.rows.length : start
    const rest = this.rows.since(resume)
    if (rebased) this.headless = this.windowInText(rest.rows, rest.from)
    else if (this.lostAt === from) this.headless = this.unseenAbove(cut) ?? this.headless
    this.blocks = this.parse(kept, rest.rows, rest.from)
    const first = cut?.from ?? start
    const again = this.blocks.findLastIndex((b) => b.rule?.restarts === true && b.from >= first)
    if (again > 0) this.blocks = this.blocks.slice(again)
    this.say(again > 0 ? (this.blocks[0] as Block).from : first, rebased || again > 0, this.lostAt === from)
    this.forget()
  }

  /**
   * Number of the window's first row, where rows were numbered anew and the window may begin in the middle of the text
   * that is being written: its head is gone, or stands above an old copy that the program left in the scrollback.
   */
  private windowInText(rows: readonly Row[], from: number): number | null {
    const rule = this.ruleOfOpenText()
    if (!rule) return null
    const above = Math.max(0, this.rows.window - from)
    const old = parseBlocks(this.grammar.rules, [], rows.slice(0, above), from, this.cols)
    return old.at(-1)?.rule === rule ? null : from + above
  }

  /** Rows passed unseen: where the window goes on with the open text, if that is not what stands last above it. */
  private unseenAbove(last: Block | null): number | null {
    const rule = this.ruleOfOpenText()
    return rule && last?.rule !== rule ? this.lostAt : null
  }

  private ruleOfOpenText(): BlockRule | undefined {
    return this.grammar.rules.find((r) => r.id === this.items.openText?.ruleId)
  }

  /** Goes on reading; at the row where a text goes on without its head, that text's rule has the first say. */
  private parse(known: readonly Block[], rows: readonly Row[], from: number): Block[] {
    const { rules } = this.grammar
    const { headless } = this
    const rule = this.ruleOfOpenText()
    if (headless === null || headless < from || !rule) return parseBlocks(rules, known, rows, from, this.cols)
    const above = headless - from
    const old = parseBlocks(rules, known, rows.slice(0, above), from, this.cols)
    return parseBlocks(
      rules,
      [...old, { rule, from: headless, rows: [] }],
      rows.slice(above),
      headless,
      this.cols,
    )
  }

  /** The state decides what an open block means. */
  private reread(): void {
    const last = this.drawn.findLast((d) => d.drawn.length > 0)?.block.from
    if (last === undefined) return
    const open = this.items.all.find((t) => !t.completed && !t.gone)
    // What one row tells stands within it: the row is read whole.
    this.say(Math.min(last, Math.floor(open?.from ?? last)), false)
  }

  /** Asks the rules what the blocks from a row on say. */
  private say(first: number, rebased: boolean, lost = false): void {
    const reading = this.reading
    if (!reading) return
    const at = this.drawn.findLastIndex((d) => d.block.from < first) + 1
    const kept = this.drawn.slice(0, at)
    const before = this.drawn.slice(at)
    const blocks = this.blocks.slice(above(this.blocks, first))
    const newest = blocks.at(-1)
    const said = blocks.map((block) => {
      const context = { cols: this.cols, newest: block === newest, reading }
      return before.find((b) => this.stands(b, block, context)) ?? this.sayOf(block, context)
    })
    this.drawn = [...kept, ...said]
    this.items.update(
      said.flatMap((s) => s.drawn),
      first,
      rebased,
      lost,
    )
  }

  private sayOf(block: Block, context: BlockContext): Said {
    const { newest, reading } = context
    const items = this.itemsOf(block, context)
    const headless = items.length > 0 && this.isHeadless(block, items[0] as ScreenItem)
    // The rest of something whose head nobody knows.
    const lost = block.from === this.headless && !headless && !begins(block, this.cols)
    const ruleId = block.rule?.id
    const drawn =
      ruleId === undefined || lost
        ? []
        : items.map((item, n) => ({
            // Rows have whole numbers: what one row tells stands in order within it.
            from: block.from + n / MOST_ITEMS,
            ruleId,
            item,
            face: faceOf(item),
            headless: headless && n === 0,
          }))
    return { block, drawn, newest, state: reading.state }
  }

  /** Whether a block was read before, row for row and under the same conditions. */
  private stands(said: Said, block: Block, { newest, reading }: BlockContext): boolean {
    const { block: old } = said
    if (old.from !== block.from || old.rule !== block.rule || old.rows.length !== block.rows.length)
      return false
    if (said.newest !== newest || said.state !== reading.state || block.from === this.headless) return false
    return old.rows.every((row, n) => row === block.rows[n])
  }

  /** A long block that grows is read whole again only when it grew by a part of itself: else its cost is its square. */
  private itemsOf(block: Block, context: BlockContext): readonly ScreenItem[] {
    const { long } = this
    const rows = block.rows.length
    if (rows <= LONG_ROWS || !context.newest || context.reading.state !== 'running')
      return itemsIn(block, context)
    if (long?.from === block.from && rows >= long.rows && rows < long.rows * GROWTH) return long.items
    const items = itemsIn(block, context)
    this.long = { from: block.from, rows, items }
    return items
  }

  /** Whether a block is what is left of the text that is being written. */
  private isHeadless(block: Block, item: ScreenItem): boolean {
    if (block.from !== this.headless) return false
    const open = this.items.openText
    if (!open || open.ruleId !== block.rule?.id || item.kind === 'tool_call') return false
    if (open.item.kind === 'tool_call') return false
    if (open.headAt === block.from) return true
    const at = stitchAt(open.item.text, item.text)
    // Rows passed unseen: what stands first in the window now goes on with the text.
    if (at === null && block.from === this.lostAt)
      return !begins(block, this.cols) || isMarkless(block, this.cols)
    // Where texts have no mark, any row may begin one: then what it says decides.
    return at !== null && (at > 0 || !begins(block, this.cols))
  }

  /** A block that outgrows every bound is told as far as it goes; the rows that follow belong to it and say nothing. */
  private bound(): void {
    const block = this.blocks.at(-1)
    if (!block || block.rows.length <= MOST_ROWS) return
    const tracked = this.items.all.find((t) => t.from === block.from && !t.completed && !t.gone)
    if (tracked) {
      this.items.settle()
      this.teller.items(this.items.all, true)
      this.teller.gap('screen.text_cut', TOO_LONG)
    }
    const kept = this.rows.end - this.rows.window + 1
    const rule = block.rule && { ...block.rule, item: () => null }
    const rest = { rule, from: block.from + block.rows.length - kept, rows: block.rows.slice(-kept) }
    this.blocks = [rest]
    this.drawn = [{ block: rest, drawn: [], newest: true, state: this.reading?.state ?? 'unknown' }]
    this.long = null
    this.items.leave()
    this.forget()
  }

  private forget(): void {
    const open = this.items.all.find((t) => !t.completed && !t.gone)
    const { length } = this.blocks
    const spare = Math.min(length - KEPT_BLOCKS, above(this.blocks, this.rows.window) - 1)
    if (spare > KEPT_BLOCKS) {
      this.drawn = this.drawn.slice(spare)
      this.blocks = this.blocks.slice(spare)
    }
    this.rows.forget(Math.min(open?.from ?? Number.POSITIVE_INFINITY, this.drawn[0]?.block.from ?? 0))
  }
}

function itemsIn({ rule, rows }: Block, context: BlockContext): readonly ScreenItem[] {
  const said = rule?.item(rows, context) ?? []
  return 'kind' in said ? [said] : said.slice(0, MOST_ITEMS)
}

/** How many blocks begin above a row. */
const above = (blocks: readonly Block[], row: number): number => blocks.findLastIndex((b) => b.from < row) + 1

/** Whether a block's first row would begin it anywhere. */
function begins(block: Block, cols: number): boolean {
  const [row, below = null] = block.rows
  return row !== undefined && block.rule?.starts(row, { above: null, below, open: null, cols }) === true
}

/** Whether any row could begin such a block, so that no row tells where one begins. */
function isMarkless({ rule, rows }: Block, cols: number): boolean {
  return rows.some(
    (row, n) => n > 0 && rule?.starts(row, { above: null, below: null, open: null, cols }) === true,
  )
}
