/** @module session/line-file - appends lines to a new private file without holding anybody up, and with a bound. */
import { closeSync, openSync } from 'node:fs'
import { appendFile, open } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { errnoOf } from '../journal/private-files.js'
import { MeowError } from '../protocol/errors.js'

/** What may wait for the disk, in bytes. */
const MAX_PENDING = 16 * 1024 * 1024

export class LineFile {
  /** Bytes that were handed over, written or not. */
  bytes = 0
  #pending: string[] = []
  #pendingBytes = 0
  #writing: Promise<void> | null = null
  #failed = false

  private constructor(
    readonly path: string,
    private readonly onFault: (error: unknown) => void,
  ) {}

  /**
   * Makes the file, 0600. Errors: `conflict` (there is one: nothing is written over), `invalid_argument` (no such
   * folder, no absolute path), `state_unwritable`. A later failure to write is told once to `onFault`.
   */
  static create(path: string, onFault: (error: unknown) => void): LineFile {
    if (!isAbsolute(path)) {
      const hint = 'give the path in full'
      throw new MeowError('invalid_argument', `the file must be an absolute path: ${path}`, { hint })
    }
    try {
      closeSync(openSync(path, 'wx', 0o600))
    } catch (cause) {
      throw refusal(path, cause)
    }
    return new LineFile(path, onFault)
  }

  write(line: string): void {
    if (this.#failed) return
    const size = Buffer.byteLength(line)
    this.bytes += size
    this.#pendingBytes += size
    if (this.#pendingBytes > MAX_PENDING) {
      this.#fail(new MeowError('too_large', `the disk does not keep up: ${this.#pendingBytes} bytes wait`))
      return
    }
    this.#pending.push(line)
    this.#writing ??= this.#drain()
  }

  /** Resolves when everything is in the file, on the disk, or has failed. Never rejects. */
  async close(): Promise<void> {
    await this.#writing
    if (this.#failed) return
    try {
      const file = await open(this.path, 'r+')
      await file.datasync().finally(() => file.close())
    } catch (error) {
      this.#fail(error)
    }
  }

  async #drain(): Promise<void> {
    // Lines of one moment are one write.
    await Promise.resolve()
    try {
      while (this.#pending.length > 0) {
        const text = this.#pending.join('')
        this.#pending = []
        await appendFile(this.path, text, { mode: 0o600 })
        this.#pendingBytes -= Buffer.byteLength(text)
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#writing = null
  }

  #fail(error: unknown): void {
    if (this.#failed) return
    this.#failed = true
    this.#pending = []
    this.onFault(error)
  }
}

function refusal(path: string, cause: unknown): MeowError {
  const code = errnoOf(cause)
  if (code === 'EEXIST') {
    const hint = 'name a file that is not there yet; recordings are never written over'
    return new MeowError('conflict', `there is a file already: ${path}`, { cause, hint })
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const hint = 'make the folder, or name another file'
    return new MeowError('invalid_argument', `there is no folder for the recording ${path}`, { cause, hint })
  }
  return new MeowError('state_unwritable', `the recording cannot be made: ${path} (${code ?? 'unknown'})`, {
    cause,
    hint: 'name a file that you can write',
  })
}
