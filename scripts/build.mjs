#!/usr/bin/env node
/**
 * @module scripts/build - TypeScript to `dist/`, and the web page to `dist/web`, each only when its sources changed.
 *
 * `node scripts/build.mjs [--force]`
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run, SetupError, tail } from './setup/command.mjs'
import { withLock } from './setup/lock.mjs'
import { main, say } from './setup/progress.mjs'
import { signature } from './setup/signature.mjs'
import { ROOT, setup } from './setup.mjs'

const DIST = join(ROOT, 'dist')
const COMMON = ['package.json', 'package-lock.json', 'scripts/build.mjs']

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {readonly string[]} sources
 * @property {string} output A file whose absence means that it was never made.
 * @property {string} stamp
 * @property {() => Promise<void>} make
 */

/** @type {readonly Target[]} */
const TARGETS = [
  {
    name: 'program',
    sources: [...COMMON, 'tsconfig.json', 'tsconfig.build.json', 'src', 'adapters'],
    output: join(DIST, 'src', 'cli', 'main.js'),
    stamp: join(DIST, '.built-program'),
    make: compile,
  },
  {
    name: 'page',
    sources: [...COMMON, 'src/web', 'src/protocol'],
    output: join(DIST, 'web', 'index.html'),
    stamp: join(DIST, '.built-page'),
    make: bundlePage,
  },
]

/** Builds what is not up to date. */
export async function build(options = { force: false }) {
  if (!options.force && TARGETS.every(isFresh)) {
    say('• build: nothing to do')
    return
  }
  await withLock(ROOT, async () => {
    for (const target of TARGETS) {
      if (!options.force && isFresh(target)) continue
      say(`• build: ${target.name}`)
      // Taken first: a source that changes during the build makes the next one build again.
      const made = signature(ROOT, target.sources)
      await target.make()
      writeFileSync(target.stamp, made)
    }
  })
}

/** @param {Target} target */
function isFresh(target) {
  if (!existsSync(target.output) || !existsSync(target.stamp)) return false
  return readFileSync(target.stamp, 'utf8') === signature(ROOT, target.sources)
}

/** Compiles beside the old output and swaps the folders at the end: a failed build leaves the old program whole. */
async function compile() {
  const next = join(DIST, '.next')
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  await step('the TypeScript compiler', process.execPath, [
    tsc,
    '-p',
    'tsconfig.build.json',
    '--outDir',
    next,
  ])
  for (const name of readdirSync(next)) {
    rmSync(join(DIST, name), { recursive: true, force: true })
    renameSync(join(next, name), join(DIST, name))
  }
  rmSync(next, { recursive: true, force: true })
  chmodSync(join(DIST, 'src', 'cli', 'main.js'), 0o755)
}

async function bundlePage() {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  await step('the page bundler', process.execPath, [vite, 'build', '--config', 'src/web/vite.config.ts'])
}

/** @param {string} what @param {string} program @param {readonly string[]} args */
async function step(what, program, args) {
  const { code, output } = await run(program, args, { cwd: ROOT, quiet: true })
  if (code !== 0)
    throw new SetupError(`${what} failed\n${tail(output, 40)}`, 'mend the sources, then build again')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    await setup('build')
    await build({ force: process.argv.includes('--force') })
    return 0
  })
}
