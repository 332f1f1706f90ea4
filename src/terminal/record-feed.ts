/**
 * @module Reads a record file to its listeners: each byte once, in order, from its start, however late a listener comes.
 *
 * Reading is synchronous on purpose. The bytes are in the page cache (they were written a moment ago), a thread-pool
 * read would cost more than it, and the order of "data, then exit" stays simple. A slice bound keeps the loop alive.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import type { Disposable } from './disposable.js'
import { callListener, type OnFault } from './events.js'

type DataListener = (bytes: Uint8Array, offset: number) => void
interface Reader {
  readonly listener: DataListener
  offset: number
}

/** One read; larger ones do not get faster, smaller ones cost more listener calls. */
const CHUNK = 64 * 1024
/** Reads in one turn of the event loop: at most 1 MB, about 10 ms of parsing for a screen. */
const CHUNKS_A_TURN = 16

export class RecordFeed {
  readonly #path: string
  readonly #buffer = new Uint8Array(CHUNK)
  readonly #readers = new Set<Reader>()
  #fd: number | null = null
  #scheduled = false
  #ended = false
  #drains: (() => void)[] = []
  readonly #onFault: OnFault
  readonly #told = new Set<string>()

  readonly #start: number

  /** @param start where listeners begin, in bytes */
  constructor(path: string, onFault: OnFault, start = 0) {
    this.#path = path
    this.#onFault = onFault
    this.#start = start
  }

  listen(listener: DataListener): Disposable {
    const reader: Reader = { listener, offset: this.#start }
    this.#readers.add(reader)
    // Never from within this call: the caller does not have its Disposable yet.
    this.#schedule()
    return {
      dispose: () => {
        this.#readers.delete(reader)
      },
    }
  }

  /** Says that the file may have grown. */
  readonly pump = (): void => {
    if (!this.#scheduled) this.#turn()
  }

  /** Resolves once every listener of this moment has every byte that the file has. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.#drains.push(resolve)
      this.#schedule()
    })
  }

  /** No more bytes will come: the file is let go of as soon as all is read. Late listeners still get all of it. */
  end(): void {
    this.#ended = true
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#turn()
    })
  }

  #turn(): void {
    for (let i = 0; i < CHUNKS_A_TURN; i++)
      if (!this.#stepped()) {
        this.#settled()
        return
      }
    this.#schedule()
  }

  #settled(): void {
    if (this.#ended && this.#fd !== null) {
      const fd = this.#fd
      this.#fd = null
      this.#tried(() => closeSync(fd))
    }
    const drains = this.#drains
    this.#drains = []
    for (const resolve of drains) resolve()
  }

  /** A record that cannot be read has no more bytes for now: the exit is still told, and the next turn tries again. */
  #stepped(): boolean {
    return this.#tried(() => this.#step()) ?? false
  }

  /** Each kind of failure is told once: a disk that fails does so at every read. */
  #tried<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      const kind = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      if (!this.#told.has(kind)) this.#onFault(error)
      this.#told.add(kind)
      return undefined
    }
  }

  /**
   * Delivers one chunk to the readers that are furthest behind. False when all readers are at the end: less than was
   * asked for is the end of a file, and what is written behind it is announced anew.
   */
  #step(): boolean {
    let lowest = Number.POSITIVE_INFINITY
    for (const reader of this.#readers) lowest = Math.min(lowest, reader.offset)
    if (lowest === Number.POSITIVE_INFINITY) return false
    // Up to where the next reader stands, so that the two go on together and each byte is read once.
    let room = CHUNK
    for (const reader of this.#readers)
      if (reader.offset > lowest) room = Math.min(room, reader.offset - lowest)
    this.#fd ??= openSync(this.#path, 'r')
    const size = readSync(this.#fd, this.#buffer, 0, room, lowest)
    if (size === 0) return false
    const bytes = this.#buffer.slice(0, size)
    for (const reader of [...this.#readers]) {
      if (reader.offset !== lowest) continue
      reader.offset += size
      callListener(this.#onFault, reader.listener, bytes, lowest)
    }
    return size === room
  }
}
