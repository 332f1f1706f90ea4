/** @module scripts/setup/node-packages - `npm ci` where the installed tree is not what the lock file says. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { looksOffline, run, SetupError, tail } from './command.mjs'
import { COMPILER, installMissing, missing } from './debian.mjs'
import { say } from './progress.mjs'

const MARKER = '.agent-meow-lock'

/**
 * Whether the installed tree is the lock file's. `all` satisfies a later wish for less.
 *
 * The marker answers at once; without one (someone ran npm by hand) npm's own record of the tree is compared, so that
 * a good tree is never thrown away.
 * @param {string} folder
 * @param {{dev: boolean}} wish
 */
export function isInstalled(folder, wish) {
  const modules = join(folder, 'node_modules')
  if (!existsSync(modules)) return false
  const marker = readText(join(modules, MARKER))
  if (marker === markerText(folder, true)) return true
  if (!wish.dev && marker === markerText(folder, false)) return true
  if (marker !== null || !treeMatches(folder, wish)) return false
  writeFileSync(join(modules, MARKER), markerText(folder, wish.dev))
  return true
}

/**
 * Installs a folder's packages by its lock file.
 * @param {string} folder
 * @param {{label: string, dev: boolean}} wish
 */
export async function install(folder, wish) {
  say(`• ${wish.label}: npm ci`)
  let result = await npmCi(folder, wish.dev)
  // A native package without a prebuilt binary for this machine needs a compiler; only then is one installed.
  if (result.code !== 0 && /gyp|prebuild/i.test(result.output) && missing(COMPILER).length > 0) {
    await installMissing(COMPILER)
    result = await npmCi(folder, wish.dev)
  }
  if (result.code !== 0) {
    const why = looksOffline(result.output) ? ' (the npm registry cannot be reached)' : ''
    throw new SetupError(
      `npm ci failed in ${folder}${why}\n${npmSays(result.output)}`,
      'check the network and the npm registry setting, then run the command again',
    )
  }
  writeFileSync(join(folder, 'node_modules', MARKER), markerText(folder, wish.dev))
}

/** @param {string} folder @param {boolean} dev */
function npmCi(folder, dev) {
  const args = ['ci', '--no-audit', '--no-fund', ...(dev ? ['--include=dev'] : ['--omit=dev'])]
  return run('npm', args, { cwd: folder, env: npmEnvironment(), quiet: true })
}

/** npm says first what is wrong and then, at length, how it is used in general; a build says it last. */
function npmSays(/** @type {string} */ output) {
  const errors = output.split('\n').filter((line) => /^npm (error|ERR!)\s+\S/.test(line))
  const head = errors.slice(0, 8).map((line) => `    ${line}`)
  return /gyp/i.test(output) ? tail(output, 30) : head.length > 0 ? head.join('\n') : tail(output)
}

/**
 * The person's environment without what an outer `npm run` sets for its own package. Where this Node came with its
 * headers, a native build uses them and downloads none.
 */
function npmEnvironment() {
  /** @type {NodeJS.ProcessEnv} */
  const env = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (!/^npm_(package|lifecycle|config_local_prefix|command|execpath)/.test(name) && name !== 'NODE_ENV') {
      env[name] = value
    }
  }
  const prefix = dirname(dirname(process.execPath))
  if (env.npm_config_nodedir === undefined && existsSync(join(prefix, 'include', 'node', 'node.h'))) {
    env.npm_config_nodedir = prefix
  }
  return env
}

/** What the marker holds: the lock file, this Node's ABI, and whether development packages are there. */
function markerText(/** @type {string} */ folder, /** @type {boolean} */ dev) {
  const lock = readText(join(folder, 'package-lock.json')) ?? ''
  const hash = createHash('sha256').update(lock).digest('hex')
  return `${hash} abi=${process.versions.modules} ${dev ? 'all' : 'without-dev'}\n`
}

/** Compares npm's record of the installed tree with the lock file, package by package. */
function treeMatches(/** @type {string} */ folder, /** @type {{dev: boolean}} */ wish) {
  const wanted = readLock(join(folder, 'package-lock.json'))
  const present = readLock(join(folder, 'node_modules', '.package-lock.json'))
  if (wanted === null || present === null) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || (entry.dev === true && !wish.dev)) return true
    const found = present[path]
    // Optional packages of other platforms are never installed.
    if (found === undefined) return entry.optional === true || entry.devOptional === true
    return found.version === entry.version
  })
}

/**
 * @typedef {{version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean}} LockEntry
 * @param {string} file
 * @returns {Record<string, LockEntry> | null}
 */
function readLock(file) {
  const text = readText(file)
  if (text === null) return null
  try {
    return JSON.parse(text).packages ?? null
  } catch {
    return null
  }
}

function readText(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
