/** @module terminal/cast/write-cast - lines of an asciicast v3, and bytes as the valid text that its events hold. */
import type { CastEvent, CastHeader } from './cast.js'
import { partialCharacter } from './sequences.js'

/** What the writer of a header knows; {@link CastHeader} without what the format says itself. */
export type NewCastHeader = Omit<CastHeader, 'version'>

/** Lines of one recording, each with its line end. Times are kept to the millisecond; their sums do not drift. */
export class CastLines {
  #last = 0

  header(header: NewCastHeader): string {
    const { cols, rows, term, timestamp, ...rest } = header
    return line({
      version: 3,
      term: { cols, rows, ...(term === undefined ? {} : { type: term }) },
      // The format wants whole seconds.
      ...(timestamp === undefined ? {} : { timestamp: Math.floor(timestamp) }),
      ...rest,
    })
  }

  /** An event that seems to be before the one in front of it (the clock was set back) is written at the same time. */
  event({ at, kind, data }: CastEvent): string {
    const now = Math.max(this.#last, Math.round(at))
    const seconds = (now - this.#last) / 1000
    this.#last = now
    return line([seconds, kind, data])
  }

  /** Players pass over it. */
  comment(value: Readonly<Record<string, unknown>>): string {
    return `# ${line(value)}`
  }
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

/**
 * Bytes in any chunks as text: a character that a chunk cuts comes whole with the next one, so that every piece is valid
 * and the pieces joined are the bytes. What is no UTF-8 becomes U+FFFD, and is counted.
 */
export class Utf8Text {
  #carried: Uint8Array = new Uint8Array()
  #replaced = 0

  /** How many characters stand for bytes that were no UTF-8. */
  get replaced(): number {
    return this.#replaced
  }

  take(bytes: Uint8Array): string {
    const all = this.#carried.length === 0 ? bytes : Buffer.concat([this.#carried, bytes])
    const whole = all.length - partialCharacter(all)
    this.#carried = all.slice(whole)
    return this.#decode(all.subarray(0, whole))
  }

  /** What is left when no more bytes come. */
  end(): string {
    const rest = this.#carried
    this.#carried = new Uint8Array()
    return this.#decode(rest)
  }

  #decode(bytes: Uint8Array): string {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const text = buffer.toString('utf8')
    if (text.includes('\ufffd')) this.#replaced += count(text, '\ufffd') - countBytes(buffer, REPLACEMENT)
    return text
  }
}

const REPLACEMENT = Buffer.from('\ufffd')

function count(text: string, part: string): number {
  return text.split(part).length - 1
}

function countBytes(buffer: Buffer, part: Buffer): number {
  let found = 0
  for (let at = buffer.indexOf(part); at >= 0; at = buffer.indexOf(part, at + part.length)) found += 1
  return found
}
