/**
 * @module bench/hub/driver - writes into terminals what their programs would, from a process of its own: its time is
 * nobody's. One JSON job a line on stdin, `done` on stdout after each.
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { stream } from '../streams/stream.js'

/** A terminal that is opened must not become the one that controls this process: its end would end us. */
const WRITE = constants.O_WRONLY | constants.O_NOCTTY

export type Job =
  /** Lone rows with the time of their writing. */
  | { readonly kind: 'stamps'; readonly tty: string; readonly everyMs: number; readonly count: number }
  /** Frames (the stream program's, or so many bytes of text) to many terminals, spread over each period. */
  | {
      readonly kind: 'frames'
      readonly ttys: readonly string[]
      readonly hz: number
      readonly forMs: number
      /** Null: the stream program's frames. */
      readonly bytes: number | null
    }

async function stamps({ tty, everyMs, count }: Extract<Job, { kind: 'stamps' }>): Promise<void> {
  const fd = openSync(tty, WRITE)
  for (let n = 0; n < count; n += 1) {
    writeSync(fd, `\r\x1b[KSTAMP ${process.hrtime.bigint()} ${'.'.repeat(20)}`)
    await pause(everyMs)
  }
  closeSync(fd)
}

async function frames({ ttys, hz, forMs, bytes }: Extract<Job, { kind: 'frames' }>): Promise<void> {
  const programs = ttys.map((tty, n) => ({ fd: openSync(tty, WRITE), frames: stream(n) }))
  const text = (n: number) =>
    `\r\x1b[K${String(n)
      .padEnd(bytes ?? 0, ' word')
      .slice(0, (bytes ?? 8) - 4)}`
  const period = 1000 / hz
  const start = performance.now()
  for (let round = 0; performance.now() - start < forMs; round += 1) {
    for (const [n, { fd, frames: made }] of programs.entries()) {
      const due = start + round * period + (n * period) / programs.length
      const wait = due - performance.now()
      if (wait > 2) await pause(wait)
      writeSync(fd, bytes === null ? (made.next().value as string) : text(round))
    }
  }
  for (const { fd } of programs) closeSync(fd)
}

for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line) as Job
  await (job.kind === 'stamps' ? stamps(job) : frames(job))
  process.stdout.write('done\n')
}
