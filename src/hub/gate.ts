/**
 * @module hub/gate - the one decision before any routing: may this request come in, and with which scopes.
 *
 * A pure function over what came on the wire. It knows nothing of routes but four classes of paths; every route
 * then asks again for its own scope, so that two readings of one path can only end in a refusal.
 */
import type { Scope } from '../protocol/commands.js'
import type { ErrorCode } from '../protocol/errors.js'
import { bearerOf, cookieValues, sameSecret } from './credentials.js'
import { cleanPath } from './paths.js'

export interface GateRequest {
  readonly method: string
  /** The request target, as sent. */
  readonly url: string
  /** Every value of a header, by lowercase name (node's `headersDistinct`). */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  readonly upgrade: boolean
}

export interface GateConfig {
  /** The port that the hub listens on. */
  readonly port: number
  readonly token: string
  /** The hook token of a session that lives; undefined for any other id. */
  readonly hookToken: (sessionId: string) => string | undefined
  /** The scopes of a paired browser's cookie; null when the value is not one of ours. */
  readonly cookieScopes: (value: string) => ReadonlySet<Scope> | null
}

/** What a request is: a file of the page, the exchange of a code, a vendor's hook, the stream, or the API. */
export type PathClass = 'page' | 'pair' | 'hook' | 'stream' | 'api'

/** `page`: a paired browser; `cli`: a holder of the install's token; null: neither. */
export type Caller = 'page' | 'cli' | null

export interface Allow {
  readonly allow: true
  readonly kind: PathClass
  readonly path: string
  readonly scopes: ReadonlySet<Scope>
  /** Who asks, as far as the credential tells. */
  readonly caller: Caller
  /** The session whose hook token came with it; null on every other class. */
  readonly hookSession: string | null
}

export interface Deny {
  readonly allow: false
  readonly status: number
  readonly code: ErrorCode
  readonly detail: string
}

export type Verdict = Allow | Deny

/** The cookie of the hub on this port: cookies know no ports, so the name does. */
export const cookieName = (port: number): string => `meow_${port}`

/** What the token of the install may do. */
export const ALL_SCOPES: ReadonlySet<Scope> = new Set(['view', 'type', 'approve', 'spawn'])
const NO_SCOPES: ReadonlySet<Scope> = new Set()

/** Headers that decide something and of which there must be one at most. */
const SINGLE = ['host', 'origin', 'authorization', 'content-type', 'sec-fetch-site', 'sec-fetch-mode']
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])
const MUTATIONS = new Set(['POST', 'PATCH', 'DELETE'])
const HOOK_PATH = /^\/v1\/sessions\/([\w.-]+)\/hook$/

/** Decides on one request or upgrade. */
export function gate(request: GateRequest, config: GateConfig): Verdict {
  for (const name of SINGLE) {
    if ((request.headers[name]?.length ?? 0) > 1)
      return deny(400, 'invalid_argument', `more than one header ${name}`)
  }
  const header = (name: string): string | undefined => request.headers[name]?.[0]

  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${config.port}`)
  if (!hosts.includes(header('host') ?? '')) return deny(403, 'forbidden', 'the Host is not this hub')

  const path = cleanPath(request.url)
  if (path === null) return deny(400, 'invalid_argument', 'the path is not in its plain form')
  if (!METHODS.has(request.method)) return deny(405, 'invalid_argument', `no method ${request.method} here`)
  const kind = classify(path)
  const mutation = MUTATIONS.has(request.method)

  const site = header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    // Following a link to the page is the one thing that another site may start: it carries no answer back there.
    const followsLink = kind === 'page' && !mutation && header('sec-fetch-mode') === 'navigate'
    if (!followsLink) return deny(403, 'forbidden', 'the request comes from another site')
  }
  const origin = header('origin')
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
    return deny(403, 'forbidden', 'the Origin is not this hub')
  }

  const allow = (
    scopes: ReadonlySet<Scope>,
    caller: Caller = null,
    hookSession: string | null = null,
  ): Verdict => ({ allow: true, kind, path, scopes, caller, hookSession })
  if (request.upgrade !== (kind === 'stream')) {
    return request.upgrade
      ? deny(404, 'not_found', 'no stream here')
      : deny(426, 'invalid_argument', 'the stream is a WebSocket')
  }
  if (request.upgrade && request.method !== 'GET') return deny(405, 'invalid_argument', 'the stream is a GET')
  if (kind === 'page') {
    return mutation ? deny(405, 'invalid_argument', 'the page has no such method') : allow(NO_SCOPES)
  }

  const bearer = bearerOf(header('authorization'))
  if (kind === 'hook') {
    const sessionId = HOOK_PATH.exec(path)?.[1] ?? ''
    const expected = config.hookToken(sessionId)
    if (bearer === null || expected === undefined || !sameSecret(bearer, expected)) return wrongToken(bearer)
    return notJson(request, mutation) ?? allow(NO_SCOPES, null, sessionId)
  }

  // A token that was sent and is wrong is refused even beside a good cookie: the caller meant it.
  const byToken = bearer !== null && sameSecret(bearer, config.token)
  if (bearer !== null && !byToken) return wrongToken(bearer)
  if ((mutation || request.upgrade) && !byToken && origin === undefined) {
    return deny(403, 'forbidden', 'without an Origin only a bearer token may do this')
  }
  if (kind === 'pair') return notJson(request, mutation) ?? allow(NO_SCOPES)
  if (byToken) return notJson(request, mutation) ?? allow(ALL_SCOPES, 'cli')
  for (const value of cookieValues(request.headers.cookie ?? [], cookieName(config.port))) {
    const scopes = config.cookieScopes(value)
    if (scopes !== null) return notJson(request, mutation) ?? allow(scopes, 'page')
  }
  return wrongToken(null)
}

function classify(path: string): PathClass {
  if (path !== '/v1' && !path.startsWith('/v1/')) return 'page'
  if (path === '/v1/pair') return 'pair'
  if (path === '/v1/stream') return 'stream'
  return HOOK_PATH.test(path) ? 'hook' : 'api'
}

/** A form or a text of another site cannot have this type without asking first, and nobody answers that. */
function notJson(request: GateRequest, mutation: boolean): Deny | null {
  if (!mutation) return null
  const length = request.headers['content-length']?.[0]
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  if (!hasBody) return null
  const type = (request.headers['content-type']?.[0] ?? '').split(';')[0]?.trim().toLowerCase()
  return type === 'application/json'
    ? null
    : deny(415, 'invalid_argument', 'the body must be application/json')
}

function wrongToken(bearer: string | null): Deny {
  return deny(401, 'unauthorized', bearer === null ? 'a token is needed' : 'the token is not good here')
}

function deny(status: number, code: ErrorCode, detail: string): Deny {
  return { allow: false, status, code, detail }
}
