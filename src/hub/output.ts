/** @module hub/output - the daemon's one line on stdout, and letting go of it. */
import * as fs from 'node:fs'
import type { ErrorBody } from '../protocol/commands.js'
import type { DaemonArguments } from './arguments.js'

export type Said = { readonly ready: true; readonly port: number; readonly url: string } | ErrorBody

/** JSON for the program that waits for it; words for a person in the foreground. */
export function tellOutput(args: DaemonArguments | null, said: Said): void {
  const words = args?.foreground === true && !args.json && 'ready' in said
  const line = words ? `agent-meow listens on ${said.url}` : JSON.stringify(said)
  try {
    fs.writeSync(1, `${line}\n`)
  } catch {
    // Whoever started it does not listen any more; the state home says the same.
  }
}

/**
 * Closes stdout, so that a caller that reads to its end is not held for as long as the hub lives. The descriptor is
 * taken again at once by the null device: it must never become that of a file which a stray line would then write to.
 */
export function detachOutput(): void {
  try {
    fs.closeSync(1)
    fs.openSync('/dev/null', 'w')
  } catch {
    // Without a stdout there is nothing to let go of.
  }
}
