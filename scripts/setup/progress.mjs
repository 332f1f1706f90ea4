/** @module scripts/setup/progress - one line a step, on stderr: stdout stays the program's own. */
import { SetupError } from './command.mjs'

/** @param {string} line */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** Tells a failure: a {@link SetupError} as `error:` and `hint:` lines, anything else with its stack. */
export function tellFailure(/** @type {unknown} */ error) {
  if (error instanceof SetupError) {
    say(`error: ${error.message}`)
    say(`hint: ${error.hint}`)
    return
  }
  say(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
}

/** Runs a script's main; a failure is told and makes exit code 1. */
export async function main(/** @type {() => Promise<number>} */ work) {
  try {
    process.exitCode = await work()
  } catch (error) {
    process.exitCode = 1
    tellFailure(error)
  }
}
