/** @module hub/stream/server - `WS /v1/stream`: the clients that are connected, and whether they still live. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { bounded } from '../../protocol/bounded.js'
import type { Allow } from '../gate.js'
import type { Registry } from '../registry.js'
import { Connection } from './connection.js'
import { DEFAULT_LIMITS, type OutboxLimits } from './outbox.js'

export interface StreamOptions {
  readonly registry: Registry
  readonly limits?: OutboxLimits
  /** Between pings; a client that has not answered the last one is cut off. */
  readonly pingMs?: number
  readonly maxClients?: number
}

const PING_MS = 30_000
const MAX_CLIENTS = 100
export const GOODBYE_MS = 1_000
/** `terminal.input` is the largest frame of a client. */
const MAX_FRAME = 256 * 1024

export class StreamServer {
  readonly #options: StreamOptions
  // Deflate costs 8 times the CPU and 11 times the rate on loopback, and a window of memory for each client.
  readonly #sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME,
    clientTracking: true,
  })
  readonly #silent = new WeakSet<WebSocket>()
  #heartbeat: NodeJS.Timeout | null = null
  #accepted = 0

  constructor(options: StreamOptions) {
    this.#options = options
  }

  /** Takes over an upgrade that the gate has let in. False when there are too many clients. */
  accept(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    { scopes, caller }: Pick<Allow, 'scopes' | 'caller'>,
  ): boolean {
    if (this.#sockets.clients.size >= (this.#options.maxClients ?? MAX_CLIENTS)) return false
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      const { registry, limits = DEFAULT_LIMITS } = this.#options
      this.#accepted += 1
      const name = `${caller ?? 'client'}-${this.#accepted}`
      new Connection({ socket: client, registry, scopes, limits, name })
      client.on('pong', () => this.#silent.delete(client))
      client.on('close', () => this.#rest())
      this.#heartbeat ??= setInterval(() => this.#beat(), this.#options.pingMs ?? PING_MS).unref()
    })
    return true
  }

  get clients(): number {
    return this.#sockets.clients.size
  }

  /** Whether the timer runs that looks after the clients. */
  get beating(): boolean {
    return this.#heartbeat !== null
  }

  /** Bytes that wait for the slowest client. */
  get mostBuffered(): number {
    return Math.max(0, ...[...this.#sockets.clients].map((client) => client.bufferedAmount))
  }

  /** Says goodbye to every client, and cuts off those that do not answer. */
  async close(): Promise<void> {
    const clients = [...this.#sockets.clients]
    const gone = clients.map(
      (client) => new Promise<void>((resolve) => client.once('close', () => resolve())),
    )
    for (const client of clients) client.close(1001, 'the hub ends')
    await bounded(Promise.all(gone), GOODBYE_MS, 'clients to close').catch(() => undefined)
    for (const client of this.#sockets.clients) client.terminate()
    this.#sockets.close()
    this.#rest()
  }

  #beat(): void {
    for (const client of this.#sockets.clients) {
      if (this.#silent.has(client)) {
        client.terminate()
        continue
      }
      this.#silent.add(client)
      client.ping()
    }
  }

  /** No timer runs while nobody is connected. */
  #rest(): void {
    if (this.#sockets.clients.size > 0 || this.#heartbeat === null) return
    clearInterval(this.#heartbeat)
    this.#heartbeat = null
  }
}
