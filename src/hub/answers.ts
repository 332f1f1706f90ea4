/** @module hub/answers - what every answer carries, and how an error becomes one. */
import type { ServerResponse } from 'node:http'
import type { ErrorBody } from '../protocol/commands.js'
import type { ErrorCode, MeowError } from '../protocol/errors.js'

/** Xterm sets styles on its elements; nothing else needs more than the page's own origin. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** On every answer. There are no CORS headers at all: no other origin has business here. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_argument: 400,
  not_found: 404,
  unauthorized: 401,
  forbidden: 403,
  conflict: 409,
  too_large: 413,
  unsupported: 422,
  tmux_missing: 503,
  tmux_failed: 500,
  terminal_start_failed: 500,
  terminal_gone: 410,
  vendor_missing: 422,
  vendor_unknown: 400,
  vendor_auth_missing: 422,
  vendor_start_failed: 502,
  blocked: 409,
  draft_present: 409,
  delivery_failed: 502,
  port_taken: 500,
  state_unwritable: 507,
  hub_unreachable: 503,
  timeout: 504,
  internal: 500,
}

/** The HTTP status of an error. */
export function statusOf(error: MeowError): number {
  return STATUS[error.code]
}

/** The body of an error. */
export function errorBody(error: MeowError): ErrorBody {
  return { error: error.toJSON() }
}

/** Answers before any route: the connection ends, so that nobody reads the body of a refused request. */
export function refuse(response: ServerResponse, status: number, error: MeowError): void {
  const text = JSON.stringify(errorBody(error))
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(text)
}

/** The same on the bare socket of an upgrade. */
export function refusalOfUpgrade(status: number, reason: string, error: MeowError): string {
  const text = JSON.stringify(errorBody(error))
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${reason}`, ...lines, '', text].join('\r\n')
}
