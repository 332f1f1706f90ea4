/** @module pi/lines - bytes to lines of UTF-8, with a bound on a line's length. */

export class LineReader {
  private parts: Buffer[] = []
  private held = 0
  /** A line was longer than the limit; nothing more is read. */
  overflow = false

  /** `limit`: longest line in bytes; may be raised between reads. */
  constructor(public limit: number) {}

  /** Yields the lines that `chunk` completes. */
  *read(chunk: Buffer): Generator<string> {
    let from = 0
    while (!this.overflow) {
      const end = chunk.indexOf(0x0a, from)
      const part = chunk.subarray(from, end < 0 ? chunk.length : end)
      if (this.held + part.length > this.limit) {
        this.overflow = true
        this.parts = []
        return
      }
      if (part.length > 0) this.parts.push(part)
      this.held += part.length
      if (end < 0) return
      const line = this.parts.length === 1 ? this.parts[0] : Buffer.concat(this.parts)
      this.parts = []
      this.held = 0
      from = end + 1
      yield (line ?? Buffer.alloc(0)).toString('utf8')
    }
  }
}
