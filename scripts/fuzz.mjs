#!/usr/bin/env node
/**
 * @module scripts/fuzz - `npm run fuzz`: a million random and mutated byte strings through the screen and every reader.
 *
 * `npm run fuzz -- --strings 50000 --seed 1` runs fewer, from another seed. Tells its progress; a failure with its seed,
 * which alone runs it again (`--strings 1`). A session that does not end is told by a second thread, which then ends
 * the process.
 */
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { runnerImport } from 'vite'
import { say } from './setup/progress.mjs'
import { ROOT } from './setup.mjs'

/** No session takes a hundredth of it; it only tells a hang from work. */
const HANG_MS = 120_000
const TOLD_EVERY_MS = 10_000
/** Failures after which the run ends. */
const ENOUGH = 20

if (isMainThread) await fuzz()
else watch(new BigInt64Array(workerData.shared))

async function fuzz() {
  const { values } = parseArgs({
    options: { strings: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
  })
  const shared = new SharedArrayBuffer(16)
  const at = new BigInt64Array(shared)
  const module = async (/** @type {string} */ path) =>
    (await runnerImport(join(ROOT, path), { configFile: false, logLevel: 'warn' })).module
  const { fuzzCorpus, fuzzSession, STRINGS, Steps } = await module('test/replay/fuzz.ts')
  const corpus = fuzzCorpus()
  const steps = new Steps()
  steps.watchEmulators()

  const first = Number(values.seed)
  const sessions = Math.ceil(Number(values.strings) / STRINGS)
  const began = Date.now()
  const most = { objects: 0, units: 0, steps: 0 }
  let failed = 0
  let told = began
  const watcher = new Worker(new URL(import.meta.url), { workerData: { shared } })
  watcher.unref()
  for (let n = 0; n < sessions && failed < ENOUGH; n++) {
    Atomics.store(at, 0, BigInt(first + n))
    Atomics.store(at, 1, BigInt(Date.now()))
    // An emulator that ended cleans up after a timer: without a turn of the loop all of them would stand in memory.
    await turn()
    const { problems, ...cost } = fuzzSession(first + n, corpus, steps)
    for (const key of /** @type {const} */ (['objects', 'units', 'steps']))
      most[key] = Math.max(most[key], cost[key])
    for (const problem of problems) say(problem)
    if (problems.length > 0) failed++
    if (Date.now() - told < TOLD_EVERY_MS) continue
    told = Date.now()
    const rss = Math.round(process.memoryUsage().rss / 1e6)
    say(`${(n + 1) * STRINGS} strings, seed ${first + n}, ${failed} failed, ${rss} MB`)
  }
  await watcher.terminate()
  const seconds = Math.round((Date.now() - began) / 1000)
  say(
    `most that one reader kept: ${most.objects} objects, ${most.units} characters; most steps: ${most.steps}`,
  )
  process.stdout.write(`${sessions * STRINGS} strings, ${failed} failed, ${seconds} s\n`)
  process.exitCode = failed === 0 ? 0 : 1
}

/** Ends the process when the session stands still. @param {BigInt64Array} at the seed, and since when */
function watch(at) {
  setInterval(() => {
    if (Date.now() - Number(Atomics.load(at, 1)) < HANG_MS || Atomics.load(at, 1) === 0n) return
    process.stderr.write(`seed ${Atomics.load(at, 0)} does not end\n`)
    process.kill(process.pid, 'SIGKILL')
  }, 1000)
}
