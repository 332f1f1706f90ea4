/**
 * @module terminal/cast/verify-cast - looks for secrets where a person would see them: on the screen, event by event.
 *
 * Text that was drawn in pieces (cell by cell, or broken over the lines of a box) is no text of the stream. To replace it,
 * every character is drawn in a colour that says which one it is: wherever the screen moves it, its cell names it.
 */
import { setImmediate } from 'node:timers/promises'
import { Screen } from '../screen.js'
import type { Frame } from '../screen-types.js'
import { type Cast, type CastEvent, castSize } from './cast.js'
import { Filler } from './redact.js'
import type { SecretSpan, Secrets } from './secrets.js'
import { SequenceReader } from './sequences.js'

/** A secret that can be seen on the screen. */
export interface Leftover {
  /** Milliseconds of the recording. */
  readonly at: number
  readonly rule: string
}

/** Work without a pause for others, in ms. */
const SLICE_MS = 12
/** Colours there are to name characters with. */
const MAX_DYES = 0xffffff
/** Blanks and the borders of boxes: what stands between the parts of a value that is broken over lines. */
const BETWEEN = /[\s\u2500-\u259f|>]/

/** Every secret that the screen shows while the recording plays; empty when there is none. Never blocks for long. */
export async function verifyRedacted(cast: Cast, secrets: Secrets): Promise<Leftover[]> {
  const found: Leftover[] = []
  await replay(
    cast,
    ({ data }) => data,
    (frame, at) => {
      const changed = new Set(frame.changedRows)
      const texts = frame
        .lines()
        .filter(({ row, rows }) =>
          Array.from({ length: rows }, (_, i) => row + i).some((y) => changed.has(y)),
        )
        .flatMap(({ text }) => secrets.find(text).filter((span) => isBare(text, span)))
      const all = Array.from({ length: frame.rows }, (_, y) => frame.text(y)).join('')
      const packed = all.replaceAll(new RegExp(BETWEEN, 'g'), '')
      for (const { rule } of [...texts, ...secrets.findValues(packed)]) found.push({ at, rule })
    },
  )
  return found
}

/** Replaces what {@link verifyRedacted} finds, in the events that drew it. `null`: the recording is too long for it. */
export async function patchCast(cast: Cast, secrets: Secrets): Promise<Cast | null> {
  const pages = new Map<CastEvent, string[]>()
  const owners: { chars: string[]; index: number }[] = []
  const sequences = new SequenceReader()
  const dyed = (event: CastEvent): string => {
    const chars = Array.from(event.data)
    pages.set(event, chars)
    let text = ''
    for (const [index, char] of chars.entries()) {
      if (sequences.next(char) === 'text' && owners.length < MAX_DYES) {
        owners.push({ chars, index })
        const n = owners.length
        text += `\x1b[38;2;${n >> 16};${(n >> 8) & 255};${n & 255}m`
      }
      text += char
    }
    return text
  }
  await replay(cast, dyed, (frame, _at, screen) => {
    const cells = dyedCells(frame, screen)
    const packed = cells.filter(({ char }) => !BETWEEN.test(char))
    paint(cells, secrets.find(textOf(cells)), owners)
    paint(packed, secrets.findValues(textOf(packed)), owners)
  })
  if (owners.length >= MAX_DYES) return null
  const events = cast.events.map((event) => {
    const chars = pages.get(event)
    return chars === undefined ? event : { ...event, data: chars.join('') }
  })
  return { ...cast, events }
}

/** Plays the output into a fresh screen; hears each of its frames. */
async function replay(
  cast: Cast,
  drawn: (event: CastEvent) => string,
  hear: (frame: Frame, at: number, screen: Screen) => void,
): Promise<void> {
  let now = 0
  let at = 0
  // Time leaps with each event: every one of them is a frame, and no timer is ever due.
  const clock = { now: () => now, after: () => ({ dispose: () => undefined }) }
  const { cols, rows } = cast.header
  const screen = new Screen({
    cols: bounded(cols),
    rows: bounded(rows),
    minFrameMs: 0,
    maxSyncMs: 0,
    clock,
    scrollback: 0,
  })
  screen.onFrame((frame) => hear(frame, at, screen))
  try {
    let since = performance.now()
    for (const event of cast.events) {
      now += 1000
      at = event.at
      const size = event.kind === 'r' ? castSize(event.data) : null
      if (size !== null) screen.resize(bounded(size.cols), bounded(size.rows))
      const pieces = event.kind === 'o' ? visibleParts(drawn(event), screen.rows) : []
      for (const piece of pieces) {
        now += 1000
        screen.write(Buffer.from(piece))
        if (performance.now() - since < SLICE_MS) continue
        await setImmediate()
        since = performance.now()
      }
    }
  } finally {
    screen.dispose()
  }
}

/** What takes text off a screen: an erase of it, the other buffer, a reset. */
const ERASES = /(?=\x1b(?:\[[\d;?]*J|\[\?(?:47|104[79])[hl]|c))/u
/** Longest part of an event that is drawn without a look, in UTF-16 units. */
const PART = 8192

/**
 * An event in parts after each of which all that it drew is seen: an event may scroll by, erase or write over what it
 * wrote itself.
 */
function visibleParts(text: string, rows: number): string[] {
  const parts: string[] = []
  for (const piece of text.split(ERASES)) {
    let from = 0
    let lines = 0
    for (let at = 0; at < piece.length; at += 1) {
      if (piece[at] === '\n') lines += 1
      const long = at - from >= PART && !isHighSurrogate(piece.charCodeAt(at))
      if (lines * 2 < rows && !long) continue
      parts.push(piece.slice(from, at + 1))
      from = at + 1
      lines = 0
    }
    if (from < piece.length) parts.push(piece.slice(from))
  }
  return parts
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00

/** As a screen takes it. */
function bounded(cells: number): number {
  return Math.min(1000, Math.max(2, cells))
}

/** Not what a redaction has put there itself. */
function isBare(text: string, { start, end, instead }: SecretSpan): boolean {
  if (instead === null) return true
  const filler = new Filler(instead)
  return [...text.slice(start, end)].map((char) => filler.take(char)).join('') !== text.slice(start, end)
}

interface Cell {
  readonly char: string
  /** Which character drew it, from 1; 0 for none. */
  readonly dye: number
}

/** The viewport's characters with their dyes; a line end where the next row is not the same line. */
function dyedCells(frame: Frame, screen: Screen): Cell[] {
  const cells: Cell[] = []
  for (let y = 0; y < frame.rows; y += 1) {
    if (y > 0 && !screen.wrapped(y)) cells.push({ char: '\n', dye: 0 })
    for (const { text, style } of screen.runs(y)) {
      const dye =
        typeof style.fg === 'string' && style.fg.startsWith('#') ? Number.parseInt(style.fg.slice(1), 16) : 0
      for (const char of text) cells.push({ char, dye })
    }
  }
  return cells
}

function textOf(cells: readonly Cell[]): string {
  return cells.map(({ char }) => char).join('')
}

/** Replaces the characters behind some finds. */
function paint(
  cells: readonly Cell[],
  spans: readonly SecretSpan[],
  owners: readonly { chars: string[]; index: number }[],
): void {
  if (spans.length === 0) return
  const units = cells.flatMap((cell) => Array.from({ length: cell.char.length }, () => cell))
  for (const { start, end, instead } of spans) {
    const filler = new Filler(instead)
    for (const { dye, char } of new Set(units.slice(start, end))) {
      const owner = owners[dye - 1]
      const text = filler.take(char)
      if (owner !== undefined) owner.chars[owner.index] = text
    }
  }
}
