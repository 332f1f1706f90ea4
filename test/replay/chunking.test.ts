/**
 * How the bytes of a recording are cut and paced does not matter: the same conversation. Cuts fall anywhere, within
 * escape sequences and characters too; what follows a cut comes up to 100 ms later (a drawing takes less than what a
 * synchronized update may), and frames come at other rates.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readers } from '../../adapters/registry.js'
import { readCast } from '../../src/terminal/index.js'
import { chopped, drive, piecesOf } from './drive.js'
import { painterReader } from './painter.js'
import { conversation, flat, random, record } from './recorded.js'

const WAYS = [
  { pauseMs: 0, minFrameMs: 33 },
  { pauseMs: 40, minFrameMs: 33 },
  { pauseMs: 100, minFrameMs: 8 },
  { pauseMs: 100, minFrameMs: 60 },
]

describe.each(['ink', 'alt'] as const)('%s', (kind) => {
  it.each([11, 112, 213, 314, 415])('the painter, seed %d', (seed) => {
    const next = random(seed)
    const list = conversation(next)
    const cast = record(kind, list, next, { resizes: false, cut: false })
    const whole = drive(painterReader, piecesOf(cast), { cols: 80, rows: 24 })
    expect(whole.said.filter((text) => !text.startsWith('end: '))).toHaveLength(list.length)
    for (const said of list)
      if (said.kind !== 'tool_call') expect(whole.said).toContain(`${said.kind}: ${flat(said.text)}`)
    for (const { pauseMs, minFrameMs } of WAYS) {
      const pieces = chopped(piecesOf(cast), next, pauseMs)
      const cut = drive(painterReader, pieces, { cols: 80, rows: 24, minFrameMs })
      expect(cut.faults).toEqual([])
      expect(cut.said, `pauses to ${pauseMs} ms, a frame in ${minFrameMs} ms`).toEqual(whole.said)
    }
  })

  it('through resizes, cut anywhere', () => {
    for (const seed of [7, 138, 269, 400]) {
      const next = random(seed)
      const cast = record(kind, conversation(next), next, { resizes: true, cut: false })
      const whole = drive(painterReader, piecesOf(cast), { cols: 80, rows: 24 })
      const cut = drive(painterReader, chopped(piecesOf(cast), next, 4), { cols: 80, rows: 24 })
      expect(cut.said, `seed ${seed}`).toEqual(whole.said)
    }
  })

  it('byte by byte', () => {
    const next = random(5)
    const cast = record(kind, conversation(next).slice(0, 6), next, { resizes: false, cut: false })
    const bytewise = piecesOf(cast).flatMap(({ at, bytes = new Uint8Array() }) =>
      Array.from(bytes, (_, n) => ({ at, bytes: bytes.subarray(n, n + 1) })),
    )
    const whole = drive(painterReader, piecesOf(cast), { cols: 80, rows: 24 })
    expect(drive(painterReader, bytewise, { cols: 80, rows: 24 }).said).toEqual(whole.said)
  })
})

/** Recordings kept with the project: the smallest few of each vendor. */
const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), '../../fixtures')
/** Larger ones take seconds each, in characters. */
const SMALL = 150_000
const FEW = 3

function recordings() {
  return readers.flatMap(({ vendor }) => {
    const files = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.startsWith(`${vendor.id}/`) && path.endsWith('session.cast'))
      .map((path) => ({ id: vendor.id, path, text: readFileSync(join(FIXTURES, path), 'utf8') }))
    return files
      .filter(({ text }) => text.length <= SMALL)
      .sort((a, b) => a.text.length - b.text.length)
      .slice(0, FEW)
  })
}

describe('recordings of vendors', () => {
  const list = recordings()
  it.runIf(list.length > 0).each(list)('$path', ({ id, text }) => {
    const vendor = readers.find((reader) => reader.vendor.id === id)
    if (!vendor) throw new Error(`no reader for ${id}`)
    const cast = readCast(text)
    const { cols, rows } = cast.header
    const whole = drive(vendor, piecesOf(cast), { cols, rows })
    for (const [seed, pauseMs, minFrameMs] of [
      [1, 0, 33],
      [2, 5, 33],
      [3, 5, 16],
    ] as const) {
      const cut = drive(vendor, chopped(piecesOf(cast), random(seed), pauseMs), { cols, rows, minFrameMs })
      expect(cut.faults).toEqual([])
      expect(cut.said, `seed ${seed}`).toEqual(whole.said)
    }
  })
})
