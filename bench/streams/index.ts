/** @module bench/streams - the four synthetic programs, and pieces of what they write. */
import { altdiff } from './altdiff.js'
import { ink } from './ink.js'
import { region } from './region.js'
import { stream } from './stream.js'

/** What one side is fed: pieces in order, each with when it comes, in ms. */
export interface Workload {
  readonly name: string
  /** Whose grammar reads it. */
  readonly vendor: string
  readonly cols: number
  readonly rows: number
  readonly pieces: readonly { readonly at: number; readonly bytes: Uint8Array }[]
  /** Bytes of all pieces. */
  readonly size: number
}

/** Time between two frames of a workload whose own time is not known, in ms: a frame each. */
export const FRAME_MS = 40

export const PROGRAMS = {
  stream: { make: stream, vendor: 'pi' },
  ink: { make: ink, vendor: 'gemini' },
  region: { make: region, vendor: 'codex' },
  altdiff: { make: altdiff, vendor: 'opencode' },
} as const

export type ProgramName = keyof typeof PROGRAMS
export const programNames = Object.keys(PROGRAMS) as readonly ProgramName[]

/** So many bytes of a synthetic program, a piece a frame. */
export function synthetic(name: ProgramName, bytes: number, seed = 1): Workload {
  const { make, vendor } = PROGRAMS[name]
  const pieces: { at: number; bytes: Uint8Array }[] = []
  let size = 0
  for (const frame of make(seed)) {
    const piece = Buffer.from(frame)
    pieces.push({ at: pieces.length * FRAME_MS, bytes: piece })
    size += piece.length
    if (size >= bytes) break
  }
  return { name, vendor, cols: 120, rows: 40, pieces, size }
}

/** The same bytes in pieces of 16 KB: what a reader gets that comes late. */
export function inChunks(load: Workload, chunk = 16_384): Workload {
  const all = Buffer.concat(load.pieces.map((piece) => piece.bytes))
  const pieces = Array.from({ length: Math.ceil(all.length / chunk) }, (_, n) => ({
    at: n * FRAME_MS,
    bytes: all.subarray(n * chunk, (n + 1) * chunk),
  }))
  return { ...load, pieces }
}
