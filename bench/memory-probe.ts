/**
 * @module bench/memory-probe - a process that fills terminals, bare or with the whole pipeline around each, and prints
 * what one of them takes, in MB.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJournal } from '../src/journal/sqlite-journal.js'
import { bareTerminal, Pipeline } from './pipeline.js'
import { inChunks, synthetic } from './streams/index.js'

const [kind, count] = [process.argv[2], Number(process.argv[3])]
/** So much that the scrollback is full. */
const load = inChunks(synthetic('region', 600_000))
const { gc } = globalThis as { gc?: () => void }
const rss = () => {
  gc?.()
  return process.memoryUsage.rss() / 1e6
}

// On disk, as a hub's: what was told is no session's memory.
const folder = mkdtempSync(join(tmpdir(), 'meow-bench-'))
const journal = openJournal(join(folder, 'journal.db'))
const kept: unknown[] = []
const one = (id: string) => {
  if (kind === 'bare') {
    const bare = bareTerminal(load.cols, load.rows)
    for (const { bytes } of load.pieces) bare.write(bytes)
    kept.push(bare)
    return
  }
  const session = new Pipeline(load, 'whole', { journal, id })
  for (const piece of load.pieces) session.feed(piece)
  kept.push(session)
}
// The compiler's own memory is not a session's.
one('warm')
one('warmer')
const before = rss()
for (let n = 0; n < count; n += 1) one(`probe-${n}`)
process.stdout.write(`${(rss() - before) / count}\n`)
journal.close()
rmSync(folder, { recursive: true, force: true })
process.exit(kept.length > count ? 0 : 1)
