/** @module web/net/socket - the one WebSocket of the page: checked frames in, reconnects by itself, says how it stands. */
import './zod-setup.js'
import { type ClientFrame, decodeTerminalFrame, ServerFrame } from '../../../protocol/stream.js'
import { backoff } from '../model/backoff.js'

export type Connection =
  | { readonly status: 'connecting' }
  | { readonly status: 'open' }
  /** `retryAt`: when the next attempt starts, milliseconds since the epoch. */
  | { readonly status: 'reconnecting'; readonly attempt: number; readonly retryAt: number }

export interface SocketHandlers {
  status(connection: Connection): void
  opened(): void
  closed(): void
  frame(frame: ServerFrame): void
  terminal(frame: { channel: number; offset: number; bytes: Uint8Array }): void
  /** A frame that no schema knows. */
  unreadable(detail: string): void
  /** Asked before each further attempt: `stop` when the hub no longer knows this page. */
  mayRetry(): Promise<'go' | 'later' | 'stop'>
}

const RETRY = { firstMs: 400, maxMs: 10_000 }
const OPEN_TIMEOUT_MS = 10_000

/** Connects until {@link StreamSocket.stop}. */
export class StreamSocket {
  readonly #url: string
  readonly #on: SocketHandlers
  #socket: WebSocket | null = null
  #attempt = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #stopped = true

  constructor(url: string, handlers: SocketHandlers) {
    this.#url = url
    this.#on = handlers
  }

  start(): void {
    if (!this.#stopped) return
    this.#stopped = false
    this.#attempt = 0
    this.#on.status({ status: 'connecting' })
    this.#connect()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#socket?.close()
    this.#socket = null
  }

  /** False when there is no connection; the caller subscribes again in `opened`. */
  send(frame: ClientFrame): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(JSON.stringify(frame))
    return true
  }

  /** The wait is cut short: the network is back, or a person asked. */
  retryNow(): void {
    if (this.#stopped || this.#socket !== null) return
    clearTimeout(this.#timer)
    void this.#retry()
  }

  #connect(): void {
    const socket = new WebSocket(this.#url)
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    const late = setTimeout(() => socket.close(), OPEN_TIMEOUT_MS)
    socket.addEventListener('open', () => {
      clearTimeout(late)
      this.#on.status({ status: 'open' })
      this.#on.opened()
    })
    socket.addEventListener('message', (event: MessageEvent<unknown>) => this.#receive(event.data))
    socket.addEventListener('close', () => {
      clearTimeout(late)
      if (this.#socket !== socket) return
      this.#socket = null
      this.#on.closed()
      if (!this.#stopped) this.#later()
    })
  }

  #later(): void {
    this.#attempt += 1
    const wait = backoff(this.#attempt, Math.random(), RETRY)
    this.#on.status({ status: 'reconnecting', attempt: this.#attempt, retryAt: Date.now() + wait })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#retry(), wait)
  }

  async #retry(): Promise<void> {
    const verdict = await this.#on.mayRetry()
    if (this.#stopped || this.#socket !== null) return
    if (verdict === 'go') this.#connect()
    else if (verdict === 'later') this.#later()
    else this.stop()
  }

  #receive(data: unknown): void {
    // Only an answer shows that the connection is good.
    this.#attempt = 0
    if (data instanceof ArrayBuffer) {
      const frame = decodeTerminalFrame(new Uint8Array(data))
      if (frame === null) this.#on.unreadable('a binary frame is too short')
      else this.#on.terminal(frame)
      return
    }
    const parsed = ServerFrame.safeParse(parseJson(data))
    if (parsed.success) this.#on.frame(parsed.data)
    else this.#on.unreadable(parsed.error.issues[0]?.message ?? 'not a frame')
  }
}

function parseJson(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : null
  } catch {
    return null
  }
}
