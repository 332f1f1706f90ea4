/** @module scripts/accuracy/corpus - the recordings of which is known what truly happened. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listFixtures } from '../fixtures/list.mjs'

/**
 * @typedef {object} Case
 * @property {string} vendor @property {string} version @property {string} situation
 * @property {'main' | 'alternate'} screen Where the program draws.
 * @property {string} cast Path of the recording.
 * @property {import('./score.mjs').Truth} truth
 */

/** Every fixture that has a truth file. @param {string} root @param {string} [pattern] @returns {Case[]} */
export function fixtureCases(root, pattern) {
  return listFixtures(root, pattern).flatMap(({ vendor, version, situation, folder, cast }) => {
    const path = join(folder, 'truth.json')
    if (!existsSync(path)) return []
    const truth = readTruth(path)
    return [{ vendor, version, situation, cast, truth, screen: screenOf(truth) }]
  })
}

/** `NAME.cast` and `NAME.truth.json` side by side, in a folder and those below it. @param {string} folder @returns {Case[]} */
export function folderCases(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const known = new Set(files)
  return files.flatMap((file) => {
    const name = file.replace(/\.cast$/, '')
    if (name === file || !known.has(`${name}.truth.json`)) return []
    const truth = readTruth(join(folder, `${name}.truth.json`))
    const { vendor = 'unknown', version = 'unknown' } = truth
    return [
      {
        vendor,
        version,
        situation: basename(name),
        cast: join(folder, file),
        truth,
        screen: screenOf(truth),
      },
    ]
  })
}

/** @param {import('./score.mjs').Truth} truth */
function screenOf(truth) {
  return truth.alternateScreen === true ? 'alternate' : 'main'
}

/** @param {string} path @returns {import('./score.mjs').Truth} */
function readTruth(path) {
  const truth = JSON.parse(readFileSync(path, 'utf8'))
  if (!Array.isArray(truth?.items)) throw new Error(`${path} has no list of items`)
  return truth
}
