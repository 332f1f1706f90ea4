/**
 * The server's own routes, for a test or a person in another process:
 *
 * - `GET /_control/gates` lists the gates,
 * - `GET /_control/gates/NAME?timeout_ms=N` answers when a stream waits at the gate (408 if none came),
 * - `POST /_control/gates/NAME/release` opens it once,
 * - `GET /_control/requests` lists the kept requests without their bodies.
 *
 * @module model-server/control
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GateBoard } from './gates.js'
import type { RequestLog } from './request-log.js'

const MAX_WAIT_MS = 300_000

/** Sends a JSON body. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const LOOPBACK_NAME = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i

/**
 * A web page in the user's browser must not reach the server: pages send `Origin`, and a name that was
 * pointed at the loopback address shows in `Host`.
 */
export function isForeign(request: IncomingMessage, loopback: boolean): boolean {
  const { origin, host } = request.headers
  if (origin !== undefined && !LOOPBACK_NAME.test(origin.replace(/^https?:\/\//, ''))) return true
  return loopback && host !== undefined && !LOOPBACK_NAME.test(host)
}

/** Resolves with false when the time is up or the client left. */
function reachedWithin(
  gates: GateBoard,
  name: string,
  ms: number,
  response: ServerResponse,
): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    response.once('close', () => {
      clearTimeout(timer)
      resolve(false)
    })
    void gates.gate(name).reached.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

/** Answers a path under `/_control/`. */
export async function handleControl(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  parts: { gates: GateBoard; log: RequestLog },
): Promise<void> {
  const [, , topic, name, action, ...more] = url.pathname.split('/').map((piece) => decodeURIComponent(piece))
  const route = `${request.method} ${topic}${name === undefined ? '' : '/NAME'}${action === undefined ? '' : `/${action}`}`
  if (more.length > 0) sendJson(response, 404, { error: 'not_found' })
  else if (route === 'GET gates') sendJson(response, 200, { gates: parts.gates.list() })
  else if (route === 'POST gates/NAME/release' && name) {
    sendJson(response, 200, { name, released: parts.gates.gate(name).release() })
  } else if (route === 'GET gates/NAME' && name) {
    const wanted = Number(url.searchParams.get('timeout_ms') ?? 10_000)
    const ms = Number.isFinite(wanted) ? Math.min(Math.max(wanted, 0), MAX_WAIT_MS) : 10_000
    const reached = await reachedWithin(parts.gates, name, ms, response)
    sendJson(response, reached ? 200 : 408, parts.gates.gate(name).status())
  } else if (route === 'GET requests') {
    const requests = parts.log.requests.map(({ body: _body, images, ended: _ended, ...rest }) => ({
      ...rest,
      images: images.map(({ data: _data, ...image }) => image),
    }))
    sendJson(response, 200, { requests, dropped: parts.log.dropped })
  } else sendJson(response, 404, { error: 'not_found' })
}
