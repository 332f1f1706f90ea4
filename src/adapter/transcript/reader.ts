/**
 * @module adapter/transcript/reader - settled screens in, observations out: the writer of a conversation where a
 * vendor's screen is all there is. It keeps no time of its own: `settle` is called when the screen was quiet.
 */
import type { BlockContext, BlockRule, Grammar, ScreenItem } from '../grammar.js'
import type { Observation, ObservedFact } from '../observation.js'
import type { Dialog, Reading, ScreenView } from '../reading.js'
import type { Row } from '../row.js'
import { type Block, parseBlocks } from './blocks.js'
import { type Drawn, type TrackedItem, TrackedItems } from './items.js'
import { faceOf, stitchAt } from './match.js'
import { TranscriptRows } from './rows.js'

/** Updates in which a prompt must look the same before it is told though nothing follows it. */
const STEADY = 2
/** A text of more rows than this is read whole only when it ends: its cost would grow with its square. */
const LONG_ROWS = 400
/** And while it grows, each time it is so much longer than when it was read last. */
const GROWTH = 1.05

/** More rows of one block are not kept: a screen may write for ever. */
const MOST_ROWS = 5000
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
  readonly drawn: Drawn | null
  readonly newest: boolean
  readonly state: Reading['state']
}

export class TranscriptReader {
  private readonly rows = new TranscriptRows()
  private readonly items = new TrackedItems()
  private blocks: Block[] = []
  private drawn: Said[] = []
  private reading: Reading | null = null
  private cols = 0
  private look = ''
  /** The newest block as it was read last, where it is long. */
  private long: { from: number; rows: number; item: ScreenItem | null } | null = null
  /** The newest screen showed something of the conversation. */
  private shown = false
  /** The screen was idle since the turn began. */
  private rested = false
  /** Number of the row with which a text goes on whose head is not among the rows. */
  private headless: number | null = null
  /** Number of the window's first row when rows had passed unseen. */
  private lostAt: number | null = null
  private dialog: Dialog | null = null
  private dialogs = 0
  private inTurn = false
  private outcome: 'completed' | 'interrupted' | 'failed' = 'completed'
  /** What was told of an open item: a text's deltas, a call's output. */
  private readonly told = new Map<string, string>()
  /** Open texts as of the update before. */
  private readonly seen = new Map<string, string>()

  constructor(private readonly grammar: Grammar) {}

  /** One settled screen and what the adapter read on it. */
  frame(screen: ScreenView, reading: Reading): readonly Observation[] {
    const out: ObservedFact[] = []
    const before = this.reading
    this.reading = reading
    this.cols = screen.cols
    if (reading.state === 'idle' && this.inTurn) this.rested = true
    const region = this.grammar.transcript(screen, reading)
    const shown = region !== null && region.bottom > region.top
    if (shown) {
      // A jump and the end of the turn may come in one frame.
      const running = reading.state === 'running' || before?.state === 'running'
      const change = this.rows.update(screen, region, running)
      if (change.lost && this.shown) out.push({ type: 'gap', what: 'screen.rows_lost', detail: LOST })
      if (change.lost) this.lostAt = this.rows.window
      if (change.from !== null) this.read(change.from, change.rebased)
      else if (reading.state !== before?.state) this.reread()
      else this.items.still()
      this.bound(out)
    }
    this.shown = shown
    this.tell(out, false)
    this.tellState(out, before, reading)
    this.tellDialog(out, reading.dialog)
    return fromScreen(out)
  }

  /** A settled screen on which nothing differs from the one before. */
  same(): readonly Observation[] {
    const out: ObservedFact[] = []
    this.items.still()
    this.tell(out, false)
    return fromScreen(out)
  }

  /** Tells the state alone: of a screen between two writes that shows nothing else for sure. */
  state(reading: Reading): readonly Observation[] {
    const out: ObservedFact[] = []
    const before = this.reading
    this.reading = reading
    this.tellState(out, before, reading)
    this.tellDialog(out, reading.dialog)
    return fromScreen(out)
  }

  /** The screen has been quiet, or is over (`end`): what is drawn is whole if the program is idle. */
  settle(end = false): readonly Observation[] {
    const out: ObservedFact[] = []
    const idle = this.reading?.state === 'idle'
    if (!idle && !end) {
      // Nothing is drawn for a while, as when a tool is silent: what stands there is whole enough to be told.
      for (let n = 0; n < STEADY; n += 1) this.items.still()
      this.tell(out, false)
    }
    if (idle || end) {
      this.reread()
      this.tell(out, true)
      this.endTurn(out, idle)
    }
    return fromScreen(out)
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
      kind: drawn?.item.kind ?? null,
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
    this.say(first, rebased)
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
    const last = this.drawn.findLast((d) => d.drawn !== null)?.block.from
    if (last === undefined) return
    const open = this.items.all.find((t) => !t.completed && !t.gone)
    this.say(Math.min(last, open?.from ?? last), false)
  }

  /** Asks the rules what the blocks from a row on say. */
  private say(first: number, rebased: boolean): void {
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
      said.flatMap((s) => s.drawn ?? []),
      first,
      rebased,
    )
  }

  private sayOf(block: Block, context: BlockContext): Said {
    const { newest, reading } = context
    const item = this.itemOf(block, context)
    const headless = item !== null && this.isHeadless(block, item)
    // The rest of something whose head nobody knows.
    const lost = block.from === this.headless && !headless && !begins(block, this.cols)
    const drawn =
      item && block.rule && !lost
        ? { from: block.from, ruleId: block.rule.id, item, face: faceOf(item), headless }
        : null
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
  private itemOf(block: Block, context: BlockContext): ScreenItem | null {
    const { long } = this
    const rows = block.rows.length
    if (rows > LONG_ROWS && context.newest && context.reading.state === 'running') {
      if (long?.from === block.from && rows >= long.rows && rows < long.rows * GROWTH) return long.item
      const item = block.rule?.item(block.rows, context) ?? null
      this.long = { from: block.from, rows, item }
      return item
    }
    return block.rule?.item(block.rows, context) ?? null
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
  private bound(out: ObservedFact[]): void {
    const block = this.blocks.at(-1)
    if (!block || block.rows.length <= MOST_ROWS) return
    const tracked = this.items.all.find((t) => t.from === block.from && !t.completed && !t.gone)
    if (tracked) {
      this.tell(out, true)
      out.push({ type: 'gap', what: 'screen.text_cut', detail: TOO_LONG })
    }
    const kept = this.rows.end - this.rows.window + 1
    const rule = block.rule && { ...block.rule, item: () => null }
    const rest = { rule, from: block.from + block.rows.length - kept, rows: block.rows.slice(-kept) }
    this.blocks = [rest]
    this.drawn = [{ block: rest, drawn: null, newest: true, state: this.reading?.state ?? 'unknown' }]
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

  /** Tells what is whole; `all`: everything is. */
  private tell(out: ObservedFact[], all: boolean): void {
    if (all) this.items.settle()
    // Nothing is told before what stands above it.
    let told = true
    const { all: list } = this.items
    for (let n = 0; n < list.length; n += 1) {
      const tracked = list[n] as TrackedItem
      if (tracked.completed || tracked.gone) continue
      const { item } = tracked
      // A frame may show a row half written: what is told must have been the same in the update before.
      const followed = tracked.steady > 0 && list.some((t, m) => m > n && (t.completed || !t.gone))
      const whole =
        all ||
        (item.kind === 'tool_call'
          ? followed && item.status !== 'running'
          : followed || (item.kind === 'user_message' && tracked.steady >= STEADY))
      if (whole && told) this.complete(out, tracked)
      else {
        told = false
        this.progress(out, tracked)
      }
    }
  }

  private complete(out: ObservedFact[], tracked: TrackedItem): void {
    const { item, key } = tracked
    tracked.completed = true
    // A prompt after an idle screen is another turn's, however short the rest was.
    if (item.kind === 'user_message' && this.rested) this.endTurn(out, true)
    if (OF_A_TURN.has(item.kind)) this.startTurn(out)
    if (item.outcome && this.outcome !== 'interrupted') this.outcome = item.outcome
    const announced = this.told.delete(key)
    this.seen.delete(key)
    switch (item.kind) {
      case 'user_message':
        out.push({ type: 'user.message', key, text: item.text })
        return
      case 'assistant_message':
        if (item.text === '') return
        out.push({ type: 'text.completed', key, kind: item.kind, text: item.text })
        return
      case 'reasoning':
        out.push({ type: 'text.completed', key, kind: item.kind, text: item.text || (item.label ?? '') })
        return
      case 'command':
        out.push({ type: 'command', key, text: item.text })
        return
      case 'notice':
        out.push({ type: 'notice', key, level: item.level, text: item.text })
        return
      case 'tool_call': {
        if (!announced)
          out.push({ type: 'tool.started', callId: key, tool: item.tool, name: item.name, input: item.input })
        const status = item.status === 'running' ? 'interrupted' : item.status
        out.push({ type: 'tool.completed', callId: key, status, output: item.output })
        return
      }
      case 'compaction':
      case 'plan':
        out.push({ type: 'item', key, kind: item.kind, text: item.text })
    }
  }

  /** What can be told of an item that is still drawn. */
  private progress(out: ObservedFact[], tracked: TrackedItem): void {
    const { item, key } = tracked
    if (item.kind === 'tool_call') {
      if (tracked.steady < STEADY) return
      this.startTurn(out)
      const told = this.told.get(key)
      if (told === undefined)
        out.push({ type: 'tool.started', callId: key, tool: item.tool, name: item.name, input: item.input })
      if (item.output !== (told ?? '')) out.push({ type: 'tool.output', callId: key, text: item.output })
      this.told.set(key, item.output)
      return
    }
    if (item.kind !== 'assistant_message' && item.kind !== 'reasoning') return
    // The last line may still be laid out anew; and so may lines that were drawn for the first time.
    const stable = commonStart(item.text, this.seen.get(key) ?? '')
    this.seen.set(key, item.text)
    const whole = item.text.slice(0, item.text.lastIndexOf('\n', stable - 1) + 1)
    const told = this.told.get(key) ?? ''
    if (whole.length <= told.length || !whole.startsWith(told)) return
    this.told.set(key, whole)
    this.startTurn(out)
    out.push({ type: 'text.delta', key, kind: item.kind, delta: whole.slice(told.length) })
  }

  private endTurn(out: ObservedFact[], idle: boolean): void {
    if (!this.inTurn) return
    this.inTurn = false
    const outcome = this.outcome
    this.outcome = 'completed'
    out.push({ type: 'turn.ended', outcome: idle || outcome !== 'completed' ? outcome : 'interrupted' })
  }

  private startTurn(out: ObservedFact[]): void {
    if (this.inTurn) return
    this.inTurn = true
    this.rested = false
    out.push({ type: 'turn.started' })
  }

  private tellState(out: ObservedFact[], before: Reading | null, now: Reading): void {
    if (before && before.state === now.state && before.rule === now.rule) return
    out.push({ type: 'state', state: now.state, rule: now.rule, evidence: [...now.evidence] })
  }

  private tellDialog(out: ObservedFact[], dialog: Dialog | null): void {
    if (dialog?.fingerprint === this.dialog?.fingerprint) return
    if (this.dialog) out.push({ type: 'dialog.closed', key: `dialog:${this.dialogs}` })
    this.dialog = dialog
    if (!dialog) return
    this.dialogs += 1
    const detail = dialog.options.map((o) => (o.key === '' ? o.label : `${o.key}. ${o.label}`)).join('\n')
    out.push({ type: 'dialog.opened', key: `dialog:${this.dialogs}`, title: dialog.title, detail })
  }
}

/** How many blocks begin above a row. */
const above = (blocks: readonly Block[], row: number): number => blocks.findLastIndex((b) => b.from < row) + 1

/** Kinds that stand within turns only. */
const OF_A_TURN: ReadonlySet<ReadKind> = new Set([
  'user_message',
  'assistant_message',
  'reasoning',
  'tool_call',
])

const fromScreen = (facts: readonly ObservedFact[]): readonly Observation[] =>
  facts.map((fact) => ({ source: 'screen' as const, ...fact }))

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

/** How many characters two texts have in common at their start. */
function commonStart(a: string, b: string): number {
  if (a.startsWith(b)) return b.length
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  return at
}

/** The kinds that a grammar may tell. */
export type ReadKind = ScreenItem['kind']
