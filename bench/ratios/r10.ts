/** @module bench/ratios/r10 - CPU of a session among 200, against one among 50. */
import { fleet } from '../hub/fleet.js'
import type { Ratio } from '../ratio.js'
import { sum, told } from './r5.js'

export const r10: Ratio = {
  id: 'R10',
  async run({ quick }) {
    const hub = await fleet()
    const measure = async (count: number) => {
      await hub.grow(count)
      const run = (forMs: number) =>
        hub.driver.run({ kind: 'frames', ttys: hub.ttys, hz: 5, forMs, bytes: 260 })
      await run(1000)
      const used = await hub.usage(() => run(quick ? 3000 : 8000))
      return { count: hub.sessions.length, each: sum(used) / hub.sessions.length, used }
    }
    const few = await measure(quick ? 10 : 50)
    const many = await measure(quick ? 40 : 200)
    const detail = `${few.count}: ${few.each.toFixed(2)} ms/s each (${told(few.used)}); ${many.count}: ${many.each.toFixed(2)} (${told(many.used)})`
    const on = `CPU a session, ${many.count} sessions / ${few.count}`
    return [{ id: 'R10', on, value: many.each / few.each, unit: 'x', aim: quick ? null : 1, detail }]
  },
}
