#!/usr/bin/env node
/**
 * @module scripts/test - `npm test` on a fresh clone: set-up, build, checks, then every test in a network of its own.
 *
 * Arguments go to vitest: `npm test -- test/unit`. The last line of stdout is `N passed, N failed, N skipped`.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { SetupError } from './setup/command.mjs'
import { main, say, tellFailure } from './setup/progress.mjs'
import { ROOT, setup } from './setup.mjs'
import { closingLine, countsOf, cutFiles } from './test-run/counts.mjs'
import { endProcesses, leftProcesses } from './test-run/leftovers.mjs'
import { isolated } from './test-run/namespace.mjs'
import { leftFiles, openSandbox, removeSandbox } from './test-run/sandbox.mjs'

/** The tests end themselves long before; this bounds a run in which something hangs. */
const LONGEST_RUN_MS = 25 * 60_000
const KILL_AFTER_MS = 20_000

await main(async () => {
  /** @type {import('./test-run/counts.mjs').Counts} */
  let counts = { passed: 0, failed: 1, skipped: 0 }
  try {
    await setup('test')
    await build()
    await check()
    counts = await runTests(process.argv.slice(2))
  } catch (error) {
    tellFailure(error)
  }
  process.stdout.write(`${closingLine(counts)}\n`)
  return counts.failed === 0 ? 0 : 1
})

/** Types, lint, format and the floors, as `npm run check` does. */
async function check() {
  say('• check: types, lint, floors')
  const code = await inherit('npm', ['run', '--silent', 'check'], { env: process.env })
  if (code !== 0) throw new SetupError('the checks failed (see above)', 'npm run check shows them alone')
}

/** @param {readonly string[]} args @returns {Promise<import('./test-run/counts.mjs').Counts>} */
async function runTests(args) {
  const sandbox = openSandbox()
  try {
    const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
    // In a log each test is a line when it ends, so that a hang shows behind which; a terminal shows what runs.
    const shown = process.stdout.isTTY && !process.env.CI ? 'default' : 'verbose'
    const reporters = [`--reporter=${shown}`, '--reporter=json', `--outputFile.json=${sandbox.results}`]
    const argv = [process.execPath, vitest, 'run', ...reporters, ...args]
    const [program = '', ...rest] = await isolated(sandbox.netns, argv)
    say('• tests')
    const code = await inherit(program, rest, { env: sandbox.env, limitMs: LONGEST_RUN_MS })
    const counts = countsOf(sandbox.results, code)
    const cut = cutFiles(sandbox.results)
    if (cut > 0)
      say(`error: ended early, after ${counts.failed} failures: ${cut} files did not run to their end`)
    if (code !== 0 && counts.failed === 0) say(`error: vitest ended with code ${code} though no test failed`)
    const left = await leftovers(sandbox)
    return left ? { ...counts, failed: counts.failed + 1 } : counts
  } finally {
    removeSandbox(sandbox)
  }
}

/** Names and ends what the tests left running or lying about; that is a failure of its own. */
async function leftovers(/** @type {import('./test-run/sandbox.mjs').Sandbox} */ sandbox) {
  const processes = await leftProcesses(sandbox)
  for (const { pid, command } of processes) say(`error: left running: ${pid} ${command}`)
  endProcesses(processes)
  const files = leftFiles(sandbox)
  for (const file of files) say(`error: left in the temp folder: ${file}`)
  return processes.length + files.length > 0
}

/**
 * Runs a program on this terminal, without stdin, within a time limit.
 * @param {string} program @param {readonly string[]} args
 * @param {{env: NodeJS.ProcessEnv, limitMs?: number}} options
 * @returns {Promise<number>}
 */
function inherit(program, args, options) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: options.env,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    /** @type {NodeJS.Timeout[]} */
    const timers = []
    if (options.limitMs !== undefined) {
      timers.push(
        setTimeout(() => {
          say(`error: the run did not end within ${(options.limitMs ?? 0) / 60_000} minutes`)
          child.kill('SIGTERM')
          timers.push(setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS))
        }, options.limitMs),
      )
    }
    // Ctrl-C reaches the child by the terminal; this process stays to clean up after it.
    const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
    const onInterrupt = () => {}
    process.on('SIGINT', onInterrupt)
    process.on('SIGTERM', pass)
    const end = (/** @type {number} */ code) => {
      for (const timer of timers) clearTimeout(timer)
      process.off('SIGINT', onInterrupt)
      process.off('SIGTERM', pass)
      resolve(code)
    }
    child.once('error', (error) => {
      say(`error: ${error.message}`)
      end(127)
    })
    child.once('close', (code) => end(code ?? 1))
  })
}
