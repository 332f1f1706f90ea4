/** @module test/replay/drive - the bytes of a recording through the reader, cut, paced and paused as a test likes. */
import type { VendorReader } from '../../src/adapter/index.js'
import type { EventDraft } from '../../src/protocol/events.js'
import { countingIds } from '../../src/protocol/ids.js'
import { Conversation } from '../../src/session/conversation.js'
import { ReplayClock } from '../../src/session/replay.js'
import { ScreenConversation } from '../../src/session/screen-conversation.js'
import { type Cast, castSize, Screen, type ScreenOptions } from '../../src/terminal/index.js'
import { flat } from './recorded.js'

/** Bytes that come, or another size, in ms since the start. */
export interface Piece {
  readonly at: number
  readonly bytes?: Uint8Array
  readonly size?: { readonly cols: number; readonly rows: number }
}

/** The output and the sizes of a recording. */
export function piecesOf(cast: Cast): Piece[] {
  return cast.events.flatMap(({ at, kind, data }): Piece[] => {
    if (kind === 'o') return [{ at, bytes: Buffer.from(data) }]
    const size = kind === 'r' ? castSize(data) : null
    return size ? [{ at, size }] : []
  })
}

/** Cuts the bytes of each piece anywhere; what follows a cut comes at once or up to `pauseMs` later, never after the next piece. */
export function chopped(pieces: readonly Piece[], next: (below: number) => number, pauseMs: number): Piece[] {
  return pieces.flatMap((piece, n): Piece[] => {
    const { at, bytes } = piece
    if (!bytes || bytes.length < 2) return [piece]
    const room = Math.min(pauseMs, (pieces[n + 1]?.at ?? at) - at)
    const cuts = Array.from({ length: next(5) }, () => 1 + next(bytes.length - 1)).sort((a, b) => a - b)
    const times = cuts.map(() => at + (room > 0 ? next(Math.floor(room) + 1) : 0)).sort((a, b) => a - b)
    return [...cuts, bytes.length].map((end, k) => ({
      at: k === 0 ? at : (times[k - 1] ?? at),
      bytes: bytes.subarray(k === 0 ? 0 : cuts[k - 1], end),
    }))
  })
}

/** How long the clock runs on after the last byte, in ms. */
const TAIL_MS = 4000

export interface Driven {
  /** The completed items and the ends of turns, in order. */
  readonly said: readonly string[]
  /** Exceptions of the emulator, and of whoever listens to frames. */
  readonly faults: readonly unknown[]
  readonly frames: number
}

const saidBy = (event: EventDraft): string | null => {
  if (event.type === 'turn.completed') return `end: ${event.outcome}`
  if (event.type !== 'item.completed') return null
  const { item } = event
  if (item.kind !== 'tool_call') return `${item.kind}: ${flat(item.text)}`
  return `tool_call: ${flat(`${item.name} ${JSON.stringify(item.input)} ${item.status} ${item.output ?? ''}`)}`
}

/** Runs pieces through a screen and a vendor's reader. */
export function drive(
  vendor: VendorReader,
  pieces: readonly Piece[],
  options: Omit<ScreenOptions, 'clock' | 'onFault'>,
): Driven {
  const clock = new ReplayClock()
  const faults: unknown[] = []
  const said: string[] = []
  const conversation = new Conversation(countingIds(), () => null, null)
  const screen = new Screen({ ...options, clock, onFault: (error) => faults.push(error) })
  const reader = new ScreenConversation(vendor, clock, (observations) => {
    for (const observation of observations)
      for (const event of conversation.observe(observation)) {
        const text = saidBy(event)
        if (text !== null) said.push(text)
      }
  })
  let frames = 0
  screen.onFrame((frame) => {
    frames += 1
    reader.frame(frame)
  })
  for (const { at, bytes, size } of pieces) {
    clock.advance(at)
    if (bytes) screen.write(bytes)
    if (size) screen.resize(size.cols, size.rows)
  }
  clock.advance(clock.now() + TAIL_MS)
  reader.end()
  for (let n = 0; n < screen.faults; n += 1) faults.push(new Error('the emulator failed'))
  screen.dispose()
  return { said, faults, frames }
}
