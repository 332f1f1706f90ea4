/** @module web/state/route - what the address bar says: a pairing code, or the selected session. */

export type HashRoute =
  | { readonly kind: 'pair'; readonly code: string }
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'none' }

/** Reads a fragment such as `#pair=CODE` or `#/s/ID`. */
export function parseHash(hash: string): HashRoute {
  const pair = /^#pair=(.+)$/.exec(hash)?.[1]
  if (pair !== undefined) return { kind: 'pair', code: decoded(pair) }
  const session = /^#\/s\/([^/]+)$/.exec(hash)?.[1]
  if (session !== undefined) return { kind: 'session', sessionId: decoded(session) }
  return { kind: 'none' }
}

export function sessionHash(sessionId: string): string {
  return `#/s/${encodeURIComponent(sessionId)}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
