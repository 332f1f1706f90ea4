/** @module bench/ratios/r3 - how much later our tmux host has a program's bytes than a bare pty. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, quantile } from '../harness.js'
import { startDriver } from '../hub/drive.js'
import { listen, ptyEar, tmuxEar } from '../hub/latency.js'
import type { Ratio } from '../ratio.js'

export const r3: Ratio = {
  id: 'R3',
  async run({ quick }) {
    const folder = mkdtempSync(join(tmpdir(), 'meow-bench-'))
    const driver = startDriver()
    const ears = [await ptyEar(folder), await tmuxEar(folder)] as const
    try {
      const pairs = await listen(driver, ears, { rounds: quick ? 3 : 7, everyMs: 5, count: quick ? 60 : 200 })
      const value = median(pairs.map(([pty, tmux]) => median(tmux) / median(pty)))
      const [pty, tmux] = [pairs.flatMap(([a]) => a), pairs.flatMap(([, b]) => b)]
      const detail = `p50 ${median(tmux).toFixed(2)} / ${median(pty).toFixed(2)} ms, p90 ${quantile(tmux, 0.9).toFixed(2)} / ${quantile(pty, 0.9).toFixed(2)} ms`
      return [{ id: 'R3', on: 'tmux host / bare pty, to the bytes', value, unit: 'x', aim: 2.3, detail }]
    } finally {
      driver.close()
      for (const ear of ears) await ear.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
