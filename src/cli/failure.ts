/** @module cli/failure - how a command that failed says so, and with which exit code. */
import { z } from 'zod'
import { asMeowError, type MeowError } from '../protocol/errors.js'
import { CtrlC, EXIT, UsageError } from './exits.js'
import { safeText } from './safe-text.js'
import type { Shell } from './shell.js'

type Mouth = Pick<Shell, 'out' | 'tell'>

/** Tells the error (`error:` and `hint:` on stderr, or one JSON document on stdout) and answers the exit code. */
export function tellFailure(mouth: Mouth, thrown: unknown, json: boolean): number {
  if (thrown instanceof CtrlC) return EXIT.ctrlC
  const error = thrown instanceof z.ZodError ? badInput(thrown) : asMeowError(thrown)
  if (json) mouth.out(`${JSON.stringify({ error })}\n`)
  else tellError(mouth, error)
  return error instanceof UsageError ? EXIT.usage : EXIT.error
}

function tellError(mouth: Mouth, error: MeowError): void {
  mouth.tell(`error: ${safeText(error.detail)}`)
  if (error.hint !== undefined) mouth.tell(`hint: ${safeText(error.hint)}`)
}

/** The first value that does not fit, by the name it has on the command line. */
function badInput(error: z.ZodError): UsageError {
  const issue = error.issues[0]
  const name = String(issue?.path[0] ?? 'arguments').replaceAll(
    /[A-Z]/g,
    (letter) => `-${letter.toLowerCase()}`,
  )
  return new UsageError(`${name}: ${issue?.message ?? 'not acceptable'}`)
}
