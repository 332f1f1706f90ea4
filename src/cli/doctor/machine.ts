/** @module cli/doctor/machine - what this machine must have, whatever the vendor: Node, tmux, a state folder. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { safeLine } from '../safe-text.js'
import { type Check, missing, ok, warn } from './check.js'

const OLDEST_NODE = '20.19.0'
const OLDEST_TMUX = '3.2'
const PROGRAM_ANSWERS_MS = 5_000

export function checkNode(version = process.versions.node): Check {
  return isOlder(version, OLDEST_NODE)
    ? missing(
        'node',
        `${version}; ${OLDEST_NODE} or newer is needed`,
        'install a newer Node: https://nodejs.org',
      )
    : ok('node', version)
}

export async function checkTmux(env: Readonly<Record<string, string>>): Promise<Check> {
  const install =
    process.platform === 'darwin'
      ? 'brew install tmux'
      : 'sudo apt-get install -y --no-install-recommends tmux'
  try {
    const { stdout } = await promisify(execFile)('tmux', ['-V'], { env, timeout: PROGRAM_ANSWERS_MS })
    const version = safeLine(stdout, 40).replace(/^tmux /, '')
    // A build without a number (`tmux master`) is newer than any bound.
    return /\d/.test(version) && isOlder(version, OLDEST_TMUX)
      ? missing('tmux', `${version} is too old; ${OLDEST_TMUX} or newer is needed`, install)
      : ok('tmux', version)
  } catch {
    return missing('tmux', 'not found (sessions can do without it: --backend pty)', install)
  }
}

/** Writes and removes a file: nothing else tells for sure. A folder that is not there yet is not made. */
export function checkStateFolder(home: string): Check {
  if (!existsSync(home)) {
    const above = nearestFolder(home)
    return isWritable(above)
      ? ok('state', `${home} (made when it is needed)`)
      : missing('state', `${home} cannot be made in ${above}`, 'set AGENT_MEOW_HOME to a folder of yours')
  }
  if (!isWritable(home)) {
    return missing('state', `${home} cannot be written`, 'set AGENT_MEOW_HOME to a folder of yours')
  }
  const open = (statSync(home).mode & 0o077) !== 0
  return open ? warn('state', `${home} can be read by others`, `chmod 700 ${home}`) : ok('state', home)
}

function nearestFolder(path: string): string {
  let folder = dirname(path)
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  return folder
}

function isWritable(folder: string): boolean {
  const probe = join(folder, `.agent-meow-doctor-${randomBytes(4).toString('hex')}`)
  try {
    writeFileSync(probe, '', { mode: 0o600, flag: 'wx' })
    rmSync(probe)
    return true
  } catch {
    return false
  }
}

/** Compares dotted numbers; letters (tmux's `3.3a`) do not count. */
export function isOlder(version: string, least: string): boolean {
  const [a = [], b = []] = [version, least].map((text) => (text.match(/\d+/g) ?? []).map(Number))
  for (let index = 0; index < 3; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
