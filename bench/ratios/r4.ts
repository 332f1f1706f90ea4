/** @module bench/ratios/r4 - from a program's write to an event at a web client, journalled, against a bare pty read. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, quantile } from '../harness.js'
import { fleet } from '../hub/fleet.js'
import { listen, ptyEar, webEar } from '../hub/latency.js'
import type { Ratio } from '../ratio.js'

export const r4: Ratio = {
  id: 'R4',
  async run({ quick }) {
    const hub = await fleet()
    await hub.grow(1)
    const folder = mkdtempSync(join(tmpdir(), 'meow-bench-'))
    const ears = [await ptyEar(folder), await webEar(hub)] as const
    try {
      // Lone words: what comes within a frame's time of another is shown with it.
      const pairs = await listen(hub.driver, ears, {
        rounds: quick ? 3 : 5,
        everyMs: 50,
        count: quick ? 15 : 40,
      })
      const value = median(pairs.map(([pty, web]) => median(web) / median(pty)))
      const [pty, web] = [pairs.flatMap(([a]) => a), pairs.flatMap(([, b]) => b)]
      const detail = `p50 ${median(web).toFixed(2)} / ${median(pty).toFixed(2)} ms, p90 ${quantile(web, 0.9).toFixed(2)} / ${quantile(pty, 0.9).toFixed(2)} ms, ${web.length} events`
      return [{ id: 'R4', on: 'program to web client / bare pty read', value, unit: 'x', aim: 6, detail }]
    } finally {
      for (const ear of ears) await ear.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
