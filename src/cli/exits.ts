/** @module cli/exits - what the exit code says, and the error that means "the call was wrong". */
import { MeowError, type MeowErrorOptions } from '../protocol/errors.js'

/** Documented in every `--help`. */
export const EXIT = {
  ok: 0,
  error: 1,
  /** The turn that was waited for was interrupted. */
  interrupted: 2,
  /** Nobody can say whether the prompt arrived: sending it again may send it twice. */
  undecided: 3,
  /** The command line is wrong; the number is BSD's EX_USAGE. */
  usage: 64,
  /** Ended by Ctrl-C, as shells count it. */
  ctrlC: 130,
} as const

export const EXIT_CODES_HELP =
  'Exit codes: 0 ok, 1 error, 2 the turn was interrupted, 3 undecided, 64 wrong usage, 130 Ctrl-C.'

/** The command line is wrong. */
export class UsageError extends MeowError {
  constructor(detail: string, options: MeowErrorOptions = {}) {
    super('invalid_argument', detail, options)
    this.name = 'UsageError'
  }
}

/** The person pressed Ctrl-C; there is nothing to tell about it. */
export class CtrlC extends Error {
  constructor() {
    super('interrupted by the person')
    this.name = 'CtrlC'
  }
}
