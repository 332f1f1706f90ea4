/**
 * @module adapter/transcript/items - the items of a conversation as its blocks come, move, grow and are drawn again.
 * Each item is told once: a block that was seen before is never a new item, wherever it is drawn now.
 */
import type { ScreenItem } from '../grammar.js'
import { type Face, faceOf, pairUp, sameFace, stitchAt } from './match.js'

/** A block with what it says. */
export interface Drawn {
  /** Number of its first row. */
  readonly from: number
  readonly ruleId: string
  readonly item: ScreenItem
  readonly face: Face
  /** Its first rows are not on the screen: the item's text is only what is left of it. */
  readonly headless: boolean
}

export interface TrackedItem {
  readonly key: string
  item: ScreenItem
  /** How often what it says changed. */
  changes: number
  face: Face
  from: number
  ruleId: string
  /** Told as completed: it does not change any more. */
  completed: boolean
  /** How many updates it looked the same. */
  steady: number
  /** It is not drawn now. */
  gone: boolean
  /** The conversation went on without it (cleared, scrolled off): it is found again only when all is drawn anew. */
  archived: boolean
  /** Text that stands above what the screen still shows of it, and the row for which that was found. */
  head: string
  headAt: number | null
  /** How the part below began then. */
  tailStart: string
}

/** Completed items that can still be recognised. */
const REMEMBERED = 400

export class TrackedItems {
  /** In the order of the conversation. */
  private list: TrackedItem[] = []
  private count = 0

  get all(): readonly TrackedItem[] {
    return this.list
  }

  /**
   * Takes in the blocks that are drawn from row `from` on. `rebased`: row numbers began anew. `lost`: rows passed unseen.
   * Returns nothing; the list is what is known then.
   */
  update(drawn: readonly Drawn[], from: number, rebased: boolean, lost = false): void {
    this.dropReplaced()
    const before: TrackedItem[] = []
    const tail: TrackedItem[] = []
    if (!rebased)
      for (const item of this.list) {
        if (item.gone) continue
        if (item.from >= from) tail.push(item)
        else {
          before.push(item)
          // What stands above was not drawn again: it is as it was.
          if (!item.completed) item.steady += 1
        }
      }
    // What is left of the open text may stand far below its head: rows passed that nobody saw.
    const rest = drawn.some((d) => d.headless) ? this.openText : undefined
    if (rest && before.at(-1) === rest) tail.unshift(...before.splice(-1))
    // While the end of the conversation is not on the screen, what is drawn may be a part of what was there.
    const last = this.list.findLast((t) => t.completed)
    const torn = last?.gone === true && !last.archived
    const pairs = rebased || torn ? null : anchored(tail, drawn)
    if (pairs && !this.again(tail, drawn, pairs)) {
      this.place(tail, drawn, pairs, before.at(-1))
    } else this.redrawn(drawn, new Set(before), rebased)
    if (lost) this.joinCall()
    this.prune()
  }

  /**
   * Whether known items stand where new ones should: above an item that they stood before, or behind an item whose end
   * was overwritten. Then the program draws everything again.
   */
  private again(
    tail: readonly TrackedItem[],
    drawn: readonly Drawn[],
    pairs: ReadonlyMap<number, number>,
  ): boolean {
    if (pairs.size === drawn.length) return false
    const last = Math.max(-1, ...pairs.keys())
    const cut = [...pairs].some(([n, index]) => {
      const [block, item] = [drawn[n], tail[index]]
      return block && item && !block.headless && isCut(block.face, item.face)
    })
    // Turns repeat one another: what an earlier turn said and still shows is not drawn again.
    const prompt = this.list.findLastIndex((t) => t.item.kind === 'user_message')
    const stands = new Set(this.list.filter((t, n) => n < prompt && !t.gone && !tail.includes(t)))
    return drawn.some((block, n) => {
      if (pairs.has(n) || (n >= last && !cut)) return false
      const { face } = block
      // A label alone stands for any folded thought.
      if (face.text === '') return false
      return this.list.some((t) => !stands.has(t) && t.face.kind === face.kind && t.face.text === face.text)
    })
  }

  /** The screen is quiet: what is not drawn now will not come back by itself. */
  settle(): void {
    this.dropGone()
    for (const item of this.list) if (item.gone) item.archived = true
  }

  /** Nothing of what was told is drawn any more. */
  leave(): void {
    for (const item of this.list) if (item.completed) item.gone = true
    this.settle()
  }

  /** Nothing was drawn: what is open has not changed. */
  still(): void {
    for (const item of this.list) if (!item.completed && !item.gone) item.steady += 1
  }

  /** The newest item that is drawn. */
  get newest(): TrackedItem | undefined {
    return this.list.findLast((t) => !t.gone)
  }

  /** The newest text that was not told as completed: its head may have left the screen. */
  get openText(): TrackedItem | undefined {
    const last = this.list.at(-1)
    const text = last?.item.kind === 'assistant_message' || last?.item.kind === 'reasoning'
    return last && text && !last.completed ? last : undefined
  }

  /** Blocks stand where they stood; new ones are new items. */
  private place(
    tail: readonly TrackedItem[],
    drawn: readonly Drawn[],
    pairs: ReadonlyMap<number, number>,
    before: TrackedItem | undefined,
  ): void {
    const paired = new Set<TrackedItem>()
    let last = before
    drawn.forEach((block, n) => {
      const index = pairs.get(n)
      const known = index === undefined ? undefined : tail[index]
      if (known) {
        paired.add(known)
        this.refreshOwn(known, block)
        last = known
        return
      }
      const fresh = this.revive(block) ?? this.make(block)
      const at = last ? this.list.indexOf(last) + 1 : 0
      // An item drawn above one that was told already cannot be new: it is a part of something else.
      if (this.list.slice(at).some((t) => t.completed && !t.gone)) return
      this.list.splice(last ? at : this.list.length, 0, fresh)
      last = fresh
    })
    for (const item of tail) if (!paired.has(item)) item.gone = true
  }

  /** Takes in what a block says of an item; the text above it may stand in the same block now. */
  private refreshOwn(known: TrackedItem, block: Drawn): void {
    const { kind } = known.item
    const said = this.list.slice(0, this.list.indexOf(known)).findLast((t) => t.item.kind === kind)
    refresh(known, { ...block, item: withoutAbove(block.item, known, said) })
  }

  /** An open item that was not drawn for a while (a bullet that blinks, a dialog in its place) and stands there again. */
  private revive(block: Drawn): TrackedItem | undefined {
    const { face } = block
    const back = this.list.find(
      (t) =>
        t.gone &&
        !t.completed &&
        t.item.kind === face.kind &&
        (t.face.text === face.text ||
          (t.from === block.from && alike(t.face, face)) ||
          (t === this.list.at(-1) && sameTool(t.item, block.item))),
    )
    if (!back) return undefined
    this.list = this.list.filter((t) => t !== back)
    back.gone = false
    refresh(back, block)
    return back
  }

  /** A call that runs and stands again below rows that nobody saw is one call. */
  private joinCall(): void {
    const [call, again] = this.list.filter((t) => !t.gone).slice(-2)
    if (!call || !again || call.completed || call.item.kind !== 'tool_call' || call.item.status !== 'running')
      return
    if (again.completed || again.face.kind !== 'tool_call' || again.face.text !== call.face.text) return
    this.list = this.list.filter((t) => t !== again)
    call.from = again.from
    call.ruleId = again.ruleId
    call.item = again.item
    call.changes += 1
    call.steady = 0
  }

  /** An open item in whose place another one was told was that one. */
  private dropReplaced(): void {
    if (!this.list.some((t) => t.gone && !t.completed)) return
    this.list = this.list.filter(
      (t) =>
        t.completed ||
        !t.gone ||
        !this.list.some((o) => o.completed && o.from === t.from && o.item.kind === t.item.kind),
    )
  }

  /** Open items that are not drawn any more never were items. */
  dropGone(): void {
    this.list = this.list.filter((t) => t.completed || !t.gone)
  }

  /** Everything may have been drawn again, elsewhere: known items are found by what they say, in order. */
  private redrawn(all: readonly Drawn[], kept: ReadonlySet<TrackedItem>, rebased: boolean): void {
    const open = this.list.filter((t) => !t.completed && !t.gone)
    const head = all.find((d) => d.headless)
    const rest = head && this.openText
    const drawn = all.filter((d) => !d.headless)
    const pool = this.list.filter((t) => t !== rest && (rebased || !t.archived))
    const pairs = pairUp(
      pool.map((t) => t.face),
      drawn.map((d) => d.face),
    )
    const [end] = pairs.slice(-1)
    if (end && isRepeated(pool.slice(end[0]), drawn.slice(end[1]))) pairs.pop()
    const now = new Map(pairs.map(([i, j]) => [j, pool[i] as TrackedItem]))
    const lastKnown = pairs.at(-1)?.[1] ?? -1
    const passed = pairs.length === 0 && drawn.length > 0
    for (const item of this.list) {
      if (!rebased && kept.has(item)) continue
      // Nothing known is left on the screen: a prompt that stood there has only scrolled away.
      if (passed && item.item.kind === 'user_message' && !item.completed && item.steady > 0) continue
      item.gone = true
    }
    // What is left of the newest text stands below everything that is known.
    if (rest && head && (lastKnown < 0 || (drawn[lastKnown]?.from ?? 0) < head.from)) {
      refresh(rest, head)
      rest.gone = false
    }
    drawn.forEach((block, n) => {
      const known = now.get(n)
      if (known) {
        this.refreshOwn(known, block)
        known.gone = false
        known.archived = false
      } else if (n > lastKnown && !(rebased && this.isRest(block, pool, pairs.at(-1)?.[0] ?? -1))) {
        const same = open.find((t) => t.gone && t.item.kind === block.item.kind)
        if (same) {
          refresh(same, block)
          same.gone = false
        } else this.list.push(this.make(block))
      }
    })
  }

  /** After a resize rows of a told text may be lost within it: its head tells it from a new one. */
  private isRest(block: Drawn, pool: readonly TrackedItem[], last: number): boolean {
    const { face } = block
    if (face.text.length < HEAD) return false
    const item = pool.find(
      (t, n) => n > last && t.completed && t.face.kind === face.kind && sameHead(t.face, face),
    )
    if (!item) return false
    item.gone = false
    item.from = block.from
    return true
  }

  private make(block: Drawn): TrackedItem {
    this.count += 1
    return {
      key: `screen:${this.count}`,
      item: block.item,
      changes: 0,
      face: block.face,
      from: block.from,
      ruleId: block.ruleId,
      completed: false,
      steady: 0,
      gone: false,
      archived: false,
      head: '',
      headAt: null,
      tailStart: '',
    }
  }

  private prune(): void {
    const spare = this.list.length - REMEMBERED
    if (spare > 50) this.list = this.list.filter((t, n) => n >= spare || !(t.completed || t.gone))
  }
}

/**
 * Whether the last of what is drawn is a command given again: what was said since it was given first is gone from the
 * screen, and nothing stands below. It cleared the conversation a second time.
 */
function isRepeated([first, ...since]: readonly TrackedItem[], drawn: readonly Drawn[]): boolean {
  if (first?.item.kind !== 'command' || drawn.length > 1) return false
  return since.some((t) => t.completed && t.item.kind === 'user_message')
}

/** The newest call that was not drawn for a while and the next one of its tool are one: a dialog stood in its place. */
const sameTool = (a: ScreenItem, b: ScreenItem): boolean =>
  a.kind === 'tool_call' && b.kind === 'tool_call' && a.name === b.name

/** The part of a text that stands above what is left of it on the screen. */
function headOf(text: string, left: ScreenItem): string {
  const tail = left.kind === 'tool_call' ? '' : left.text
  const at = stitchAt(text, tail)
  return at === null ? `${text}\n` : text.slice(0, at)
}

function refresh(known: TrackedItem, block: Drawn): void {
  known.from = block.from
  known.ruleId = block.ruleId
  if (known.completed) return
  const item = itemNow(known, block)
  const same = sameItem(known.item, item)
  known.steady = same ? known.steady + 1 : 0
  if (same) return
  known.item = item
  known.changes += 1
  known.face = item === block.item ? block.face : faceOf(item)
}

/** Whether two readings of a block say the same. */
function sameItem(a: ScreenItem, b: ScreenItem): boolean {
  if (a === b) return true
  if (a.kind === 'tool_call' || b.kind === 'tool_call') return JSON.stringify(a) === JSON.stringify(b)
  return (
    a.text === b.text &&
    a.kind === b.kind &&
    a.outcome === b.outcome &&
    (a.kind === 'notice' ? a.level : a.label) === (b.kind === 'notice' ? b.level : b.label)
  )
}

/**
 * What a block says without the text of the item above it: where what stood between two texts is drawn elsewhere
 * now (a prompt that became a sticky row), both stand in one block.
 */
function withoutAbove(item: ScreenItem, known: TrackedItem, above: TrackedItem | undefined): ScreenItem {
  if (!above?.completed || above.item.kind !== item.kind || item.kind !== 'assistant_message') return item
  const text = 'text' in above.item ? above.item.text : ''
  const own = 'text' in known.item ? known.item.text : ''
  if (text.length < HEAD || !item.text.startsWith(text)) return item
  const rest = item.text.slice(text.length).trimStart()
  // Both begin alike, and both stand here.
  if (rest !== '' && own !== '' && rest.startsWith(own.slice(0, HEAD))) return { ...item, text: rest }
  // A text that began like the one above repeats it.
  if (own.slice(0, HEAD) === text.slice(0, HEAD) || (own !== '' && text.startsWith(own))) return item
  return rest === '' ? item : { ...item, text: rest }
}

function itemNow(known: TrackedItem, block: Drawn): ScreenItem {
  const { item } = block
  if (item.kind === 'tool_call' || known.item.kind === 'tool_call') return item
  // A thought is folded away when the answer begins; what was seen of it stays.
  if (
    item.kind === 'reasoning' &&
    item.text === '' &&
    known.item.kind === 'reasoning' &&
    known.item.text !== ''
  )
    return known.item
  if (!block.headless) return item
  const start = item.text.replace(/\s+/gu, '').slice(0, HEAD)
  if (known.headAt !== block.from || known.tailStart !== start) {
    known.headAt = block.from
    known.tailStart = start
    known.head = headOf(known.item.text, item)
  }
  return { ...item, text: known.head + item.text }
}

/**
 * Which drawn block is which item of the tail: by the row where it stands, and between two such by kind and order.
 * Null when an item that was told has left its place: then the screen was drawn anew.
 */
function anchored(tail: readonly TrackedItem[], drawn: readonly Drawn[]): Map<number, number> | null {
  const pairs = new Map<number, number>()
  const at = new Map(drawn.map((d, n) => [d.from, n]))
  let floor = -1
  for (const [index, item] of tail.entries()) {
    const n = at.get(item.from)
    const block = n === undefined ? undefined : drawn[n]
    if (n !== undefined && block && n > floor && block.item.kind === item.item.kind && fits(item, block)) {
      pairs.set(n, index)
      floor = n
    } else {
      // It moved: the next free block of its kind that says the same, or for an open one anything of its kind.
      const moved = drawn.findIndex(
        (d, m) => m > floor && !pairs.has(m) && d.item.kind === item.item.kind && fits(item, d),
      )
      if (moved >= 0) {
        pairs.set(moved, index)
        floor = moved
      } else if (item.completed) return null
    }
  }
  return pairs
}

/** Whether a text is only the beginning of what it was. */
const isCut = (now: Face, known: Face): boolean =>
  now.kind !== 'tool_call' && now.text.length < known.text.length && known.text.startsWith(now.text)

/** So many characters tell a text from another one. */
const HEAD = 24
const sameHead = (a: Face, b: Face): boolean => a.text.slice(0, HEAD) === b.text.slice(0, HEAD)

/** Whether two texts can be one that grew or shrank. */
const alike = (a: Face, b: Face): boolean => a.text.startsWith(b.text) || b.text.startsWith(a.text)

/** Whether a block can be what an item has become. */
function fits(item: TrackedItem, block: Drawn): boolean {
  if (block.headless) return true
  // What is not told may have become anything that stands in its place.
  if (!item.completed && item.from === block.from) return true
  const { face } = block
  if (face.text === item.face.text) return true
  if (face.kind === 'reasoning' && sameFace(face, item.face)) return true
  // Rows do not move within one numbering: the same row and the same head are the same item, whatever was drawn over.
  if (item.completed) return alike(face, item.face) || (item.from === block.from && sameHead(face, item.face))
  // It moved: its head tells it, whatever was drawn over, or is below the window for a moment.
  return face.text.startsWith(item.face.text) || (face.text.length >= HEAD && sameHead(face, item.face))
}
