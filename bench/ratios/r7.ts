/** @module bench/ratios/r7 - memory of a session, against that of a bare terminal with the same scrollback. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SCROLLBACK } from '../../src/terminal/index.js'
import { median } from '../harness.js'
import type { Ratio } from '../ratio.js'

const probe = (kind: 'bare' | 'pipeline', count: number): number =>
  Number(
    execFileSync(
      process.execPath,
      ['--expose-gc', fileURLToPath(new URL('../memory-probe.js', import.meta.url)), kind, String(count)],
      { encoding: 'utf8' },
    ),
  )

export const r7: Ratio = {
  id: 'R7',
  run({ quick }) {
    const count = quick ? 6 : 15
    const pairs = Array.from(
      { length: quick ? 1 : 3 },
      () => [probe('bare', count), probe('pipeline', count)] as const,
    )
    const [bare, whole] = [median(pairs.map(([a]) => a)), median(pairs.map(([, b]) => b))]
    const detail = `${whole.toFixed(2)} / ${bare.toFixed(2)} MB, scrollback of ${SCROLLBACK} rows full, 120 columns`
    return [
      { id: 'R7', on: 'a session / a bare terminal', value: whole / bare, unit: 'x', aim: 1.5, detail },
      {
        id: 'budget',
        on: 'memory of a session with a full scrollback',
        value: whole,
        unit: 'MB',
        aim: 4,
        detail,
      },
    ]
  },
}
