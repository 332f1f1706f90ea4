/**
 * @module The argv that makes a program's environment exact where the backend adds names of its own.
 */
import { MeowError } from '../protocol/errors.js'
import type { TerminalSpec } from './terminal.js'

/**
 * `/usr/bin/env` takes the added names away again and then becomes the program: same pid, no shell, and by then nothing
 * of this in its argv. Only the added names go this way; secrets never pass through an argv.
 * @param added the names that the backend sets on its own
 */
export const exactArgv = (spec: TerminalSpec, added: readonly string[]): string[] => {
  if (spec.argv[0]?.includes('='))
    throw new MeowError('invalid_argument', `a program with = in its name cannot be started: ${spec.argv[0]}`)
  const unset = added.flatMap((name) => ['-u', name])
  const set = added.flatMap((name) => (spec.env[name] === undefined ? [] : [`${name}=${spec.env[name]}`]))
  return ['/usr/bin/env', ...unset, ...set, ...spec.argv]
}
