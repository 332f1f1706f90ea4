/** @module adapter/transcript/match - which block drawn now is which item known before. Pure. */

import type { ScreenItem } from '../grammar.js'

/** What identifies an item however it is drawn: its kind, and its text or call without white space. */
export interface Face {
  readonly kind: ScreenItem['kind']
  readonly text: string
}

/** Longest text that is compared, in UTF-16 units: heads decide. */
const COMPARED = 4000
const WHITE = /\s+/u

/** An item's face; what it says is looked at only when somebody asks, as nobody does of a text that only grows. */
export const faceOf = (item: ScreenItem): Face => new LazyFace(item)

class LazyFace implements Face {
  private packed: string | null = null

  constructor(private readonly item: ScreenItem) {}

  get kind(): ScreenItem['kind'] {
    return this.item.kind
  }

  get text(): string {
    // Joined and not replaced: of that the engine keeps every piece as an object.
    this.packed ??= said(this.item).split(WHITE).join('')
    return this.packed
  }
}

const said = (item: ScreenItem): string =>
  item.kind === 'tool_call'
    ? `${item.name} ${Object.values(item.input ?? {}).join(' ')}`
    : item.text.slice(0, COMPARED)

/** Whether both can be drawings of one item: one may be cut, or still be growing. */
export function sameFace(a: Face, b: Face): boolean {
  if (a.kind !== b.kind) return false
  if (a.text === b.text) return true
  // A thought that was folded away says nothing any more.
  if (a.kind === 'reasoning' && (a.text === '' || b.text === '')) return true
  const [short, long] = a.text.length < b.text.length ? [a.text, b.text] : [b.text, a.text]
  const head = short.replace(/(?:…|\.\.\.)$/u, '')
  if (head === '') return false
  return long.startsWith(head) || (head.length > 24 && long.endsWith(head))
}

/**
 * Pairs of indexes, in order: the longest common sequence of `old` and `now`; of several the one that pairs the
 * latest of `old`, because what leaves a transcript leaves it at its head.
 */
export function pairUp(old: readonly Face[], now: readonly Face[]): (readonly [number, number])[] {
  const width = now.length + 1
  // best[i][j]: the most that old[0..i) and now[0..j) have in common; an equal text counts more than a cut one.
  const best = new Float64Array((old.length + 1) * width)
  const worth = (i: number, j: number): number => {
    const [a, b] = [old[i], now[j]]
    if (!a || !b || !sameFace(a, b)) return 0
    return a.text === b.text ? 1 : 0.9
  }
  for (let i = 1; i <= old.length; i += 1) {
    for (let j = 1; j <= now.length; j += 1) {
      const skip = Math.max(best[(i - 1) * width + j] ?? 0, best[i * width + j - 1] ?? 0)
      const w = worth(i - 1, j - 1)
      const take = w > 0 ? (best[(i - 1) * width + j - 1] ?? 0) + w : 0
      best[i * width + j] = Math.max(skip, take)
    }
  }
  const pairs: (readonly [number, number])[] = []
  let i = old.length
  let j = now.length
  while (i > 0 && j > 0) {
    const here = best[i * width + j] ?? 0
    const w = worth(i - 1, j - 1)
    if (w > 0 && here === (best[(i - 1) * width + j - 1] ?? 0) + w) {
      pairs.push([i - 1, j - 1])
      i -= 1
      j -= 1
    } else if (here === (best[i * width + j - 1] ?? 0)) j -= 1
    else i -= 1
  }
  return pairs.reverse()
}

/**
 * Where in `old` the text begins that `tail` shows again, in UTF-16 units: `tail` is what is left of a text on the
 * screen, perhaps wrapped elsewhere, perhaps longer at its end. Null when they have nothing in common.
 */
export function stitchAt(old: string, tail: string): number | null {
  const places: number[] = []
  let packed = ''
  for (let at = 0; at < old.length; at += 1) {
    const unit = old[at] ?? ''
    if (/\s/u.test(unit)) continue
    packed += unit
    places.push(at)
  }
  const seen = tail.replace(/\s+/gu, '')
  const probe = seen.slice(0, PROBE)
  if (probe === '') return null
  // The first place is the longest overlap: a window shows far more old text than new.
  for (let at = packed.indexOf(probe); at >= 0; at = packed.indexOf(probe, at + 1))
    if (seen.startsWith(packed.slice(at)) || packed.startsWith(seen, at)) return places[at] ?? null
  return null
}

/** So many characters must agree before two texts count as one. */
const PROBE = 24
