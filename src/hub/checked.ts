/** @module hub/checked - a query or a body through its schema; what does not fit is named. */
import type { z } from 'zod'
import { MeowError } from '../protocol/errors.js'

type Issue = z.core.$ZodIssue

/**
 * The value as the schema makes it. `invalid_argument` names each place that does not fit; where all that is wrong is a
 * text or a list over its limit, it is what `tooLarge` makes.
 */
export function checked(
  what: 'query' | 'body',
  schema: z.ZodType,
  value: unknown,
  tooLarge: (detail: string) => MeowError,
): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.flatMap((issue) => nearest(issue, []))
  const where = issues.map(({ path, message }) => `${path.join('.') || what}: ${message}`).join('; ')
  const detail = `the ${what} is not acceptable: ${where}`
  throw issues.every(isOverLimit) ? tooLarge(detail) : new MeowError('invalid_argument', detail)
}

/** Of a value that may be of several kinds, what keeps it from the kind that it is nearest to. */
function nearest(issue: Issue, above: readonly PropertyKey[]): Issue[] {
  const path = [...above, ...issue.path]
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ ...issue, path }]
  const [best = []] = [...issue.errors].sort((a, b) => a.length - b.length)
  return best.flatMap((inner) => nearest(inner, path))
}

function isOverLimit(issue: Issue): boolean {
  return issue.code === 'too_big' && (issue.origin === 'string' || issue.origin === 'array')
}
