/**
 * @module pi/cursor - how far the bridge has read, kept in a file so that its own restart neither loses nor
 * repeats a fact. The file is written after a fact was told and before it is acknowledged.
 */
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { MeowError } from '../../src/protocol/errors.js'

/** Room for the instance and a number of 16 digits; fixed, so that a write replaces the one before. */
const WIDTH = 64

export class Cursor {
  private fd: number | null = null
  instance: string | null = null
  seen = 0

  constructor(private readonly path: string) {}

  open(): void {
    try {
      this.fd = openSync(this.path, constants.O_RDWR | constants.O_CREAT, 0o600)
    } catch (cause) {
      throw new MeowError('state_unwritable', `cannot write ${this.path}`, { cause })
    }
    const buffer = Buffer.alloc(WIDTH)
    const length = readSync(this.fd, buffer, 0, WIDTH, 0)
    const found = /^(\S+) (\d+) *\n/.exec(buffer.toString('utf8', 0, length))
    if (found?.[1] && found[2]) this.move(found[1], Number(found[2]))
  }

  /** The Pi process that speaks now; another one counts from the beginning. */
  use(instance: string): void {
    if (instance !== this.instance) this.move(instance, 0)
  }

  /** Everything up to `n` was told. */
  advance(n: number): void {
    this.seen = n
    if (this.fd === null || this.instance === null) return
    writeSync(this.fd, `${`${this.instance} ${n}`.padEnd(WIDTH - 1)}\n`, 0)
  }

  close(): void {
    if (this.fd !== null) closeSync(this.fd)
    this.fd = null
  }

  private move(instance: string, seen: number): void {
    this.instance = instance
    this.seen = seen
  }
}
