/** @module bench/ratios/r11 - what silent sessions cost. */
import { setTimeout as pause } from 'node:timers/promises'
import { fleet } from '../hub/fleet.js'
import type { Ratio } from '../ratio.js'
import { sum, told } from './r5.js'

export const r11: Ratio = {
  id: 'R11',
  async run({ quick }) {
    const hub = await fleet()
    await hub.grow(quick ? 20 : 100)
    // What waits for quiet is told first.
    await pause(5000)
    const used = await hub.usage(() => pause(quick ? 4000 : 10_000))
    const on = `${hub.sessions.length} silent sessions`
    return [{ id: 'R11', on, value: sum(used), unit: 'ms/s', aim: 2, detail: told(used) }]
  },
}
