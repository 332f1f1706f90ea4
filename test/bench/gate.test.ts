/**
 * @module The bench's gate: what must hold on any machine at any load. Costs only as ratios to bare parsing in the same
 * process, with room for a loaded machine; exactness without any.
 */
import { describe, expect, test } from 'vitest'
import { checkRows } from '../../bench/dirty.js'
import { compare } from '../../bench/harness.js'
import { bare, type Depth, pipeline, type Ran } from '../../bench/pipeline.js'
import { checkSplices } from '../../bench/splice.js'
import {
  inChunks,
  type ProgramName,
  programNames,
  synthetic,
  type Workload,
} from '../../bench/streams/index.js'

const ROUNDS = 4
const BYTES = 300_000
/** The gates of the design, for the road up to the frame. */
const GATE = { whole: 1.6, ink: 2, stream: 4, altdiff: 4.5, region: 6.5 }
/** A loaded machine, a compiler that is still cold, and instrumented code: twice as much is let through. */
const ROOM = 2

const least = (load: Workload, depth: Depth): number => {
  const { over, under } = compare(
    () => pipeline(load, depth),
    () => bare(load),
    ROUNDS,
  )
  return over / under
}

describe('cost, against bare parsing of the same bytes', () => {
  test.each(programNames)('%s, 16 KB at a time', (name) => {
    expect(least(inChunks(synthetic(name, BYTES)), 'frames')).toBeLessThan(GATE.whole * ROOM)
  })

  test.each(programNames)('%s, frame by frame', (name: ProgramName) => {
    expect(least(synthetic(name, BYTES), 'frames')).toBeLessThan(GATE[name] * ROOM)
  })

  test.each(programNames)('%s is read: the whole road tells its conversation', (name) => {
    let ran: Ran | null = null
    const load = synthetic(name, BYTES)
    const side = pipeline(load, 'whole', (told) => {
      ran = told
    })
    side.run()
    side.done()
    // A stream that no grammar knew would cost little and prove nothing.
    expect(ran).toMatchObject({ frames: expect.any(Number), events: expect.any(Number) })
    const { frames, events } = ran ?? { frames: 0, events: 0 }
    expect(frames).toBeGreaterThan(load.pieces.length * 0.9)
    expect(events).toBeGreaterThan(4)
  })
})

describe('exactness', () => {
  test('no row of a frame is another than the emulator shows, whatever a program does', () => {
    const { checked, stale, first } = checkRows(12_000, 7)
    expect(first).toBeNull()
    expect([checked >= 12_000, stale]).toEqual([true, 0])
  })

  test.each(['tmux', 'pty'] as const)('%s: who joins in a flood has every byte once', async (backend) => {
    const { tries, broken } = await checkSplices(backend, 10)
    expect(tries).toBeGreaterThanOrEqual(10)
    expect(broken).toBe(0)
  })
})
