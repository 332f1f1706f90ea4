/** @module bench/casts - recorded bytes of real programs as workloads: one recording a vendor. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readers } from '../adapters/registry.js'
import { readCast } from '../src/terminal/index.js'
import type { Workload } from './streams/index.js'

/** Largest recording that is taken, in bytes of its file: a run has a bound. */
const MOST = 1_300_000

/** The largest recording of each vendor below a folder that has no resize in it; vendors without one are left out. */
export function recorded(folder: string): readonly Workload[] {
  return readers.flatMap(({ vendor }) => {
    const files = castsBelow(join(folder, vendor.id))
      .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
      .filter(({ text }) => text.length <= MOST)
      .sort((a, b) => b.text.length - a.text.length)
    for (const { file, text } of files) {
      const load = workload(vendor.id, file, text)
      if (load !== null) return [load]
    }
    return []
  })
}

function castsBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.cast'))
    .map((name) => join(folder, name))
}

function workload(vendor: string, file: string, text: string): Workload | null {
  const cast = readCast(text)
  if (cast.events.some((event) => event.kind === 'r')) return null
  const pieces = cast.events
    .filter((event) => event.kind === 'o')
    .map((event) => ({ at: event.at, bytes: Buffer.from(event.data, 'utf8') }))
  const size = pieces.reduce((sum, piece) => sum + piece.bytes.length, 0)
  const name = `${vendor} (${file.replace(/.*\/([^/]+\/[^/]+)\.cast$/, '$1').replace(/\/session$/, '')})`
  const { cols, rows } = cast.header
  return pieces.length === 0 ? null : { name, vendor, cols, rows, pieces, size }
}
