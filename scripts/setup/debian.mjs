/** @module scripts/setup/debian - system programs by apt-get, only those that are missing. */
import { looksOffline, run, SetupError, tail, which } from './command.mjs'
import { say } from './progress.mjs'

/**
 * @typedef {object} SystemProgram
 * @property {string} name What a person calls it.
 * @property {readonly string[]} programs Any of them on PATH is enough.
 * @property {string} debian The package that holds it.
 */

/** `ip` sits in /usr/sbin, which is not on every person's PATH. */
const SYSTEM_PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`

/** @type {SystemProgram} */
export const TMUX = { name: 'tmux', programs: ['tmux'], debian: 'tmux' }
/** @type {SystemProgram} */
export const IP = { name: 'ip', programs: ['ip'], debian: 'iproute2' }
/** @type {SystemProgram} */
export const CHROMIUM = {
  name: 'chromium',
  programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  debian: 'chromium',
}
/** @type {readonly SystemProgram[]} */
export const COMPILER = [
  { name: 'g++', programs: ['g++'], debian: 'g++' },
  { name: 'make', programs: ['make'], debian: 'make' },
  { name: 'python3', programs: ['python3'], debian: 'python3' },
]

/** @param {readonly SystemProgram[]} wanted */
export function missing(wanted) {
  return wanted.filter((one) => one.programs.every((program) => which(program, SYSTEM_PATH) === null))
}

/**
 * Installs what is missing. Nothing is asked and nothing else is touched.
 * @param {readonly SystemProgram[]} wanted
 */
export async function installMissing(wanted) {
  const lacking = missing(wanted)
  if (lacking.length === 0) return
  const names = lacking.map((one) => one.name).join(', ')
  const packages = lacking.map((one) => one.debian)
  const command = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`
  if (process.platform === 'darwin') {
    throw new SetupError(`${names} not found`, `brew install ${packages.join(' ')}`)
  }
  if (which('apt-get') === null) {
    throw new SetupError(
      `${names} not found, and this system has no apt-get`,
      `install ${names} with your system's package manager, then run the command again`,
    )
  }
  const prefix = await elevation(names, command)
  say(`• system packages: installing ${packages.join(', ')}`)
  await apt(prefix, ['update', '-q'], command)
  await apt(prefix, ['install', '-y', '-q', '--no-install-recommends', ...packages], command)
  const still = missing(lacking)
  if (still.length > 0) {
    const left = still.map((one) => one.name).join(', ')
    throw new SetupError(`${left} still not found after the install`, `look at the output of: ${command}`)
  }
}

/** How to run apt-get as root without asking; an error names the command when there is no way. */
async function elevation(/** @type {string} */ names, /** @type {string} */ command) {
  if (process.getuid?.() === 0) return []
  if (which('sudo') !== null) {
    const { code } = await run('sudo', ['-n', 'true'], { quiet: true })
    if (code === 0) return ['sudo', '-n']
  }
  throw new SetupError(
    `${names} not found, and installing needs root (no sudo without a password here)`,
    `sudo sh -c '${command}'`,
  )
}

/** @param {readonly string[]} prefix @param {readonly string[]} args @param {string} command */
async function apt(prefix, args, command) {
  // Another apt may hold the lock on a machine that has just started.
  const argv = [
    ...prefix,
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    '-o',
    'DPkg::Lock::Timeout=120',
  ]
  const [program = 'env', ...rest] = [...argv, ...args]
  const { code, output } = await run(program, rest, { quiet: true })
  if (code === 0) return
  const why = looksOffline(output) ? ' (the package mirror cannot be reached)' : ''
  throw new SetupError(`apt-get ${args[0]} failed${why}\n${tail(output)}`, `run it by hand: ${command}`)
}
