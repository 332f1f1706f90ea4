/** @module bench/ratios/r9 - no row of a frame is another than the emulator's. */
import { checkRows } from '../dirty.js'
import type { Ratio } from '../ratio.js'

export const r9: Ratio = {
  id: 'R9',
  run({ quick }) {
    const { checked, stale, first } = checkRows(quick ? 20_000 : 300_000)
    return [
      {
        id: 'R9',
        on: 'random programs: rows that are not as told',
        value: stale,
        unit: '',
        aim: 0,
        detail: `of ${checked} rows, in text, wrap and style${first === null ? '' : `; first: ${first.slice(0, 200)}`}`,
      },
    ]
  },
}
