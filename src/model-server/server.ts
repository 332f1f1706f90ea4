/**
 * The scripted model server: the vendors' model APIs on a loopback port, with answers that a test, a
 * script file, the prompt itself or a demo persona decides.
 *
 * @module model-server/server
 */

import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ModelServerError } from './errors.js'
import { type Gate, GateBoard } from './gates.js'
import { RequestHandler, type Unmatched } from './handler.js'
import { type PersonaChoice, personaOf } from './persona.js'
import { type Disposable, type LoggedRequest, RequestLog } from './request-log.js'
import { Director, type Script } from './scenario.js'
import { readScriptFile } from './script-file.js'

/** How to start a server; everything has a default. */
export interface ModelServerOptions {
  /** 127.0.0.1 if not given. */
  host?: string | undefined
  /** 0, a free port, if not given. */
  port?: number | undefined
  /** Who answers prompts that nothing scripts; `demo` if not given. */
  persona?: PersonaChoice | undefined
  /** Milliseconds between chunks; 0 if not given, and then the demo persona takes its own 30. */
  chunkDelayMs?: number | undefined
  /** Characters per chunk; 0 or not given: word by word. */
  chunkSize?: number | undefined
  /** Every answered request is appended here as a JSON line (mode 0600). */
  logFile?: string | undefined
  /** The log file stops growing here; 64 MiB if not given. */
  maxLogFileBytes?: number | undefined
  /** A JSON script, see `script-file.ts`. */
  scriptFile?: string | undefined
  /** Kept requests; 200 if not given. */
  maxRequests?: number | undefined
  /** Bytes of the kept requests' bodies; 64 MiB if not given. */
  maxRequestBytes?: number | undefined
  /** Tool calls after one prompt, whoever scripts them; 25 if not given. */
  maxToolCalls?: number | undefined
  /** Model names for `GET /v1/models`. */
  models?: readonly string[] | undefined
  /** Milliseconds since the epoch; for tests. */
  now?: (() => number) | undefined
  /** Part of every id that the server makes; random if not given, so that ids of two servers differ. */
  idSeed?: string | undefined
}

/** A running server. */
export interface ModelServer {
  /** Without a trailing slash: the Anthropic base URL; OpenAI clients add `/v1`. */
  readonly url: string
  readonly port: number
  /** Kept requests, oldest first. */
  readonly requests: readonly LoggedRequest[]
  /** Requests that were let go of to keep the log bounded. */
  readonly dropped: number
  /** Requests to paths that no wire has. */
  readonly unmatched: readonly Unmatched[]
  /** The gate of this name, made if there is none. */
  gate(name: string): Gate
  /** Replaces the script in code; `null` takes it away. */
  script(script: Script | null): void
  /** The first kept request that satisfies the predicate, now or as soon as one does. */
  waitForRequest(
    predicate: (request: LoggedRequest) => boolean,
    options?: { timeoutMs?: number; signal?: AbortSignal },
  ): Promise<LoggedRequest>
  /** Calls the listener when a request comes in, sends its first chunk, and ends. */
  onChange(listener: (request: LoggedRequest) => void): Disposable
  /** Ends open streams and stops listening. */
  close(): Promise<void>
}

const MEBIBYTE = 1024 * 1024

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE'
      const detail = taken ? `port ${port} of ${host} is taken by another program` : cause.message
      reject(new ModelServerError(taken ? 'port_in_use' : 'listen_failed', detail, { cause }))
    })
    server.listen(port, host, () => {
      const address = server.address()
      if (address === null || typeof address === 'string') {
        reject(new ModelServerError('listen_failed', 'the server has no port'))
      } else resolve(address)
    })
  })
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}

/** Starts a server; rejects with a {@link ModelServerError} when it cannot. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { host = '127.0.0.1', port = 0, now = Date.now } = options
  const scenarios = options.scriptFile === undefined ? null : readScriptFile(options.scriptFile)
  const director = new Director(personaOf(options.persona ?? 'demo', options.chunkDelayMs), scenarios)
  const gates = new GateBoard()
  const log = new RequestLog({
    now,
    maxRequests: options.maxRequests ?? 200,
    maxBytes: options.maxRequestBytes ?? 64 * MEBIBYTE,
    file: options.logFile ?? null,
    maxFileBytes: options.maxLogFileBytes ?? 64 * MEBIBYTE,
  })
  const handler = new RequestHandler({
    director,
    gates,
    log,
    now,
    pace: { delayMs: options.chunkDelayMs ?? 0, chunkSize: options.chunkSize ?? 0 },
    idSeed: options.idSeed ?? randomBytes(6).toString('hex'),
    maxToolCalls: options.maxToolCalls ?? 25,
    models: options.models ?? ['meow-scripted'],
  })
  const server = createServer((request, response) => void handler.handle(request, response))
  server.requestTimeout = 0
  let address: AddressInfo
  try {
    address = await listen(server, host, port)
  } catch (error) {
    log.close()
    throw error
  }
  handler.loopback = isLoopback(address.address)
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address
  let closing: Promise<void> | null = null
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await handler.closeStreams()
    server.closeAllConnections()
    await closed
    log.close()
  }
  return {
    url: `http://${shownHost}:${address.port}`,
    port: address.port,
    requests: log.requests,
    unmatched: handler.unmatched,
    get dropped() {
      return log.dropped
    },
    gate: (name) => gates.gate(name),
    script: (script) => director.use(script),
    waitForRequest: (predicate, { timeoutMs = 10_000, signal } = {}) =>
      log.wait(predicate, { timeoutMs, signal }),
    onChange: (listener) => log.onChange(listener),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
