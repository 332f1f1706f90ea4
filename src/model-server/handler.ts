/**
 * Routes HTTP requests and runs each model request from its body to the end of its answer.
 *
 * @module model-server/handler
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { handleControl, isForeign, sendJson } from './control.js'
import { inputCharacters, turnState } from './conversation.js'
import type { GateBoard } from './gates.js'
import { type Pace, play, sendError } from './player.js'
import { prepareReply, tokensFor } from './prepare.js'
import { errorReply, type Reply } from './reply.js'
import type { ModelRequest } from './request.js'
import type { LoggedRequest, RequestLog } from './request-log.js'
import type { Director } from './scenario.js'
import { classify, type RequestKind } from './side-requests.js'
import { BadRequest, type Wire, type WireOperation } from './wire.js'
import { wireFor } from './wires.js'

const MAX_BODY_BYTES = 64 * 1024 * 1024
const MAX_UNMATCHED = 100

/** A request to a path that no wire has. */
export interface Unmatched {
  at: number
  method: string
  path: string
}

interface HandlerParts {
  director: Director
  gates: GateBoard
  log: RequestLog
  now: () => number
  pace: Pace
  idSeed: string
  maxToolCalls: number
  models: readonly string[]
}

/** A body, or why there is none. */
type Body = { json: unknown; bytes: number } | { status: 400 | 413; message: string; bytes: number }

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
    else chunks.length = 0
  }
  if (bytes > MAX_BODY_BYTES) return { status: 413, message: 'The request is too large.', bytes }
  try {
    return { json: JSON.parse(Buffer.concat(chunks).toString('utf8')), bytes }
  } catch {
    return { status: 400, message: 'The request body is no JSON.', bytes }
  }
}

/** Handles every request of one server. */
export class RequestHandler {
  readonly unmatched: Unmatched[] = []
  /** The server listens on a loopback address; then the Host header must name one. */
  loopback = true
  private readonly open = new Map<AbortController, Promise<void>>()
  private ids = 0

  constructor(private readonly parts: HandlerParts) {}

  /** Answers one request; never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.route(request, response)
    } catch (error) {
      // The client may be gone, or a script threw: either way this answer is over, not the server.
      if (response.headersSent || response.destroyed) response.destroy()
      else sendJson(response, 500, { error: { type: 'script_failed', message: String(error) } })
    }
  }

  /** Ends every open answer and waits until each is in the log. */
  async closeStreams(): Promise<void> {
    for (const controller of this.open.keys()) controller.abort('server_closed')
    await Promise.allSettled(this.open.values())
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const method = request.method ?? 'GET'
    const found = method === 'POST' ? wireFor(url.pathname) : null
    if (isForeign(request, this.loopback)) sendJson(response, 403, { error: 'foreign_origin' })
    else if (found) await this.model(request, response, url.pathname, found)
    else if (url.pathname.startsWith('/_control/')) await handleControl(url, request, response, this.parts)
    else if (method === 'HEAD' && url.pathname === '/') response.writeHead(200).end()
    else if (method === 'GET' && url.pathname === '/') {
      sendJson(response, 200, { name: 'agent-meow scripted model server' })
    } else if (method === 'GET' && url.pathname === '/v1/models') this.listModels(response)
    else {
      this.unmatched.push({ at: this.parts.now(), method, path: url.pathname })
      if (this.unmatched.length > MAX_UNMATCHED) this.unmatched.shift()
      sendJson(response, 404, {
        error: { type: 'not_found_error', message: `No route ${method} ${url.pathname}` },
      })
    }
  }

  /** Both APIs' member names in one list, so that clients of either can read it. */
  private listModels(response: ServerResponse): void {
    const created = Math.floor(this.parts.now() / 1000)
    const data = this.parts.models.map((id) => ({
      id,
      object: 'model',
      type: 'model',
      display_name: id,
      created,
      created_at: new Date(created * 1000).toISOString(),
      owned_by: 'agent-meow',
    }))
    const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
    sendJson(response, 200, { object: 'list', data, has_more: false, ...ends })
  }

  private async model(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    { wire, operation }: { wire: Wire; operation: WireOperation },
  ): Promise<void> {
    const body = await readBody(request)
    let parsed: ModelRequest | null = null
    let refusal = 'json' in body ? null : { status: body.status, message: body.message }
    try {
      if ('json' in body) parsed = wire.parse(body.json, path)
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error
      refusal = { status: 400, message: error.message }
    }
    const kind = parsed !== null && operation === 'generate' ? classify(parsed) : 'other'
    const turn = turnState(parsed?.items ?? [])
    const record = this.parts.log.add({
      wire: wire.id,
      path,
      model: parsed?.model ?? '',
      kind,
      stream: parsed?.stream ?? false,
      hasCredentials: ['authorization', 'x-api-key', 'x-goog-api-key'].some(
        (name) => name in request.headers,
      ),
      userAgent: request.headers['user-agent'] ?? '',
      body: 'json' in body ? body.json : null,
      bodyBytes: body.bytes,
      lastUserText: turn.prompt,
      images: parsed?.images ?? [],
      toolResults: turn.results,
    })
    const answer = this.withSignal(response, record, async (signal) => {
      if (parsed === null) this.refuse(response, wire, record, refusal ?? { status: 400, message: '' })
      else if (operation === 'count_tokens') this.countTokens(response, wire, record, parsed)
      else await this.generate(response, wire, record, parsed, kind, signal)
    })
    await answer
  }

  /** Runs an answer with a signal that aborts when the client leaves or the server closes. */
  private async withSignal(
    response: ServerResponse,
    record: LoggedRequest,
    run: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController()
    const leave = (): void => {
      if (!response.writableEnded) controller.abort('client_closed')
    }
    response.on('close', leave)
    if (response.destroyed) leave()
    const running = run(controller.signal).finally(() => {
      this.open.delete(controller)
      response.off('close', leave)
      // An answer that threw has no better word for its end.
      this.parts.log.end(record, 'error')
    })
    this.open.set(controller, running)
    await running
  }

  private refuse(
    response: ServerResponse,
    wire: Wire,
    record: LoggedRequest,
    refusal: { status: number; message: string },
  ): void {
    record.response.status = refusal.status
    sendError(response, wire, { type: 'error', ...refusal }, this.newId('req_'))
    this.parts.log.end(record, 'error')
  }

  private countTokens(
    response: ServerResponse,
    wire: Wire,
    record: LoggedRequest,
    request: ModelRequest,
  ): void {
    record.response.status = 200
    sendJson(response, 200, wire.tokenCount(tokensFor(inputCharacters(request))))
    this.parts.log.end(record, 'completed')
  }

  private async generate(
    response: ServerResponse,
    wire: Wire,
    record: LoggedRequest,
    request: ModelRequest,
    kind: RequestKind,
    signal: AbortSignal,
  ): Promise<void> {
    const { director, gates, log, now, pace, maxToolCalls } = this.parts
    const reply = prepareReply(await this.decide(director, request, kind, wire), request, {
      maxToolCalls,
      newToolCallId: () => this.newId(wire.idPrefix.toolCall),
    })
    const id = this.newId(wire.idPrefix.message)
    const head = { id, model: request.model, createdMs: now(), usage: reply.usage, request }
    await play({ wire, head, reply, response, gates, pace, signal, record, log, now })
  }

  /** A script that throws shows in the client as the API's own kind of server error. */
  private async decide(
    director: Director,
    request: ModelRequest,
    kind: RequestKind,
    wire: Wire,
  ): Promise<Reply> {
    try {
      return await director.answer(request, kind, wire.id)
    } catch (error) {
      return errorReply(500, { message: `The script failed: ${String(error)}` })
    }
  }

  private newId(prefix: string): string {
    this.ids += 1
    return `${prefix}${this.parts.idSeed}${String(this.ids).padStart(6, '0')}`
  }
}
