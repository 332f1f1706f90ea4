/** @module scripts/setup/options - a script's options: `--help` tells its usage, and so does a wrong one. */
import { parseArgs } from 'node:util'
import { SetupError } from './command.mjs'

/**
 * Parses the options of this run.
 * @template {import('node:util').ParseArgsConfig['options']} O
 * @param {string} usage told on `--help`, which ends the process, and as the hint of an error
 * @param {O} options
 */
export function optionsOf(usage, options) {
  if (process.argv.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  }
  try {
    return parseArgs({ allowPositionals: true, options })
  } catch (error) {
    throw new SetupError(error instanceof Error ? error.message : String(error), usage)
  }
}
