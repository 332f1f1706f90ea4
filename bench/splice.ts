/**
 * @module bench/splice - R8: who joins a terminal in the middle of a flood has a snapshot and then every byte after it,
 * once and in order.
 */
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPtyHost, openTmuxHost, Screen, type Terminal } from '../src/terminal/index.js'
import { ttyOf, writeProgram } from './hub/drive.js'
import { stream } from './streams/stream.js'

export interface Splices {
  readonly tries: number
  /** Tries in which a byte was missing, twice there, or another than in the record. */
  readonly broken: number
}

/** Reads that a joiner stays for. */
const READS = 12

export async function checkSplices(backend: 'tmux' | 'pty', tries: number): Promise<Splices> {
  const folder = mkdtempSync(join(tmpdir(), 'meow-bench-'))
  const host = backend === 'tmux' ? await openTmuxHost({ socketDir: folder }) : openPtyHost()
  const note = join(folder, 'note')
  const recordFile = join(folder, 'record')
  try {
    const terminal = await host.open({
      id: 'bench',
      argv: [writeProgram(folder), note],
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color' },
      cols: 120,
      rows: 40,
      recordFile,
    })
    const tty = await open(await ttyOf(note), 'w')
    const frames = stream(1)
    const flood = async () => {
      for (let n = 0; n < 100; n += 1) await tty.write(frames.next().value as string)
    }
    return await flooded(terminal, recordFile, tries, flood).finally(() => tty.close())
  } finally {
    await host.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function flooded(terminal: Terminal, recordFile: string, tries: number, flood: () => Promise<void>) {
  const screen = new Screen({ cols: 120, rows: 40 })
  let [done, broken, end] = [0, 0, 0]
  let joined: { at: number; next: number; left: number; pieces: Uint8Array[] } | null = null
  terminal.onData((bytes, offset) => {
    screen.write(bytes)
    end = offset + bytes.length
    if (joined === null) {
      // As the hub does it: the screen now, and the position behind its last byte.
      screen.serialize()
      joined = { at: end, next: end, left: READS, pieces: [] }
      return
    }
    joined.pieces.push(bytes.slice())
    const whole = offset === joined.next
    joined.next = end
    joined.left -= 1
    if (joined.left > 0 && whole) return
    done += 1
    if (!whole || !recordHas(recordFile, joined.at, joined.pieces)) broken += 1
    joined = null
  })
  while (done < tries) await flood()
  screen.dispose()
  return { tries: done, broken }
}

function recordHas(file: string, at: number, pieces: readonly Uint8Array[]): boolean {
  const seen = Buffer.concat(pieces)
  const kept = Buffer.alloc(seen.length)
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOCTTY)
  const length = readSync(fd, kept, 0, kept.length, at)
  closeSync(fd)
  return length === seen.length && kept.equals(seen)
}
