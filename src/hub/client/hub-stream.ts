/** @module hub/client/hub-stream - `WS /v1/stream` as an async iterator that holds the hub back when nobody reads. */
import { WebSocket } from 'ws'
import type { z } from 'zod'
import { asMeowError, MeowError } from '../../protocol/errors.js'
import { type ClientFrame, decodeTerminalFrame, ServerFrame } from '../../protocol/stream.js'
import { errorOf, parseJson, unreachable } from './call.js'

/** What comes: the JSON frames, and the binary ones as `terminal.data`. */
export type StreamFrame =
  | ServerFrame
  | {
      readonly type: 'terminal.data'
      readonly channel: number
      readonly offset: number
      readonly bytes: Uint8Array
    }

/** What goes: defaults may be left out. */
export type OutgoingFrame = z.input<typeof ClientFrame>

/** One reader. The iteration ends when either side says goodbye, and throws when the connection is lost. */
export interface HubStream extends AsyncIterable<StreamFrame> {
  send(frame: OutgoingFrame): void
  close(): void
}

const OPEN_MS = 10_000
/** Frames that wait for the reader before the socket is paused. */
const HIGH = 256

/** Opens the stream with the token of the install. */
export async function openStream(
  address: { readonly url: string; readonly token: string },
  options: { readonly signal?: AbortSignal } = {},
): Promise<HubStream> {
  const socket = new WebSocket(`${address.url.replace(/^http/, 'ws')}/v1/stream`, {
    headers: { authorization: `Bearer ${address.token}` },
    perMessageDeflate: false,
    handshakeTimeout: OPEN_MS,
    maxPayload: 0,
  })
  const frames = new FrameQueue(socket)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', (cause) => reject(unreachable(address.url, cause)))
    socket.once('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8')
      })
      response.on('end', () => {
        socket.terminate()
        reject(errorOf(response.statusCode ?? 500, parseJson(text)))
      })
    })
  })
  const stop = (): void => socket.close(1000)
  options.signal?.addEventListener('abort', stop, { once: true })
  socket.once('close', () => options.signal?.removeEventListener('abort', stop))
  if (options.signal?.aborted === true) stop()
  return {
    send: (frame) => socket.send(JSON.stringify(frame)),
    close: stop,
    [Symbol.asyncIterator]: () => frames,
  }
}

class FrameQueue implements AsyncIterator<StreamFrame> {
  readonly #socket: WebSocket
  readonly #frames: StreamFrame[] = []
  #waiting: { resolve: (r: IteratorResult<StreamFrame>) => void; reject: (e: MeowError) => void } | null =
    null
  /** How it ended: null while it lives, `done` for a goodbye. */
  #end: MeowError | 'done' | null = null

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.binaryType = 'nodebuffer'
    socket.on('message', (data, isBinary) => {
      try {
        this.#push(decode(data as Buffer, isBinary))
      } catch (error) {
        this.#finish(asMeowError(error))
        socket.terminate()
      }
    })
    socket.on('error', (cause) => this.#finish(lost(cause)))
    socket.on('close', (code) =>
      this.#finish(code === 1000 || code === 1001 ? 'done' : lost(new Error(`close code ${code}`))),
    )
  }

  next(): Promise<IteratorResult<StreamFrame>> {
    const frame = this.#frames.shift()
    if (this.#frames.length < HIGH / 2 && this.#socket.isPaused) this.#socket.resume()
    if (frame !== undefined) return Promise.resolve({ done: false, value: frame })
    if (this.#end === 'done') return Promise.resolve({ done: true, value: undefined })
    if (this.#end !== null) return Promise.reject(this.#end)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  /** The reader left the loop. */
  return(): Promise<IteratorResult<StreamFrame>> {
    this.#socket.close(1000)
    return Promise.resolve({ done: true, value: undefined })
  }

  #push(frame: StreamFrame): void {
    if (this.#waiting !== null) {
      this.#waiting.resolve({ done: false, value: frame })
      this.#waiting = null
      return
    }
    this.#frames.push(frame)
    if (this.#frames.length >= HIGH) this.#socket.pause()
  }

  #finish(end: MeowError | 'done'): void {
    if (this.#end !== null) return
    this.#end = end
    if (this.#waiting === null) return
    if (end === 'done') this.#waiting.resolve({ done: true, value: undefined })
    else this.#waiting.reject(end)
    this.#waiting = null
  }
}

function decode(data: Buffer, isBinary: boolean): StreamFrame {
  if (!isBinary) {
    const parsed = ServerFrame.safeParse(parseJson(data.toString('utf8')))
    if (parsed.success) return parsed.data
  } else {
    const piece = decodeTerminalFrame(data)
    if (piece !== null) return { type: 'terminal.data', ...piece }
  }
  throw new MeowError('internal', 'a frame of the hub is not understood', {
    hint: 'agent-meow down && agent-meow up',
  })
}

function lost(cause: unknown): MeowError {
  return new MeowError('hub_unreachable', 'the stream of the hub broke off', { cause, retryable: true })
}
