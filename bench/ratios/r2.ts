/** @module bench/ratios/r2 - the pipeline against bare parsing, when each frame of the program is read. */
import type { Ratio } from '../ratio.js'
import { runPipeline } from './pipeline-ratio.js'

const AIMS = { ink: 1.8, stream: 3, altdiff: 3.9, region: 5.3 } as const

export const r2: Ratio = {
  id: 'R2',
  run: (options) => runPipeline({ id: 'R2', shape: (load) => load, aim: (name) => AIMS[name] }, options),
}
