/** @module session/pricing - what tokens cost, from a kept price table. */
import { calcPrice } from '@pydantic/genai-prices'
import type { Tokens, Usage } from '../protocol/events.js'

/** US dollars for one model response, or null when the table has no such model. */
export type Price = (model: string, tokens: Tokens) => number | null

/** The bundled table of @pydantic/genai-prices; its `input_tokens` is the total with both cache parts. */
export const tablePrice: Price = (model, tokens) => {
  const result = calcPrice(
    {
      input_tokens: tokens.input + tokens.cacheRead + tokens.cacheWrite,
      output_tokens: tokens.output,
      cache_read_tokens: tokens.cacheRead,
      cache_write_tokens: tokens.cacheWrite,
    },
    model,
  )
  return result ? result.total_price : null
}

export const NO_TOKENS: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
export const NO_USAGE: Usage = { tokens: NO_TOKENS, usd: 0, pricedBy: 'none' }

/** Prices one response: the vendor's own figure first, then the table. */
export function priced(
  model: string | null,
  tokens: Tokens,
  vendorUsd: number | undefined,
  price: Price,
): Usage {
  if (vendorUsd !== undefined) return { tokens, usd: vendorUsd, pricedBy: 'vendor' }
  const usd = model === null ? null : price(model, tokens)
  return { tokens, usd, pricedBy: usd === null ? 'none' : 'table' }
}

/** Sum of two usages; one unknown price makes the sum unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  const reasoning = (a.tokens.reasoning ?? 0) + (b.tokens.reasoning ?? 0)
  const tokens: Tokens = {
    input: a.tokens.input + b.tokens.input,
    output: a.tokens.output + b.tokens.output,
    cacheRead: a.tokens.cacheRead + b.tokens.cacheRead,
    cacheWrite: a.tokens.cacheWrite + b.tokens.cacheWrite,
    ...(a.tokens.reasoning === undefined && b.tokens.reasoning === undefined ? {} : { reasoning }),
  }
  const usd = a.usd === null || b.usd === null ? null : a.usd + b.usd
  return { tokens, usd, pricedBy: b.pricedBy === 'none' ? a.pricedBy : b.pricedBy }
}
