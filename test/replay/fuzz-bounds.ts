/** @module test/replay/fuzz-bounds - counts what the emulator and a reader do and keep: in steps and pieces, never in time. */
import headless from '@xterm/headless'
import type { ScreenView, VendorReader } from '../../src/adapter/index.js'

/** Thrown by a loop that does not end. */
class TooMany extends Error {}

interface Lines {
  get(index: number): unknown
  splice(start: number, count: number, ...items: unknown[]): void
}

/** Steps since the last `start`; a loop that takes more than its bound is ended by an exception. */
export class Steps {
  private count = 0
  private bound = Number.POSITIVE_INFINITY

  start(bound: number): void {
    this.count = 0
    this.bound = bound
  }

  get taken(): number {
    return this.count
  }

  step(): void {
    this.count += 1
    if (this.count > this.bound) throw new TooMany(`more than ${this.bound} steps`)
  }

  /** Counts what every emulator of this process does to its rows. */
  watchEmulators(): { dispose(): void } {
    const terminal = new headless.Terminal({ cols: 2, rows: 2, allowProposedApi: true })
    const { normal } = (
      terminal as unknown as { _core: { _bufferService: { buffers: { normal: { lines: Lines } } } } }
    )._core._bufferService.buffers
    const rows = Object.getPrototypeOf(normal.lines) as Lines
    const buffer = Object.getPrototypeOf(normal) as {
      nextStop(x?: number): number
      prevStop(x?: number): number
    }
    const { get, splice } = rows
    const { nextStop, prevStop } = buffer
    const { step } = this
    const count = step.bind(this)
    rows.get = function (index) {
      count()
      return get.call(this, index)
    }
    rows.splice = function (...args) {
      count()
      return splice.apply(this, args)
    }
    buffer.nextStop = function (x) {
      count()
      return nextStop.call(this, x)
    }
    buffer.prevStop = function (x) {
      count()
      return prevStop.call(this, x)
    }
    terminal.dispose()
    return {
      dispose: () => Object.assign(rows, { get, splice }) && Object.assign(buffer, { nextStop, prevStop }),
    }
  }

  /** The same vendor, its questions counted. */
  watch(vendor: VendorReader): VendorReader {
    const counted =
      <A extends unknown[], R>(ask: (...args: A) => R) =>
      (...args: A): R => {
        this.step()
        return ask(...args)
      }
    const { grammar } = vendor
    return {
      ...vendor,
      read: (screen: ScreenView) => {
        this.step()
        return vendor.read(screen)
      },
      grammar: {
        transcript: (screen, reading) => grammar.transcript(screen, reading),
        rules: grammar.rules.map((rule) => ({
          ...rule,
          starts: counted(rule.starts),
          continues: counted(rule.continues),
          item: counted(rule.item),
        })),
      },
    }
  }
}

/** What hangs on an object. */
export interface Kept {
  readonly objects: number
  /** Characters of texts, in UTF-16 units; one string held twice counts once. */
  readonly units: number
}

/** Counts what can be reached from `root`, but not through `outside`. */
export function keptBy(root: object, outside: ReadonlySet<unknown>): Kept {
  const seen = new Set<unknown>()
  const texts = new Set<string>()
  const todo: unknown[] = [root]
  while (todo.length > 0) {
    const value = todo.pop()
    if (typeof value === 'string') texts.add(value)
    if (typeof value !== 'object' || value === null || seen.has(value) || outside.has(value)) continue
    seen.add(value)
    if (value instanceof Map || value instanceof Set) for (const entry of value.entries()) todo.push(...entry)
    else if (!ArrayBuffer.isView(value)) for (const part of Object.values(value)) todo.push(part)
  }
  let units = 0
  for (const text of texts) units += text.length
  return { objects: seen.size, units }
}
