/** @module adapter/jsonl-tail - reads the lines of a growing JSONL file, each once. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type Following, followFile } from './file-follow.js'

/** One read; a record of a vendor's transcript is mostly far smaller. */
const CHUNK = 256 * 1024
/** A line longer than this is told as a fault and passed over. */
const MAX_LINE = 64 * 1024 * 1024

export interface TailHandlers {
  /** A whole line, parsed. */
  onRecord(record: unknown): void
  /** Something in the file could not be read or was not taken; the tail goes on behind it. Quotes nothing of it. */
  onFault(detail: string): void
}

/** Follows a file from `from` (bytes). Lines without their newline yet are left for later. */
export class JsonlTail {
  private readonly following: Following
  private pending: Buffer[] = []
  private pendingBytes = 0
  private position: number
  private stopped = false
  private readonly told = new Set<string>()

  constructor(
    readonly file: string,
    private readonly handlers: TailHandlers,
    from = 0,
  ) {
    this.position = from
    this.following = followFile(
      file,
      () => this.drain(),
      (detail) => this.handlers.onFault(detail),
    )
  }

  /**
   * Reads what is there now; also for a caller who knows that something was just written. Never throws: what the
   * system refuses is told once a kind, and the next call tries again.
   */
  drain(): void {
    if (this.stopped) return
    try {
      const fd = openSync(this.file, 'r')
      try {
        this.readOn(fd)
      } finally {
        closeSync(fd)
      }
    } catch (error) {
      const kind = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
      // A file that is not there yet is nothing wrong.
      if (kind === 'ENOENT' || kind === 'ENOTDIR' || this.told.has(kind)) return
      this.told.add(kind)
      this.handlers.onFault(`${this.file} cannot be read (${kind})`)
    }
  }

  private readOn(fd: number): void {
    if (fstatSync(fd).size < this.position) {
      this.handlers.onFault(`${this.file} became shorter; reading it from its start`)
      this.position = 0
      this.pending = []
      this.pendingBytes = 0
    }
    const chunk = Buffer.allocUnsafe(CHUNK)
    for (;;) {
      const n = readSync(fd, chunk, 0, CHUNK, this.position)
      if (n === 0) return
      this.position += n
      this.take(Buffer.from(chunk.subarray(0, n)))
    }
  }

  /** Reads the rest and lets go of the file. */
  stop(): void {
    this.drain()
    this.stopped = true
    this.following.stop()
  }

  private take(bytes: Buffer): void {
    let start = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      this.line(Buffer.concat([...this.pending, bytes.subarray(start, end)]))
      this.pending = []
      this.pendingBytes = 0
      start = end + 1
    }
    if (start >= bytes.length) return
    this.pending.push(bytes.subarray(start))
    this.pendingBytes += bytes.length - start
    if (this.pendingBytes > MAX_LINE) {
      this.handlers.onFault(`a line of ${this.file} is longer than ${MAX_LINE} bytes`)
      this.pending = []
      this.pendingBytes = 0
    }
  }

  private line(bytes: Buffer): void {
    const text = bytes.toString('utf8').trim()
    if (text === '') return
    let record: unknown
    try {
      record = JSON.parse(text)
    } catch {
      this.handlers.onFault(`a line of ${this.file} is not JSON`)
      return
    }
    try {
      this.handlers.onRecord(record)
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error
      this.handlers.onFault(`a record of ${this.file} was not taken (${name})`)
    }
  }
}
