#!/usr/bin/env node
/**
 * @module scripts/record-fixtures - records situations of a vendor's real program into `fixtures/`.
 *
 * `npm run record -- VENDOR [SITUATION ...]`. The program, its terminal and the scripted model run in a network of their
 * own, in a fresh home. Status: 0 all recorded, 1 some failed (nothing of them is left), 2 wrong usage.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { run, SetupError, tail } from './setup/command.mjs'
import { main, say } from './setup/progress.mjs'
import { ROOT, setup } from './setup.mjs'
import { isolated } from './test-run/namespace.mjs'
import { openSandbox, removeSandbox } from './test-run/sandbox.mjs'

const BUILT = join(ROOT, 'node_modules', '.recording')

await main(async () => {
  await setup('test')
  await compile()
  const sandbox = openSandbox()
  try {
    const entry = join(BUILT, 'test', 'recording', 'main.js')
    const argv = [process.execPath, entry, ...process.argv.slice(2)]
    const [program = '', ...rest] = await isolated(sandbox.netns, argv)
    return await inherit(program, rest, sandbox.env)
  } finally {
    removeSandbox(sandbox)
  }
})

/** The recorder stands among the tests, which the program's own build leaves out. */
async function compile() {
  say('• build: the recorder of fixtures')
  rmSync(BUILT, { recursive: true, force: true })
  mkdirSync(join(BUILT, 'test'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(BUILT, 'package.json'))
  // The vendors' programs are found beside the tests.
  symlinkSync(join(ROOT, 'test', 'vendors'), join(BUILT, 'test', 'vendors'))
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const config = join('test', 'recording', 'tsconfig.json')
  const argv = [tsc, '-p', config, '--noCheck', '--outDir', BUILT]
  const { code, output } = await run(process.execPath, argv, { cwd: ROOT, quiet: true })
  if (code !== 0) throw new SetupError(`the compiler failed\n${tail(output, 40)}`, 'mend the sources')
}

/** @param {string} program @param {readonly string[]} args @param {NodeJS.ProcessEnv} env @returns {Promise<number>} */
function inherit(program, args, env) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', (error) => {
      say(`error: ${error.message}`)
      resolve(127)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
}
