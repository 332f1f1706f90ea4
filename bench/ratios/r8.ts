/** @module bench/ratios/r8 - joins under a flood that are continuous to the byte. */
import type { Ratio } from '../ratio.js'
import { checkSplices } from '../splice.js'

export const r8: Ratio = {
  id: 'R8',
  async run({ quick }) {
    const { tries, broken } = await checkSplices('tmux', quick ? 20 : 80)
    const value = (tries - broken) / tries
    const detail = `${tries - broken} of ${tries}, tmux host, bytes compared with the record`
    return [
      { id: 'R8', on: 'joins that are continuous to the byte', value, unit: '', aim: 1, least: true, detail },
    ]
  },
}
