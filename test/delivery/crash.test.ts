/**
 * @module test/delivery/crash - the bridge is killed with every single thing that it does in a delivery (each write to the
 * journal, each paste, each key), and the next one goes on: every message arrives once at most, and nobody claims more.
 * `CRASHES=all` runs every pair of deaths.
 */
import { afterEach, describe, expect, it } from 'vitest'
import './tui/world.js'
import { Rig, type RigOptions } from './tui/rig.js'
import { notDelivered, SCENES, type Scene } from './tui/scenes.js'

let rig: Rig | null = null
afterEach(async () => {
  await rig?.close()
  rig = null
})

/** How many effects the scene has when nobody dies. */
async function lengthOf(scene: Scene, hook: boolean): Promise<number> {
  const { effects } = await run(scene, { hook, awayMs: 0, deaths: [] })
  return effects
}

async function run(
  scene: Scene,
  options: RigOptions,
): Promise<{ effects: number; faults: string[]; report: string }> {
  rig = await Rig.start(scene.script, options)
  const before = rig.effects.length
  rig.mortal()
  let faults: string[]
  try {
    await scene.play(rig)
    faults = notDelivered(rig, scene)
  } catch (error) {
    faults = [error instanceof Error ? error.message : String(error)]
  }
  const effects = rig.effects.length - before
  const report = rig.report()
  await rig.close()
  rig = null
  return { effects, faults, report }
}

const WAYS = [
  { name: 'screen only', hook: false },
  { name: 'with a side channel', hook: true },
]

/** Both ways of being away after every death; else they take turns. */
const all = process.env.CRASHES === 'all'
/** The next bridge is there at once, or when the turn is over. */
const AWAY = [20, 4000]
/** A recovery does about so much. */
const RECOVERY = 12

/** Deaths of one run, and how long nobody is there. */
function* deathsOf(steps: number, twice: boolean): Generator<Omit<RigOptions, 'hook'>> {
  for (let nth = 1; nth <= steps; nth += 1)
    for (const [n, awayMs] of AWAY.entries()) {
      if (!all && (nth + n) % AWAY.length !== 0) continue
      if (!twice) yield { awayMs, deaths: [nth] }
      // The second over the recovery of the first, at another of its steps each time; the third right after it.
      else
        for (let second = 1; second <= RECOVERY; second += 1)
          if (all || second === (nth * 5) % RECOVERY) yield { awayMs, deaths: [nth, second, 2] }
    }
}

describe.each(WAYS)('$name', ({ hook }) => {
  for (const twice of [false, true])
    it.each(SCENES)(
      `${twice ? 'killed again over the recovery' : 'killed at every step'}: $name`,
      async (scene) => {
        const steps = await lengthOf(scene, hook)
        expect(steps).toBeGreaterThan(3)
        const failed: string[] = []
        for (const how of deathsOf(steps, twice)) {
          const { faults, report } = await run(scene, { hook, ...how })
          if (faults.length > 0) failed.push(`${JSON.stringify(how)}: ${faults.join('; ')}\n${report}`)
        }
        expect(failed.join('\n\n')).toBe('')
      },
      all ? 1_200_000 : 120_000,
    )
})
