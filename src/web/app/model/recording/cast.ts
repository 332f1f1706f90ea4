/** @module web/model/recording/cast - an asciicast (version 2 or 3) as what a player needs. The text is hostile. */
import type { Sliced } from './slices.js'

/** Output of the program, or a new size. */
export type CastFrame =
  | { readonly at: number; readonly kind: 'output'; readonly text: string }
  | { readonly at: number; readonly kind: 'size'; readonly cols: number; readonly rows: number }

export interface CastMark {
  readonly at: number
  readonly label: string
}

/** Times are seconds since the recording's start, and never go back. */
export interface Recorded {
  readonly cols: number
  readonly rows: number
  /** Start, milliseconds since the epoch; null when it is not told. */
  readonly startedAt: number | null
  readonly frames: readonly CastFrame[]
  readonly marks: readonly CastMark[]
  readonly length: number
  /** The last line is half written; it is left out. */
  readonly cut: boolean
}

/** A file that is no asciicast. */
export class CastFault extends Error {}

/** Cells in a row or column; more would only make a browser work. */
const MOST_CELLS = 1000
/** Lines between two rests. */
const SLICE = 2000
/** Longest text of a frame, in UTF-16 units: a terminal is fed piece by piece. */
const PIECE = 256 * 1024

/** Reads a whole recording. Throws {@link CastFault}, with the line that is wrong. */
export function* readCast(text: string): Sliced<Recorded> {
  const frames: CastFrame[] = []
  const marks: CastMark[] = []
  const headEnd = lineEnd(text, 0)
  const head = readHead(text.slice(0, headEnd))
  // In whole microseconds: a sum of many fractions would drift.
  let clock = 0
  let cut = false
  let line = 1
  for (let from = headEnd + 1; from < text.length; ) {
    const to = lineEnd(text, from)
    const one = text.slice(from, to)
    from = to + 1
    line += 1
    if (line % SLICE === 0) yield
    if (one.startsWith('#') || one.trim() === '') continue
    const event = readLine(one)
    if (event === null) {
      // Only the very end of a file can be half written, and then its line end is missing.
      if (to < text.length) throw new CastFault(`line ${line} of the recording is no event`)
      cut = true
      break
    }
    const micros = Math.round(event.seconds * 1e6)
    clock = head.relative ? clock + micros : Math.max(clock, micros)
    const at = clock / 1e6
    if (event.code === 'o') {
      for (let n = 0; n < event.data.length; n += PIECE)
        frames.push({ at, kind: 'output', text: event.data.slice(n, n + PIECE) })
    } else if (event.code === 'm') marks.push({ at, label: event.data })
    else if (event.code === 'r') {
      const size = /^(\d{1,5})x(\d{1,5})$/.exec(event.data)
      if (size !== null)
        frames.push({ at, kind: 'size', cols: cells(Number(size[1])), rows: cells(Number(size[2])) })
    }
  }
  const { cols, rows, startedAt } = head
  return { cols, rows, startedAt, frames, marks, length: clock / 1e6, cut }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

interface Head {
  readonly cols: number
  readonly rows: number
  readonly startedAt: number | null
  /** Times count from the event before (version 3). */
  readonly relative: boolean
}

function readHead(line: string): Head {
  const value = parsed(line)
  if (!isRecord(value)) throw new CastFault('the recording has no header')
  const { version, timestamp } = value
  const size =
    version === 3 && isRecord(value.term) ? [value.term.cols, value.term.rows] : [value.width, value.height]
  const [cols, rows] = size
  if ((version !== 2 && version !== 3) || typeof cols !== 'number' || typeof rows !== 'number')
    throw new CastFault('asciicast version 2 or 3 is played; this is neither')
  return {
    cols: cells(cols),
    rows: cells(rows),
    startedAt: typeof timestamp === 'number' && Number.isFinite(timestamp) ? timestamp * 1000 : null,
    relative: version === 3,
  }
}

function readLine(line: string): { seconds: number; code: string; data: string } | null {
  const value = parsed(line)
  if (!Array.isArray(value)) return null
  const [seconds, code, data] = value as unknown[]
  if (typeof seconds !== 'number' || !(seconds >= 0) || typeof code !== 'string') return null
  return { seconds, code, data: typeof data === 'string' ? data : '' }
}

function cells(n: number): number {
  return Math.min(MOST_CELLS, Math.max(1, Math.floor(n) || 1))
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
