#!/usr/bin/env node
/**
 * @module scripts/record-fixtures - records situations of a vendor's real program into `fixtures/`.
 *
 * `npm run record -- VENDOR [SITUATION ...]`. The program, its terminal and the scripted model run in a network of their
 * own, in a fresh home. Status: 0 all recorded, 1 some failed (nothing of them is left), 2 wrong usage.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { run, SetupError, tail } from './setup/command.mjs'
import { main, say } from './setup/progress.mjs'
import { ROOT, setup } from './setup.mjs'
import { isolated } from './test-run/namespace.mjs'
import { openSandbox, removeSandbox } from './test-run/sandbox.mjs'

await main(async () => {
  await setup('test')
  // A folder of its own: two recorders may work at the same time.
  const built = mkdtempSync(join(ROOT, 'node_modules', '.recording-'))
  const sandbox = openSandbox()
  try {
    await compile(built)
    const entry = join(built, 'test', 'recording', 'main.js')
    const argv = [process.execPath, entry, ...process.argv.slice(2)]
    const [program = '', ...rest] = await isolated(sandbox.netns, argv)
    return await inherit(program, rest, sandbox.env)
  } finally {
    removeSandbox(sandbox)
    rmSync(built, { recursive: true, force: true })
  }
})

/** The recorder stands among the tests, which the program's own build leaves out. */
async function compile(/** @type {string} */ built) {
  say('• build: the recorder of fixtures')
  mkdirSync(join(built, 'test'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(built, 'package.json'))
  // The vendors' programs are found beside the tests.
  symlinkSync(join(ROOT, 'test', 'vendors'), join(built, 'test', 'vendors'))
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const config = join('test', 'recording', 'tsconfig.json')
  const argv = [tsc, '-p', config, '--noCheck', '--outDir', built]
  const { code, output } = await run(process.execPath, argv, { cwd: ROOT, quiet: true })
  if (code !== 0) throw new SetupError(`the compiler failed\n${tail(output, 40)}`, 'mend the sources')
}

/** @param {string} program @param {readonly string[]} args @param {NodeJS.ProcessEnv} env @returns {Promise<number>} */
function inherit(program, args, env) {
  return new Promise((resolve) => {
    // A group of its own: a signal to ours reaches it once, by us. It ends the vendor's program, then we remove what is here.
    const child = spawn(program, args, {
      cwd: ROOT,
      env,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    let passed = false
    const pass = (/** @type {NodeJS.Signals} */ signal) => {
      if (!passed) child.kill(signal)
      passed = true
    }
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM'])
    for (const signal of signals) process.on(signal, pass)
    const end = (/** @type {number} */ code) => {
      for (const signal of signals) process.off(signal, pass)
      resolve(code)
    }
    child.once('error', (error) => {
      say(`error: ${error.message}`)
      end(127)
    })
    child.once('close', (code) => end(code ?? 1))
  })
}
