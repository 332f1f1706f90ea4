/**
 * What the server was asked and how each answer went: kept in memory within bounds, waited on without
 * polling, and written to a file if wanted.
 *
 * @module model-server/request-log
 */

import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs'
import { ModelServerError } from './errors.js'
import type { Usage } from './reply.js'
import type { RequestImage, ToolResult } from './request.js'
import type { RequestKind } from './side-requests.js'
import type { ToolCall } from './wire.js'

/** How an answer ended. */
export type Finished = 'completed' | 'client_closed' | 'server_closed' | 'cut' | 'error'

/** What was sent so far. */
export interface LoggedResponse {
  text: string
  reasoning: string
  toolCalls: ToolCall[]
  /** Set when it was sent to the client. */
  usage: Usage | null
  /** HTTP status; 0 until the answer begins. */
  status: number
  /** Content chunks sent. */
  chunksSent: number
  /** null while the answer is still being sent. */
  finished: Finished | null
  startedAt: number
  firstChunkAt: number | null
  endedAt: number | null
}

/** One request. Times are milliseconds since the epoch. */
export interface LoggedRequest {
  /** Dense number, from 1. */
  readonly n: number
  readonly at: number
  readonly wire: string
  readonly path: string
  readonly model: string
  readonly kind: RequestKind
  readonly stream: boolean
  /** The client sent a key or token; the value is not kept. */
  readonly hasCredentials: boolean
  readonly userAgent: string
  readonly body: unknown
  /** The last text that a person wrote. */
  readonly lastUserText: string
  readonly images: readonly RequestImage[]
  /** Results of the tool calls made after the last prompt. */
  readonly toolResults: readonly ToolResult[]
  readonly response: LoggedResponse
  /** Resolves when the answer has ended, in whatever way. */
  readonly ended: Promise<void>
}

/** What is known when a request comes in. */
export type NewRequest = Omit<LoggedRequest, 'n' | 'at' | 'response' | 'ended'> & { bodyBytes: number }

/** Something to let go of. */
export interface Disposable {
  dispose(): void
}

interface LogOptions {
  now: () => number
  maxRequests: number
  maxBytes: number
  file: string | null
  maxFileBytes: number
}

/** The log of one server. */
export class RequestLog {
  /** Kept requests, oldest first. */
  readonly requests: LoggedRequest[] = []
  /** Requests that were let go of to stay within bounds. */
  dropped = 0
  private readonly sizes: number[] = []
  private bytes = 0
  private count = 0
  private readonly listeners = new Set<(request: LoggedRequest) => void>()
  private readonly closers = new Set<() => void>()
  private readonly endings = new WeakMap<LoggedRequest, () => void>()
  private fd: number | null
  private fileBytes = 0

  constructor(private readonly options: LogOptions) {
    this.fd = options.file === null ? null : openLog(options.file)
  }

  /** Adds a request. */
  add({ bodyBytes, ...request }: NewRequest): LoggedRequest {
    const at = this.options.now()
    this.count += 1
    let resolveEnded = (): void => {}
    const ended = new Promise<void>((resolve) => {
      resolveEnded = resolve
    })
    const response: LoggedResponse = {
      text: '',
      reasoning: '',
      toolCalls: [],
      usage: null,
      status: 0,
      chunksSent: 0,
      finished: null,
      startedAt: at,
      firstChunkAt: null,
      endedAt: null,
    }
    const logged: LoggedRequest = { n: this.count, at, ...request, response, ended }
    this.endings.set(logged, resolveEnded)
    this.requests.push(logged)
    this.sizes.push(bodyBytes)
    this.bytes += bodyBytes
    this.trim()
    this.changed(logged)
    return logged
  }

  /** Marks an answer as ended; only the first call counts. */
  end(request: LoggedRequest, finished: Finished): void {
    if (request.response.finished !== null) return
    request.response.finished = finished
    request.response.endedAt = this.options.now()
    this.write(request)
    this.endings.get(request)?.()
    this.changed(request)
  }

  /** Tells the listeners that a request changed. */
  changed(request: LoggedRequest): void {
    for (const listener of [...this.listeners]) listener(request)
  }

  /** Calls the listener when a request comes in, sends its first chunk, and ends. */
  onChange(listener: (request: LoggedRequest) => void): Disposable {
    this.listeners.add(listener)
    return { dispose: () => this.listeners.delete(listener) }
  }

  /** The first kept request that satisfies the predicate, now or as soon as there is one. */
  wait(
    predicate: (request: LoggedRequest) => boolean,
    options: { timeoutMs: number; signal?: AbortSignal | undefined },
  ): Promise<LoggedRequest> {
    const found = this.requests.find(predicate)
    if (found) return Promise.resolve(found)
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer)
        subscription.dispose()
        this.closers.delete(close)
        options.signal?.removeEventListener('abort', abort)
        act()
      }
      const close = (): void => settle(() => reject(new ModelServerError('closed', 'the server was closed')))
      const abort = (): void => settle(() => reject(options.signal?.reason))
      const timer = setTimeout(() => settle(() => reject(this.timeout(options.timeoutMs))), options.timeoutMs)
      const subscription = this.onChange((request) => {
        let right = false
        try {
          right = predicate(request)
        } catch (error) {
          settle(() => reject(error))
        }
        if (right) settle(() => resolve(request))
      })
      this.closers.add(close)
      if (options.signal?.aborted) abort()
      else options.signal?.addEventListener('abort', abort)
    })
  }

  /** Ends every wait and closes the file. */
  close(): void {
    for (const close of [...this.closers]) close()
    if (this.fd !== null) closeSync(this.fd)
    this.fd = null
  }

  private trim(): void {
    const { maxRequests, maxBytes } = this.options
    while (this.requests.length > 1 && (this.requests.length > maxRequests || this.bytes > maxBytes)) {
      this.requests.shift()
      this.bytes -= this.sizes.shift() ?? 0
      this.dropped += 1
    }
  }

  private timeout(timeoutMs: number): ModelServerError {
    const seen = this.requests
      .slice(-5)
      .map(({ n, kind, wire, lastUserText, response }) => {
        const text = JSON.stringify(lastUserText.slice(0, 80))
        return `#${n} ${wire} ${kind} ${text} ${response.finished ?? 'open'}`
      })
      .join('; ')
    const detail = `no such request within ${timeoutMs} ms; seen: ${seen === '' ? 'none' : seen}`
    return new ModelServerError('wait_timeout', detail, { retryable: true })
  }

  private write(request: LoggedRequest): void {
    if (this.fd === null || this.fileBytes > this.options.maxFileBytes) return
    const { ended: _ended, images, ...rest } = request
    const pictures = images.map(({ data: _data, ...image }) => image)
    let line = `${JSON.stringify({ ...rest, images: pictures }, shorten)}\n`
    this.fileBytes += Buffer.byteLength(line)
    if (this.fileBytes > this.options.maxFileBytes) {
      line = `${JSON.stringify({ notice: 'log_file_full', maxFileBytes: this.options.maxFileBytes })}\n`
    }
    try {
      writeSync(this.fd, line)
    } catch {
      // A full disk must not stop the answers; the requests in memory stay whole.
      this.fileBytes = Number.POSITIVE_INFINITY
    }
  }
}

/** Images and other huge texts would make the file useless for reading. */
function shorten(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= 65_536) return value
  return `${value.slice(0, 1024)}… (${value.length} characters)`
}

function openLog(path: string): number {
  try {
    const fd = openSync(path, 'a', 0o600)
    fchmodSync(fd, 0o600)
    return fd
  } catch (cause) {
    throw new ModelServerError('log_file_failed', `${path} cannot be opened`, { cause })
  }
}
