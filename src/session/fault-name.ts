/** @module session/fault-name - an error for the log: its kind and place, never its words (they may quote a prompt). */
import { MeowError } from '../protocol/errors.js'

/** `code` of ours, else the class and the first line of the stack that names a file. */
export function faultName(error: unknown): string {
  if (error instanceof MeowError && error.code !== 'internal') return error.code
  if (!(error instanceof Error)) return typeof error
  const place = error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '))
  return `${error.name}${place ? ` ${place.trim()}` : ''}`
}
