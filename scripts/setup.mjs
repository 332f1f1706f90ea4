#!/usr/bin/env node
/**
 * @module scripts/setup - everything that a fresh clone needs, and nothing when it is all there.
 *
 * Plain Node with no packages, because it runs before there are any. `node scripts/setup.mjs [demo|test]`.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError } from './setup/command.mjs'
import { CHROMIUM, IP, installMissing, missing, TMUX } from './setup/debian.mjs'
import { withLock } from './setup/lock.mjs'
import { install, isInstalled } from './setup/node-packages.mjs'
import { main, say } from './setup/progress.mjs'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const VENDORS = join(ROOT, 'test', 'vendors')

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {() => boolean} done Quick and without effects.
 * @property {() => Promise<void>} work
 */

/**
 * What a purpose needs, in order.
 * @param {'build' | 'demo' | 'test'} purpose
 * @returns {readonly Step[]}
 */
export function steps(purpose) {
  /** @type {Step[]} */
  const list = [nodeVersion(), packages(ROOT, 'packages', true)]
  if (purpose === 'build') return list
  list.push(system(purpose === 'demo' ? [TMUX] : [TMUX, IP, CHROMIUM]))
  list.push(packages(VENDORS, 'vendor programs', purpose === 'test'))
  return list
}

/**
 * Brings the checkout to where `purpose` can start. Only a run with something to do waits for others.
 * @param {'build' | 'demo' | 'test'} purpose
 */
export async function setup(purpose) {
  const todo = steps(purpose).filter((step) => !step.done())
  if (todo.length === 0) {
    say('• set-up: nothing to do')
    return
  }
  await withLock(ROOT, async () => {
    for (const step of todo) {
      // Another run may have done it while this one waited.
      if (!step.done()) await step.work()
      say(`✓ ${step.name}`)
    }
  })
}

/** @returns {Step} */
function nodeVersion() {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const least = String(engines.node).replace(/^[^\d]*/, '')
  return {
    name: `Node ${least} or newer`,
    done: () => compareVersions(process.versions.node, least) >= 0,
    work: () => {
      throw new SetupError(
        `this is Node ${process.versions.node}, but Node ${least} or newer is needed`,
        'install a newer Node (nodejs.org, or your version manager), then run the command again',
      )
    },
  }
}

/** @param {string} folder @param {string} label @param {boolean} dev @returns {Step} */
function packages(folder, label, dev) {
  return {
    name: label,
    done: () => isInstalled(folder, { dev }),
    work: () => install(folder, { label, dev }),
  }
}

/** @param {readonly import('./setup/debian.mjs').SystemProgram[]} wanted @returns {Step} */
function system(wanted) {
  return {
    name: `system programs (${wanted.map((one) => one.name).join(', ')})`,
    done: () => missing(wanted).length === 0,
    work: () => installMissing(wanted),
  }
}

/** Negative, zero or positive, as `a` is older than, the same as or newer than `b`. */
export function compareVersions(/** @type {string} */ a, /** @type {string} */ b) {
  const [left, right] = [a, b].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0))
  for (let index = 0; index < 3; index += 1) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(async () => {
    const purpose = process.argv[2] ?? 'build'
    if (purpose !== 'build' && purpose !== 'demo' && purpose !== 'test') {
      throw new SetupError(`no such purpose: ${purpose}`, 'node scripts/setup.mjs [build|demo|test]')
    }
    await setup(purpose)
    return 0
  })
}
