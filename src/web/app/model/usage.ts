/** @module web/model/usage - sums of usage. */
import type { Usage } from '../../../protocol/events.js'

/** The sum; its price is unknown when one of the two is. */
export function addUsage(a: Usage, b: Usage): Usage {
  const reasoning =
    a.tokens.reasoning === undefined && b.tokens.reasoning === undefined
      ? {}
      : { reasoning: (a.tokens.reasoning ?? 0) + (b.tokens.reasoning ?? 0) }
  return {
    tokens: {
      input: a.tokens.input + b.tokens.input,
      output: a.tokens.output + b.tokens.output,
      cacheRead: a.tokens.cacheRead + b.tokens.cacheRead,
      cacheWrite: a.tokens.cacheWrite + b.tokens.cacheWrite,
      ...reasoning,
    },
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
    pricedBy: a.pricedBy === b.pricedBy ? a.pricedBy : a.usd === null || b.usd === null ? 'none' : 'table',
  }
}
