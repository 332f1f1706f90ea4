/** @module scripts/test-run/leftovers - processes that a run of the tests left behind. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** How long processes that are already ending may take to be gone. */
const ENDING_MS = 10_000
const LOOK_EVERY_MS = 100

/** @typedef {{pid: number, command: string}} Process */

/**
 * Whatever still runs in the run's namespace (nothing leaves one by accident, daemons included), or, without a
 * namespace, whatever carries the run's mark in its environment or command line. Waits a bounded time for the ending.
 * @param {{netns: string, id: string}} run
 * @returns {Promise<Process[]>}
 */
export async function leftProcesses(run) {
  const deadline = Date.now() + ENDING_MS
  let left = look(run)
  while (left.length > 0 && Date.now() < deadline) {
    await delay(LOOK_EVERY_MS)
    left = look(run)
  }
  return left
}

/** Ends what is left; it is the run's own. */
export function endProcesses(/** @type {readonly Process[]} */ processes) {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself in the meantime.
    }
  }
}

/** @param {{netns: string, id: string}} run @returns {Process[]} */
function look(run) {
  if (process.platform !== 'linux') return []
  const namespace = read(run.netns).trim()
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  return pids.flatMap((name) => {
    const command = read(`/proc/${name}/cmdline`).split('\0').join(' ').trim()
    // A zombie has no command line and no work left; its parent has only to look.
    if (command === '') return []
    const ours =
      namespace === ''
        ? command.includes(run.id) || read(`/proc/${name}/environ`).includes(run.id)
        : link(`/proc/${name}/ns/net`) === namespace
    return ours ? [{ pid: Number(name), command }] : []
  })
}

function read(/** @type {string} */ file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function link(/** @type {string} */ file) {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}
