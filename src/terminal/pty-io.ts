/**
 * @module The only file that reaches into node-pty, with two of its faults repaired (1.1.0, Linux, both measured).
 *
 * Writing: its socket is a libuv tty in blocking mode. A program that is slow to read stops the whole event loop, and
 * a 100 KB paste whose echo nobody reads meanwhile stops it for ever. Here the bytes go to the non-blocking descriptor
 * itself; what the kernel does not take waits in a queue.
 * Reading: 200 ms after the exit it closes the descriptor, read or not. Here the rest is read at that moment.
 */
import { readSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { MeowError } from '../protocol/errors.js'

/** The part of node-pty that is used, with Buffers: its own types know strings only and name another package. */
interface Pty {
  readonly pid: number
  readonly fd?: number
  readonly _socket?: { destroy(error?: Error): unknown }
  onData(listener: (bytes: Buffer) => void): unknown
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): unknown
  write(bytes: Buffer): void
  resize(cols: number, rows: number): void
}
interface PtyModule {
  spawn(file: string, args: readonly string[], options: PtyOptions & { readonly encoding: null }): Pty
}

export interface PtyOptions {
  readonly name: string
  readonly cols: number
  readonly rows: number
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Input that a program left unread, in bytes; more is refused. */
const INPUT_BOUND = 16 * 1024 * 1024
/** Between two tries to write to a full tty, in ms: doubled from the first to the last. No event tells when it has room. */
const RETRY_MS = { first: 1, last: 200 }

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** Loaded when first used: a machine that has tmux need not have a node-pty that fits it. */
const loadPty = (): PtyModule => {
  try {
    return createRequire(import.meta.url)('node-pty') as PtyModule
  } catch (cause) {
    throw new MeowError('terminal_start_failed', 'node-pty does not load on this machine', {
      cause,
      hint: 'use --backend tmux',
    })
  }
}

export class PtyIo {
  readonly pid: number
  readonly #pty: Pty
  readonly #onData: (bytes: Buffer) => void
  readonly #queue: Buffer[] = []
  #queued = 0
  #retry: NodeJS.Timeout | null = null
  #retryMs = RETRY_MS.first

  /** Starts a program. Throws `terminal_start_failed`. */
  constructor(file: string, args: readonly string[], options: PtyOptions, onData: (bytes: Buffer) => void) {
    try {
      this.#pty = loadPty().spawn(file, args, { ...options, encoding: null })
    } catch (cause) {
      if (cause instanceof MeowError) throw cause
      throw new MeowError('terminal_start_failed', `cannot start a pty: ${String(cause)}`, { cause })
    }
    this.pid = this.#pty.pid
    this.#onData = onData
    this.#pty.onData(onData)
    this.#readRestOnClose()
  }

  /** After the last byte. */
  onExit(listener: (exitCode: number, signal: number | undefined) => void): void {
    this.#pty.onExit(({ exitCode, signal }) => {
      if (this.#retry !== null) clearTimeout(this.#retry)
      this.#retry = null
      this.#queue.length = 0
      listener(exitCode, signal)
    })
  }

  /** Queues input. Throws `timeout` when the program has left 16 MB unread. */
  write(bytes: Uint8Array): void {
    if (this.#queued + bytes.length > INPUT_BOUND)
      throw new MeowError('timeout', `the program does not read: ${this.#queued} bytes wait`, {
        retryable: true,
      })
    this.#queue.push(Buffer.from(bytes))
    this.#queued += bytes.length
    if (this.#retry === null) this.#flush()
  }

  resize(cols: number, rows: number): void {
    this.#pty.resize(cols, rows)
  }

  readonly #flush = (): void => {
    this.#retry = null
    for (let head = this.#queue[0]; head !== undefined; head = this.#queue[0]) {
      const written = this.#writeSome(head)
      this.#queued -= written
      if (written < head.length) this.#queue[0] = head.subarray(written)
      else this.#queue.shift()
      if (written > 0) this.#retryMs = RETRY_MS.first
      if (written < head.length) {
        this.#retry = setTimeout(this.#flush, this.#retryMs)
        this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.last)
        return
      }
    }
  }

  #writeSome(bytes: Buffer): number {
    const { fd } = this.#pty
    if (fd === undefined) {
      this.#pty.write(bytes)
      return bytes.length
    }
    try {
      return writeSync(fd, bytes)
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return 0
      // The program is gone; its exit event tells that.
      return bytes.length
    }
  }

  #readRestOnClose(): void {
    const { _socket: socket, fd } = this.#pty
    if (socket === undefined || fd === undefined) return
    const destroy = socket.destroy
    let open = true
    socket.destroy = (error?: Error) => {
      if (open) this.#readRest(fd)
      open = false
      return destroy.call(socket, error)
    }
  }

  #readRest(fd: number): void {
    const buffer = Buffer.alloc(64 * 1024)
    try {
      for (let size = readSync(fd, buffer); size > 0; size = readSync(fd, buffer))
        this.#onData(Buffer.from(buffer.subarray(0, size)))
    } catch {
      // EIO: nothing more will come. EAGAIN: a child holds the tty open, and there is nothing now.
    }
  }
}
