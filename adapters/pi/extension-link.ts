/**
 * @module pi/extension-link - the extension's end of the socket: numbers facts, keeps what the bridge has not
 * acknowledged, connects again, and answers each call once. Node's own modules only; never throws into Pi.
 */
import { type FSWatcher, watch } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { basename, dirname } from 'node:path'
import { LineReader } from './lines.js'
import type { Answer, BridgeLine, Hello, Lost, PiFact, Upto } from './wire.js'
import { LIVE, MAX_LINE } from './wire.js'

export interface LinkOptions {
  readonly path: string
  readonly token: string
  readonly instance: string
  readonly piVersion: string | null
  /** Runs a call of the bridge. */
  readonly onCall: (method: string, params: unknown) => Promise<unknown>
  /** What is true at the moment of a connection, told as a fact behind everything that waits. */
  readonly onConnected?: () => void
  /** Bytes of facts that are kept while the bridge does not acknowledge them. */
  readonly maxBytes?: number
  readonly firstRetryMs?: number
  readonly maxRetryMs?: number
}

interface Held {
  readonly n: number
  readonly line: string
  readonly live: boolean
}

/** Bytes that may wait in the socket itself; more stays in our buffer, where it is bounded. */
const SOCKET_HIGH = 1024 * 1024
/** Longest pause between two tries to connect, without and with a watch on the socket's folder. */
const BLIND_RETRY_MS = 2000
const WATCHED_RETRY_MS = 15_000
/** From the making of a socket until somebody listens. */
const MADE_MS = 10
/** Calls whose answers are remembered. */
const MAX_ANSWERS = 64

/** One side of a connection that may come and go; what is pushed arrives once and in order. */
export class PiLink {
  private socket: Socket | null = null
  private ready = false
  private held: Held[] = []
  private bytes = 0
  private nextN = 1
  /** The last `n` written to the latest connection. */
  private written = 0
  /** Given up without having been written; the bridge was not told yet. */
  private lost = 0
  /** Given up while on their way: lost only if the connection breaks before the bridge has them. */
  private underway: number[] = []
  private stopped = true
  private retryMs: number
  private timer: NodeJS.Timeout | null = null
  private watcher: FSWatcher | null = null
  private readonly answers = new Map<string, Promise<Answer>>()
  private readonly drained = new Set<() => void>()

  constructor(private readonly options: LinkOptions) {
    this.retryMs = this.firstRetryMs
  }

  /** Begins to connect; again and again until {@link stop}. */
  start(): void {
    if (!this.stopped) return
    this.stopped = false
    this.open()
  }

  stop(): void {
    this.stopped = true
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    this.unwatch()
    this.socket?.destroy()
  }

  /** Keeps a fact until the bridge has it. */
  push(fact: PiFact): void {
    const n = this.nextN
    let line = `${JSON.stringify({ n, ...fact })}\n`
    if (line.length > MAX_LINE / 4 && Buffer.byteLength(line) > MAX_LINE) {
      const bytes = Buffer.byteLength(line)
      line = `${JSON.stringify({ n, ev: 'oversize', of: fact.ev, bytes } satisfies PiFact & { n: number })}\n`
    }
    this.nextN += 1
    this.held.push({ n, line, live: LIVE.has(fact.ev) })
    this.bytes += line.length
    if (this.bytes > this.limit) this.evict()
    this.pump()
  }

  /** Resolves when everything pushed so far is acknowledged, or after `ms`. */
  flush(ms: number): Promise<void> {
    if (this.held.length === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        this.drained.delete(done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      this.drained.add(done)
    })
  }

  private get firstRetryMs(): number {
    return this.options.firstRetryMs ?? 100
  }

  private get limit(): number {
    return this.options.maxBytes ?? 16 * 1024 * 1024
  }

  /** Makes room: live facts first, then the oldest, down to three quarters so that it is rare. */
  private evict(): void {
    const target = this.limit * 0.75
    for (const liveOnly of [true, false]) {
      if (this.bytes <= target) return
      this.held = this.held.filter((h) => {
        if (this.bytes <= target || (liveOnly && !h.live)) return true
        this.bytes -= h.line.length
        if (h.n > this.written) this.lost += 1
        else this.underway.push(h.n)
        return false
      })
    }
  }

  private open(): void {
    if (this.stopped) return
    const reader = new LineReader(MAX_LINE)
    const socket = connect(this.options.path)
    this.socket = socket
    this.ready = false
    // Pi may end whenever it likes: neither the socket nor the timer keeps its process alive.
    socket.unref()
    socket.on('connect', () => {
      const { token, instance, piVersion } = this.options
      const hello: Hello = { hello: 1, token, pid: process.pid, piVersion, instance }
      socket.write(`${JSON.stringify(hello)}\n`)
    })
    socket.on('data', (chunk) => {
      for (const line of reader.read(chunk)) this.receive(socket, line)
      if (reader.overflow) socket.destroy()
    })
    socket.on('drain', () => this.pump())
    // 'close' follows; without a listener Pi would crash.
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.socket !== socket) return
      this.socket = null
      this.ready = false
      if (this.stopped) return
      this.watchFolder()
      this.retryLater()
    })
  }

  private retryLater(ms = this.retryMs): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = setTimeout(() => this.open(), ms)
    this.timer.unref()
    const most = this.watcher ? WATCHED_RETRY_MS : BLIND_RETRY_MS
    this.retryMs = Math.min(this.retryMs * 2, this.options.maxRetryMs ?? most)
  }

  /** A bridge that comes back makes the socket anew: then there is no need to wait. */
  private watchFolder(): void {
    if (this.watcher) return
    const { path } = this.options
    try {
      this.watcher = watch(dirname(path), { persistent: false }, (_event, name) => {
        if ((name !== null && name !== basename(path)) || this.socket || this.stopped) return
        this.retryMs = this.firstRetryMs
        this.retryLater(MADE_MS)
      })
      this.watcher.on('error', () => this.unwatch())
    } catch {
      // No folder, or no watch to be had: the tries go on.
    }
  }

  private unwatch(): void {
    this.watcher?.close()
    this.watcher = null
  }

  private receive(socket: Socket, line: string): void {
    if (socket !== this.socket) return
    let message: BridgeLine
    try {
      message = JSON.parse(line) as BridgeLine
    } catch {
      socket.destroy()
      return
    }
    if ('welcome' in message) {
      this.acknowledge(message.welcome.seen)
      this.written = message.welcome.seen
      this.lost += this.underway.length
      this.underway = []
      this.ready = true
      this.retryMs = this.firstRetryMs
      this.unwatch()
      this.options.onConnected?.()
      this.pump()
      socket.write(`${JSON.stringify({ upto: this.nextN - 1 } satisfies Upto)}\n`)
    } else if ('ack' in message) {
      this.acknowledge(message.ack)
    } else {
      this.answer(socket, message.id, message.call, message.params)
    }
  }

  private acknowledge(n: number): void {
    let count = 0
    for (const h of this.held) {
      if (h.n > n) break
      this.bytes -= h.line.length
      count += 1
    }
    if (count > 0) this.held.splice(0, count)
    this.underway = this.underway.filter((gone) => gone > n)
    if (this.held.length === 0) for (const done of [...this.drained]) done()
  }

  private answer(socket: Socket, id: string, method: string, params: unknown): void {
    let answer = this.answers.get(id)
    if (!answer) {
      answer = this.options.onCall(method, params).then(
        (result): Answer => ({ answer: id, ok: true, result: result ?? null }),
        (error: unknown): Answer => ({
          answer: id,
          ok: false,
          error: error instanceof Error ? error.message : String(error),
        }),
      )
      this.answers.set(id, answer)
      for (const old of this.answers.keys()) {
        if (this.answers.size <= MAX_ANSWERS) break
        this.answers.delete(old)
      }
    }
    void answer.then((a) => {
      if (socket === this.socket && this.ready) socket.write(`${JSON.stringify(a)}\n`)
    })
  }

  private pump(): void {
    const socket = this.socket
    if (!socket || !this.ready || socket.writableLength >= SOCKET_HIGH) return
    if (this.lost > 0) {
      socket.write(`${JSON.stringify({ lost: this.lost } satisfies Lost)}\n`)
      this.lost = 0
    }
    // `held` is ordered by n: start behind what this connection already carries.
    let at = this.held.length
    while (at > 0 && (this.held[at - 1]?.n ?? 0) > this.written) at -= 1
    for (; at < this.held.length && socket.writableLength < SOCKET_HIGH; at++) {
      const h = this.held[at]
      if (!h) break
      socket.write(h.line)
      this.written = h.n
    }
  }
}
