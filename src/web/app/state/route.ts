/** @module web/state/route - what the address bar says: a pairing code, the selected session, or a recording. */

export type HashRoute =
  | { readonly kind: 'pair'; readonly code: string }
  | { readonly kind: 'session'; readonly sessionId: string }
  | ({ readonly kind: 'recording' } & RecordingPlace)
  | { readonly kind: 'none' }

/** A recording, and a time in it in recorded seconds; null where the address names none. */
export interface RecordingPlace {
  readonly name: string
  readonly at: number | null
}

/** Reads a fragment such as `#pair=CODE`, `#/s/ID` or `#/recordings/NAME?t=12`. */
export function parseHash(hash: string): HashRoute {
  const pair = /^#pair=(.+)$/.exec(hash)?.[1]
  if (pair !== undefined) return { kind: 'pair', code: decoded(pair) }
  const session = /^#\/s\/([^/]+)$/.exec(hash)?.[1]
  if (session !== undefined) return { kind: 'session', sessionId: decoded(session) }
  const [, name, query = ''] = /^#\/recordings\/([^/?]+)(?:\?(.*))?$/.exec(hash) ?? []
  if (name !== undefined) return { kind: 'recording', name: decoded(name), at: seconds(query) }
  return { kind: 'none' }
}

function seconds(query: string): number | null {
  const t = new URLSearchParams(query).get('t')
  const at = t === null || t.trim() === '' ? Number.NaN : Number(t)
  return Number.isFinite(at) && at >= 0 ? at : null
}

export function recordingHash(name: string, at: number | null = null): string {
  const time = at === null ? '' : `?t=${Math.round(at * 10) / 10}`
  return `#/recordings/${encodeURIComponent(name)}${time}`
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
