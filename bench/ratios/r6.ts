/** @module bench/ratios/r6 - bytes of events that a client is sent, against bytes that the program wrote. */
import { recorded } from '../casts.js'
import { pipeline, type Ran } from '../pipeline.js'
import type { Ratio, Row } from '../ratio.js'
import { inChunks, programNames, synthetic, type Workload } from '../streams/index.js'

function outOf(load: Workload): Row {
  let ran: Ran = { frames: 0, events: 0, out: 0 }
  const side = pipeline(load, 'whole', (told) => {
    ran = told
  })
  side.run()
  side.done()
  const detail = `${ran.out} / ${load.size} bytes, ${ran.events} events`
  return { id: 'R6', on: load.name, value: ran.out / load.size, unit: 'x', aim: 0.4, detail }
}

export const r6: Ratio = {
  id: 'R6',
  run: ({ casts }) =>
    [...programNames.map((name) => synthetic(name, 600_000)), ...recorded(casts)].map((load) =>
      outOf(inChunks(load)),
    ),
}
