/** @module scripts/setup/lock - one set-up or build at a time in a checkout. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError, which } from './command.mjs'

/** A set-up that installs everything on a slow line; longer means that something hangs. */
const LONGEST_WAIT_SECONDS = 900

/**
 * Runs `work` while this process holds the checkout's lock.
 *
 * The lock is the kernel's (`flock`): it is freed when its holder dies, so that no stale file can be left. The helper
 * ends with our end of its stdin. Where there is no `flock` (not Linux) the work runs without a lock.
 * @template T
 * @param {string} root
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(root, work) {
  if (which('flock') === null) return work()
  const folder = join(root, '.agent-meow')
  mkdirSync(folder, { recursive: true })
  const helper = spawn(
    'flock',
    [
      '-x',
      '-w',
      String(LONGEST_WAIT_SECONDS),
      join(folder, 'setup.lock'),
      'sh',
      '-c',
      'echo locked; exec cat',
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  helper.stdin.on('error', () => {})
  const ended = new Promise((resolve) => {
    helper.once('error', resolve)
    helper.once('close', resolve)
  })
  const locked = await Promise.race([
    new Promise((resolve) => helper.stdout.once('data', () => resolve(true))),
    ended.then(() => false),
  ])
  if (!locked) {
    throw new SetupError(
      `another set-up of this checkout did not end within ${LONGEST_WAIT_SECONDS} s`,
      'end it, then run the command again',
    )
  }
  try {
    return await work()
  } finally {
    helper.stdin.end()
    await ended
  }
}
