/**
 * @module pi/listener - the bridge's end of the extension's socket: lets in who knows the token, one at a time,
 * tells each fact once and in order, acknowledges, and calls.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { MeowError } from '../../src/protocol/errors.js'
import { LineReader } from './lines.js'
import type { Answer, BridgeLine, Hello, Lost, Numbered, Upto } from './wire.js'
import { MAX_LINE } from './wire.js'

export interface ListenerOptions {
  readonly path: string
  readonly token: string
  /** A Pi process that was not seen before has come. */
  readonly onInstance: (hello: Hello) => void
  readonly onFact: (fact: Numbered, instance: string) => void
  /** Facts are missing or a line cannot be read. */
  readonly onGap: (detail: string) => void
  /** Pi spoke to an earlier bridge: what that one had is not told again, and no hole. */
  readonly resumed?: boolean
  /** All that Pi had to tell when it connected was told. Once. */
  readonly onCaughtUp?: () => void
  /** How long a call may take, a reconnect included. */
  readonly callMs?: number
}

/** How long a connection may take to say hello, and how long that line may be. */
const HELLO_MS = 5000
const HELLO_BYTES = 16 * 1024
/** How long a stop reads on; the socket of a dead process is at its end long before. */
const DRAIN_MS = 1000
/** Turns of the event loop that an acknowledgement may wait for a quiet one. */
const ACK_TURNS = 32

interface Pending {
  readonly line: BridgeLine
  readonly resolve: (result: unknown) => void
  readonly reject: (error: MeowError) => void
  sent: boolean
}

export class PiListener {
  private readonly server: Server
  private readonly sockets = new Set<Socket>()
  private current: Socket | null = null
  private readonly pending = new Map<string, Pending>()
  /** The Pi process that speaks, and the last fact of it that was told. */
  private instance: string | null = null
  private seen = 0
  private acknowledged = 0
  private acking = false
  /** Missing numbers that the extension has announced, so that they are told as one gap. */
  private announced = 0
  /** The last fact could not be told: the next failures in a row are the same one. */
  private failing = false
  /** The first fact may have any number. */
  private anyFirst: boolean
  private upto: number | null = null
  private caughtUp = false

  constructor(private readonly options: ListenerOptions) {
    this.anyFirst = options.resumed ?? false
    this.server = createServer((socket) => this.accept(socket))
  }

  async start(): Promise<void> {
    const { path } = this.options
    // A bridge that was killed leaves its socket behind; the folder is this session's own.
    rmSync(path, { force: true })
    await new Promise<void>((resolve, reject) => {
      const failed = (cause: unknown): void =>
        reject(new MeowError('internal', `cannot listen on ${path}`, { cause }))
      this.server.once('error', failed)
      this.server.listen(path, () => {
        this.server.off('error', failed)
        resolve()
      })
    })
    chmodSync(path, 0o600)
  }

  /** Lets nobody in any more, and tells what has come but was not read yet. */
  async stop(): Promise<void> {
    for (const [id, p] of this.pending) this.fail(id, p, 'the bridge stopped')
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    for (const socket of this.sockets) {
      // A Pi that still runs ends its side when ours ends, behind what it has written.
      if (socket === this.current) socket.end()
      else socket.destroy()
    }
    const late = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy()
    }, DRAIN_MS)
    await closed
    clearTimeout(late)
  }

  /**
   * Asks the extension; asked again after a reconnect, done once.
   * @param callMs how long it may take, in ms
   */
  call(method: string, params: unknown, callMs = this.options.callMs ?? 10_000): Promise<unknown> {
    const id = randomUUID()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const entry = this.pending.get(id)
        if (entry) this.fail(id, entry, entry.sent ? 'Pi did not answer' : 'Pi is not connected')
      }, callMs)
      const entry: Pending = {
        line: { call: method, id, params },
        resolve: (result) => {
          clearTimeout(timer)
          resolve(result)
        },
        reject: (error) => {
          clearTimeout(timer)
          reject(error)
        },
        sent: false,
      }
      this.pending.set(id, entry)
      if (this.current) this.send(this.current, entry)
    })
  }

  private fail(id: string, entry: Pending, why: string): void {
    this.pending.delete(id)
    const unknown = entry.sent ? '; whether it was done is not known' : ''
    entry.reject(new MeowError('timeout', `${why}${unknown}`, { retryable: !entry.sent }))
  }

  private send(socket: Socket, entry: Pending): void {
    entry.sent = true
    this.write(socket, entry.line)
  }

  private write(socket: Socket, line: BridgeLine): void {
    socket.write(`${JSON.stringify(line)}\n`)
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket)
    const late = setTimeout(() => socket.destroy(), HELLO_MS)
    const reader = new LineReader(HELLO_BYTES)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(late)
      this.sockets.delete(socket)
      if (this.current === socket) this.current = null
    })
    socket.on('data', (chunk) => {
      for (const line of reader.read(chunk)) {
        if (socket.destroyed) return
        if (this.current === socket) this.receive(line)
        else if (this.greet(socket, line)) {
          clearTimeout(late)
          reader.limit = MAX_LINE
        } else {
          socket.destroy()
          return
        }
      }
      if (reader.overflow) {
        if (this.current === socket) this.gap(`a line from Pi is longer than ${MAX_LINE} bytes`)
        socket.destroy()
        return
      }
      this.acknowledge()
    })
  }

  /**
   * Once the loop finds nothing more to read: a write to a process that is gone destroys the socket, with the
   * bytes of that process that are still in it.
   */
  private acknowledge(turns = ACK_TURNS): void {
    if (this.acking || this.seen === this.acknowledged) return
    this.acking = true
    const { seen } = this
    const look = (): void => {
      this.acking = false
      if (this.seen !== seen && turns > 0) this.acknowledge(turns - 1)
      else if (this.current?.writable) {
        this.acknowledged = this.seen
        this.write(this.current, { ack: this.seen })
      }
    }
    setImmediate(() => setImmediate(look))
  }

  /** Checks the first line; the newest good connection is the one that counts. */
  private greet(socket: Socket, line: string): boolean {
    const hello = parse(line) as Partial<Hello> | null
    if (hello?.hello !== 1 || typeof hello.token !== 'string' || typeof hello.instance !== 'string')
      return false
    if (!/^[\w-]{1,40}$/.test(hello.instance) || !sameText(hello.token, this.options.token)) return false
    this.current?.destroy()
    this.current = socket
    if (this.instance !== hello.instance) {
      this.instance = hello.instance
      this.seen = 0
      this.announced = 0
      this.tell('hello', () => this.options.onInstance(hello as Hello))
    }
    this.acknowledged = this.seen
    this.write(socket, { welcome: { seen: this.seen } })
    for (const entry of this.pending.values()) this.send(socket, entry)
    return true
  }

  private receive(line: string): void {
    const message = parse(line) as Partial<Numbered & Answer & Lost & Upto> | null
    if (message && typeof message.answer === 'string') {
      this.answered(message as Answer)
      return
    }
    if (message && typeof message.lost === 'number') {
      this.announced += message.lost
      this.gap(`${message.lost} facts were given up while the bridge did not take them`)
      return
    }
    if (message && typeof message.upto === 'number') {
      this.upto = message.upto
      this.lookCaughtUp()
      return
    }
    if (!message || typeof message.n !== 'number' || typeof message.ev !== 'string') {
      this.gap('a line from Pi cannot be read')
      return
    }
    if (this.anyFirst) {
      this.anyFirst = false
      this.announced = 0
      this.seen = message.n - 1
    }
    if (message.n <= this.seen) return
    this.missing(this.seen + 1, message.n)
    const instance = this.instance ?? ''
    this.tell(`fact ${message.n} (${message.ev})`, () => this.options.onFact(message as Numbered, instance))
    this.seen = message.n
    this.lookCaughtUp()
  }

  private lookCaughtUp(): void {
    if (this.caughtUp || this.upto === null || this.seen < this.upto) return
    this.caughtUp = true
    this.tell('that all was told', () => this.options.onCaughtUp?.())
  }

  /** Nobody catches what a socket's listener throws; failures in a row (a full disk) are told once. */
  private tell(what: string, run: () => void): void {
    try {
      run()
      this.failing = false
    } catch (error) {
      if (!this.failing) this.gap(`${what} could not be told: ${String(error)}`)
      this.failing = true
    }
  }

  private gap(detail: string): void {
    try {
      this.options.onGap(detail)
    } catch {
      // There is nobody left to tell.
    }
  }

  private missing(expected: number, got: number): void {
    const hole = got - expected
    if (hole <= 0) return
    const known = Math.min(hole, this.announced)
    this.announced -= known
    if (hole > known) this.gap(`facts ${expected} to ${got - 1} never came`)
  }

  private answered(answer: Answer): void {
    const entry = this.pending.get(answer.answer)
    if (!entry) return
    this.pending.delete(answer.answer)
    if (answer.ok) entry.resolve(answer.result)
    else entry.reject(new MeowError('delivery_failed', `Pi: ${answer.error}`))
  }
}

function parse(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

/** Compares in constant time, whatever the lengths. */
function sameText(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}
