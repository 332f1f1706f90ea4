/** @module bench/ratios/r1 - the pipeline against bare parsing, when bytes come 16 KB at a time. */
import type { Ratio } from '../ratio.js'
import { inChunks } from '../streams/index.js'
import { runPipeline } from './pipeline-ratio.js'

export const r1: Ratio = {
  id: 'R1',
  run: (options) => runPipeline({ id: 'R1', shape: inChunks, aim: () => 1.3 }, options),
}
