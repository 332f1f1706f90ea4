/** @module What the terminal tests share: hosts, specs, and waiting for bytes by event. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { fileURLToPath } from 'node:url'
import {
  type Backend,
  type OnFault,
  openPtyHost,
  openTmuxHost,
  type Terminal,
  type TerminalExit,
  type TerminalHost,
  type TerminalSpec,
} from '../../src/terminal/index.js'

export const backends: readonly Backend[] = ['tmux', 'pty']
export const PROBE = fileURLToPath(new URL('programs/probe.mjs', import.meta.url))

/** A folder of the test's own; the path is short, because a socket's path may not be long. */
export const tempFolder = (): string => mkdtempSync(join(tmpdir(), 'mt-'))
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

const unexpected: OnFault = (error) => {
  throw error
}
export const openHost = (backend: Backend, folder: string, onFault = unexpected): Promise<TerminalHost> =>
  backend === 'pty'
    ? Promise.resolve(openPtyHost({ onFault }))
    : openTmuxHost({ socketDir: join(folder, 's'), onFault })

let ids = 0
export const specOf = (
  folder: string,
  argv: readonly string[],
  more: Partial<TerminalSpec> = {},
): TerminalSpec => {
  const id = more.id ?? `t${ids++}`
  return {
    id,
    argv,
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' },
    cols: 90,
    rows: 25,
    recordFile: join(folder, `${id}.raw`),
    ...more,
  }
}

/** A JavaScript one-liner as a program. */
export const js = (code: string): string[] => [process.execPath, '-e', code]
export const probe = (...wants: string[]): string[] => [process.execPath, PROBE, ...wants]

interface Report {
  readonly got?: string
  readonly size?: [number, number]
  readonly ready?: number
  readonly child?: number
  readonly signal?: string
  readonly env?: Record<string, string>
  readonly cwd?: string
}

/** Collects what a terminal tells, and waits for it without polling. All of it in linear time: floods come through. */
export class Watch {
  readonly chunks: { bytes: Uint8Array; offset: number }[] = []
  readonly reports: Report[] = []
  readonly exit: Promise<TerminalExit>
  receivedLength = 0
  #rest = ''
  #wake: () => void = () => {}

  constructor(readonly terminal: Terminal) {
    const decoder = new StringDecoder('utf8')
    terminal.onData((bytes, offset) => {
      this.chunks.push({ bytes, offset })
      this.#read(decoder.write(Buffer.from(bytes)))
      this.#wake()
    })
    this.exit = new Promise((resolve) => terminal.onExit(resolve))
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks.map(({ bytes }) => bytes))
  }

  get text(): string {
    return this.bytes.toString('utf8')
  }

  /** Everything that the probe received. */
  get received(): Buffer {
    return Buffer.from(this.reports.map(({ got }) => got ?? '').join(''), 'hex')
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      const json = /\x1e(\{.*\})/.exec(line)?.[1]
      if (json === undefined) continue
      const report: Report = JSON.parse(json)
      this.reports.push(report)
      this.receivedLength += (report.got?.length ?? 0) / 2
    }
  }

  /** Resolves when the condition holds; it is looked at after each event only. */
  async until(condition: () => boolean, what: string, ms = 20_000): Promise<void> {
    const late = Date.now() + ms
    while (!condition()) {
      const woken = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), late - Date.now())
        this.#wake = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
      if (!woken)
        throw new Error(`waited for ${what}; the terminal shows ${JSON.stringify(this.text.slice(-500))}`)
    }
  }

  async ready(): Promise<Report> {
    await this.until(() => this.reports.some(({ ready }) => ready !== undefined), 'the probe')
    return this.reports.find(({ ready }) => ready !== undefined) ?? {}
  }

  async gets(expected: Buffer): Promise<void> {
    await this.until(() => this.receivedLength >= expected.length, `${expected.length} bytes at the program`)
  }
}

export const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    // A dead process that nobody reaped is not alive.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return process.platform !== 'linux'
  }
}
