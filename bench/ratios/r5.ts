/** @module bench/ratios/r5 - tmux's part of the CPU, and what an animating session costs in CPU and memory. */
import { fleet, type Usage } from '../hub/fleet.js'
import type { Ratio } from '../ratio.js'

export const sum = ({ hub, tmux, writers }: Usage): number => hub + tmux + writers
export const told = ({ hub, tmux, writers }: Usage): string =>
  `hub ${hub.toFixed(0)} + tmux ${tmux.toFixed(0)} + record writers ${writers.toFixed(0)} ms/s`

export const r5: Ratio = {
  id: 'R5',
  async run({ quick }) {
    const hub = await fleet()
    const count = quick ? 10 : 50
    await hub.grow(count)
    const ttys = hub.ttys.slice(0, count)
    const forMs = quick ? 3000 : 8000
    const run = () => hub.driver.run({ kind: 'frames', ttys, hz: 10, forMs, bytes: null })
    // Once before: screens full, code compiled.
    await run()
    const used = await hub.usage(run)
    const on = `${count} sessions at 10 frames a second of 1 KB`
    return [
      {
        id: 'R5',
        on: `tmux / all, ${on}`,
        value: used.tmux / sum(used),
        unit: 'x',
        aim: 0.45,
        least: true,
        detail: told(used),
      },
      {
        id: 'budget',
        on: `CPU a session, ${on}`,
        value: sum(used) / count,
        unit: 'ms/s',
        aim: 6,
        detail: told(used),
      },
      {
        id: 'budget',
        on: `memory a session in the hub, ${on}`,
        value: hub.mbPerSession,
        unit: 'MB',
        aim: 4,
        detail: 'RSS above that of the empty hub',
      },
    ]
  },
}
