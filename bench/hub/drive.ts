/** @module bench/hub/drive - the driver's process, and the program whose terminal it writes to. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Job } from './driver.js'

export interface Driver {
  run(job: Job): Promise<void>
  close(): void
}

export function startDriver(): Driver {
  const child = spawn(process.execPath, [fileURLToPath(new URL('driver.js', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async run(job) {
      child.stdin.write(`${JSON.stringify(job)}\n`)
      if ((await lines.next()).value !== 'done') throw new Error('the driver ended')
    },
    close: () => child.stdin.end(),
  }
}

/** Notes its terminal and then does nothing for ever. */
const PROGRAM = '#!/bin/sh\nstty raw -echo\ntty >"$1"\nprintf ready\nexec sleep 100000\n'

export function writeProgram(folder: string): string {
  const file = join(folder, 'meow-bench-program')
  writeFileSync(file, PROGRAM)
  chmodSync(file, 0o755)
  return file
}

/** The terminal that a program noted. */
export async function ttyOf(note: string): Promise<string> {
  for (let n = 0; n < 3000; n += 1) {
    const path = existsSync(note) ? readFileSync(note, 'utf8').trim() : ''
    if (path !== '') return path
    await pause(10)
  }
  throw new Error('the program noted no terminal')
}
