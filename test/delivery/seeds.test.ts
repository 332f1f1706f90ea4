/**
 * @module test/delivery/seeds - two writers, a person at the terminal, dialogs, resizes, restarts and kills, mixed at
 * random: every receipt is final and true. `SEEDS=3000` runs more; `SEED=17` runs one and prints what happened.
 */
import { afterAll, describe, expect, it } from 'vitest'
import { playSeed } from './tui/play.js'

const one = process.env.SEED === undefined ? null : Number(process.env.SEED)
const many = Number(process.env.SEEDS ?? 60)
const from = Number(process.env.FROM ?? 1)
/** Seeds of one test: its time limit is for so many. */
const BATCH = 20
/** Most of what the bridge submitted that may need an excuse; more would be an oracle that looks away. */
const EXCUSED = 0.05

const batches = Array.from({ length: Math.ceil(many / BATCH) }, (_, n) => from + n * BATCH)

describe('random interleavings', () => {
  if (one !== null) {
    it(`seed ${one}`, async () => {
      const played = await playSeed(one)
      console.log([...played.story, 'excused', ...played.excused].join('\n'))
      expect(played.faults).toEqual([])
    }, 120_000)
    return
  }
  let submitted = 0
  const excused: string[] = []
  it.each(batches)(
    'every receipt is true, from seed %i',
    async (first) => {
      const failed: string[] = []
      for (let seed = first; seed < Math.min(first + BATCH, from + many); seed += 1) {
        const played = await playSeed(seed)
        submitted += played.submitted
        excused.push(...played.excused.map((why) => `seed ${seed}: ${why}`))
        if (played.faults.length > 0)
          failed.push(`seed ${seed}\n  ${played.faults.join('\n  ')}\n  ${played.script}`)
      }
      expect(failed.join('\n')).toBe('')
    },
    300_000,
  )

  it('few of the submissions need a race to explain them', () => {
    expect(submitted).toBeGreaterThan(many)
    expect(excused.length / submitted, excused.join('\n')).toBeLessThan(EXCUSED)
  })

  afterAll(() => console.log([`${submitted} submitted, ${excused.length} excused`, ...excused].join('\n')))
})
