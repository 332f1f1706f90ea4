/**
 * @module terminal/cast/redact - takes secrets out of a stream of pieces without moving a column or a moment.
 *
 * A secret may be split over pieces, with colours in between. So pieces whose end may be the beginning of one wait, in
 * order, until the text behind them has decided; then each piece is told with its own part replaced in place. Nothing
 * waits where the text at the end can be no beginning, which is nearly always.
 */
import { cellWidth } from './cell-width.js'
import type { SecretSpan, Secrets } from './secrets.js'
import { SequenceReader } from './sequences.js'

/** Undecided text of one stream at most, in characters; then it is decided as it stands. */
const MAX_OPEN = 4 * 1024
/** What may wait at most; then all of it is decided as it stands. */
const MAX_WAITING = 4096
const MAX_WAITING_CHARS = 1024 * 1024
/** Behind a find that was decided early: what may still belong to it. */
const GOES_ON = /^[\w.~+/=-]$/
/** Context that a rule looks back on. */
const LOOK_BACK = 16

interface Waiting<T> {
  readonly value: T
  /** Code points of the text, replaced in place; null when it has none. */
  readonly chars: string[] | null
}

/** The characters of one stream that are not decided. */
class Open {
  /** Text and, for each of its UTF-16 units, the place of its character; -1 for what is no character. */
  text = ''
  readonly places: { of: Waiting<unknown>; index: number }[] = []
  /** Decided text before it. */
  before = ''
  /** A find was decided before its end was seen. */
  goesOn = false
  readonly sequences = new SequenceReader()
}

/** Redacts pieces in order. Each stream is a text of its own: a secret is split over the pieces of one stream only. */
export class Redactor<T> {
  readonly #secrets: Secrets
  readonly #emit: (value: T, text: string | null) => void
  readonly #streams = new Map<string, Open>()
  #waiting: Waiting<T>[] = []
  #chars = 0
  /** How often each rule replaced something. */
  readonly counts: Record<string, number> = {}

  constructor(secrets: Secrets, emit: (value: T, text: string | null) => void) {
    this.#secrets = secrets
    this.#emit = emit
  }

  /** Takes a piece; it is told now or later, in order. One without text (null) only keeps its place. */
  push(value: T, stream: string, text: string | null): void {
    const piece: Waiting<T> = { value, chars: text === null ? null : Array.from(text) }
    this.#waiting.push(piece)
    this.#chars += piece.chars?.length ?? 0
    if (piece.chars !== null) this.#read(stream, piece, piece.chars)
    this.#release()
    if (this.#waiting.length > MAX_WAITING || this.#chars > MAX_WAITING_CHARS) this.flush()
  }

  /** No more text comes on a stream. */
  end(stream: string): void {
    const open = this.#streams.get(stream)
    if (open === undefined) return
    this.#decide(open, open.text.length)
    this.#streams.delete(stream)
    this.#release()
  }

  /** No more text comes on any stream; what is behind it begins anew. */
  endAll(): void {
    this.flush()
    this.#streams.clear()
  }

  /** Decides everything as it stands and tells it. */
  flush(): void {
    for (const open of this.#streams.values()) this.#force(open)
    this.#release()
  }

  #read(stream: string, piece: Waiting<T>, chars: readonly string[]): void {
    let open = this.#streams.get(stream)
    if (open === undefined) {
      open = new Open()
      this.#streams.set(stream, open)
    }
    for (const [index, char] of chars.entries()) {
      const kind = open.sequences.next(char)
      if (kind === 'silent') continue
      // One line end stands for every jump: no rule goes over it.
      const shown = kind === 'break' ? '\n' : char
      if (open.goesOn && GOES_ON.test(shown)) {
        if (piece.chars !== null) piece.chars[index] = '*'
        continue
      }
      open.goesOn = false
      if (kind === 'break' && open.text.endsWith('\n')) continue
      open.text += shown
      for (let unit = 0; unit < shown.length; unit += 1) open.places.push({ of: piece, index })
    }
    const whole = open.before + open.text
    this.#decide(open, this.#secrets.openAt(whole) - open.before.length)
    if (open.text.length > MAX_OPEN) this.#force(open)
  }

  /** Decides all, and remembers when a find may go on behind it. */
  #force(open: Open): void {
    const end = open.text.length
    const cut = this.#decide(open, end)
    open.goesOn = end > 0 && cut
  }

  /** Replaces the finds before `upTo` and lets go of the text before it. True when one ended right there. */
  #decide(open: Open, upTo: number): boolean {
    const shift = open.before.length
    const whole = open.before + open.text
    const spans = whole.trim() === '' ? [] : this.#secrets.find(whole)
    let decided = Math.max(0, upTo)
    // What goes over the border waits with it, and so does all that goes over that.
    for (let crossing = true; crossing; ) {
      const cut = spans.filter(({ start, end }) => start - shift < decided && end - shift > decided)
      const first = Math.max(0, Math.min(...cut.map(({ start }) => start - shift), decided))
      crossing = first < decided
      decided = first
    }
    let touched = false
    for (const span of spans) {
      const end = span.end - shift
      if (end <= 0 || end > decided) continue
      touched ||= end === decided
      this.#replace(open, span, shift)
    }
    open.before = (open.before + open.text.slice(0, decided)).slice(-LOOK_BACK)
    open.text = open.text.slice(decided)
    open.places.splice(0, decided)
    return touched
  }

  #replace(open: Open, { start, end, rule, instead }: SecretSpan, shift: number): void {
    this.counts[rule] = (this.counts[rule] ?? 0) + 1
    const filler = new Filler(instead)
    let last: { of: Waiting<unknown>; index: number } | null = null
    for (let unit = Math.max(0, start - shift); unit < end - shift; unit += 1) {
      const place = open.places[unit]
      // The second half of a surrogate pair is the same character.
      if (place === undefined || (last !== null && last.of === place.of && last.index === place.index))
        continue
      last = place
      const chars = place.of.chars
      if (chars !== null) chars[place.index] = filler.take(chars[place.index] ?? '')
    }
  }

  /** Tells the pieces before the first that is not decided. */
  #release(): void {
    const held = new Set<Waiting<unknown>>()
    for (const { places } of this.#streams.values()) if (places[0] !== undefined) held.add(places[0].of)
    let ready = this.#waiting.findIndex((piece) => held.has(piece))
    if (ready < 0) ready = this.#waiting.length
    for (const { value, chars } of this.#waiting.splice(0, ready)) {
      this.#chars -= chars?.length ?? 0
      this.#emit(value, chars === null ? null : chars.join(''))
    }
  }
}

/** Gives text of as many cells as what it stands for. */
export class Filler {
  #at = 0

  constructor(private readonly instead: string | null) {}

  take(char: string): string {
    let text = ''
    for (let cell = cellWidth(char); cell > 0; cell -= 1) {
      text += this.instead === null ? '*' : (this.instead[this.#at] ?? '_')
      this.#at += 1
    }
    return text
  }
}

/** A whole text with its secrets replaced, in as many cells. `counts` is added to: how often each rule did so. */
export function redactText(secrets: Secrets, text: string, counts?: Record<string, number>): string {
  let units: string[] | null = null
  for (const { start, end, rule, instead } of secrets.find(text)) {
    if (counts !== undefined) counts[rule] = (counts[rule] ?? 0) + 1
    units ??= text.split('')
    const filler = new Filler(instead)
    let at = start
    for (const char of text.slice(start, end)) {
      for (let unit = 0; unit < char.length; unit += 1) units[at + unit] = ''
      units[at] = filler.take(char)
      at += char.length
    }
  }
  return units === null ? text : units.join('')
}

/** A value of JSON with the secrets of every text in it replaced; `counts` as in {@link redactText}. */
export function redactValue(secrets: Secrets, value: unknown, counts?: Record<string, number>): unknown {
  if (typeof value === 'string') return redactText(secrets, value, counts)
  if (Array.isArray(value)) return value.map((one) => redactValue(secrets, one, counts))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      redactText(secrets, key, counts),
      redactValue(secrets, inner, counts),
    ]),
  )
}
