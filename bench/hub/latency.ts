/** @module bench/hub/latency - from the write of a program to whoever reads: a bare pty, our tmux host, a web client. */

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { openTmuxHost } from '../../src/terminal/index.js'
import { STAMP } from './adapter.js'
import { type Driver, ttyOf, writeProgram } from './drive.js'
import type { Fleet } from './fleet.js'

/** The part of node-pty that is used: its own types name another package. */
interface PtyModule {
  spawn(
    file: string,
    args: string[],
    options: { cols: number; rows: number; cwd: string },
  ): { onData(listener: (text: string) => void): unknown; kill(signal: string): void }
}

/** One end at which stamps arrive. */
export interface Ear {
  readonly tty: string
  /** Latencies since the last call, in ms. */
  take(): number[]
  close(): Promise<void>
}

const ALL = new RegExp(STAMP.source, 'gu')
const since = (stamp: string) => Number(process.hrtime.bigint() - BigInt(stamp)) / 1e6

class Heard {
  private times: number[] = []
  hear(text: string): void {
    // A row may be drawn in two reads: half a stamp is told by its length.
    for (const [, stamp = ''] of text.matchAll(ALL)) if (stamp.length >= 10) this.times.push(since(stamp))
  }
  take(): number[] {
    const taken = this.times
    this.times = []
    return taken
  }
}

/** node-pty, read by this process and nothing else. */
export async function ptyEar(folder: string): Promise<Ear> {
  const note = join(folder, 'pty-note')
  const heard = new Heard()
  const { spawn } = createRequire(import.meta.url)('node-pty') as PtyModule
  const pty = spawn(writeProgram(folder), [note], { cols: 120, rows: 40, cwd: folder })
  pty.onData((text) => heard.hear(text))
  return {
    tty: await ttyOf(note),
    take: () => heard.take(),
    close: async () => pty.kill('SIGKILL'),
  }
}

/** Our tmux host: the record's bytes as a session gets them. */
export async function tmuxEar(folder: string): Promise<Ear> {
  const host = await openTmuxHost({ socketDir: folder })
  const note = join(folder, 'tmux-note')
  const terminal = await host.open({
    id: 'bench',
    argv: [writeProgram(folder), note],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color' },
    cols: 120,
    rows: 40,
    recordFile: join(folder, 'record'),
  })
  const heard = new Heard()
  terminal.onData((bytes) => heard.hear(Buffer.from(bytes).toString('latin1')))
  return { tty: await ttyOf(note), take: () => heard.take(), close: () => host.dispose() }
}

/** A web client of a real hub: an event, journalled before it was sent. */
export async function webEar({ client, sessions }: Fleet): Promise<Ear> {
  const [session] = sessions
  if (!session) throw new Error('the fleet has no session')
  const heard = new Heard()
  const stream = await client.stream()
  stream.send({ type: 'session.subscribe', sessionId: session.id })
  const listening = (async () => {
    for await (const frame of stream) {
      if (frame.type !== 'events') continue
      for (const event of frame.events)
        if (event.type === 'session.state') heard.hear(event.evidence[0] ?? '')
    }
  })()
  return {
    tty: session.tty,
    take: () => heard.take(),
    close: async () => {
      stream.close()
      await listening
    },
  }
}

/** Stamps to both ends in turn. */
export async function listen(
  driver: Driver,
  ears: readonly [Ear, Ear],
  { rounds, everyMs, count }: { readonly rounds: number; readonly everyMs: number; readonly count: number },
): Promise<[number[], number[]][]> {
  const heard: [number[], number[]][] = []
  for (let round = 0; round <= rounds; round += 1) {
    const pair: [number[], number[]] = [[], []]
    for (const [n, ear] of ears.entries()) {
      ear.take()
      await driver.run({ kind: 'stamps', tty: ear.tty, everyMs, count })
      pair[n as 0 | 1] = ear.take()
    }
    // The first round wakes everything up.
    if (round > 0) heard.push(pair)
  }
  return heard
}
