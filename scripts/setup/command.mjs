/** @module scripts/setup/command - runs programs for the set-up and tells failures in one sentence. */
import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A step that cannot go on: what is wrong, and the one command or sentence that mends it. */
export class SetupError extends Error {
  /** @param {string} detail @param {string} hint */
  constructor(detail, hint) {
    super(detail)
    this.name = 'SetupError'
    this.hint = hint
  }
}

/** How much of a program's output is kept for judging a failure. */
const KEPT_OUTPUT = 64 * 1024

/**
 * The path of a program, or null when PATH has none.
 * @param {string} name
 * @param {string} path
 */
export function which(name, path = process.env.PATH ?? '') {
  for (const folder of path.split(delimiter)) {
    if (folder === '') continue
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      if (statSync(file).isFile()) return file
    } catch {
      // Not there, or not a program: the next folder may have it.
    }
  }
  return null
}

/**
 * Runs a program to its end. `quiet` keeps its output from the person; it is returned either way (its tail).
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean}} options
 * @returns {Promise<{code: number, output: string}>}
 */
export function run(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (/** @type {Buffer} */ bytes) => {
      output = (output + bytes.toString('utf8')).slice(-KEPT_OUTPUT)
      if (options.quiet !== true) process.stderr.write(bytes)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => resolve({ code: 127, output: `${output}${error.message}\n` }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

/**
 * The last lines of a program's output, indented, for an error's detail.
 * @param {string} output
 * @param {number} lines
 */
export function tail(output, lines = 12) {
  const kept = output.trimEnd().split('\n').slice(-lines)
  return kept.map((line) => `    ${line}`).join('\n')
}

/** Whether a failed install looks like a network that is not there. */
export function looksOffline(/** @type {string} */ output) {
  return /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|network|Temporary failure resolving|Could not connect/i.test(
    output,
  )
}
