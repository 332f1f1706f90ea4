/** @module bench/machine - where the numbers come from: processor, load, versions. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly kernel: string
  /** Load of the last minute: at the start of the run and at its end. */
  readonly load: readonly [number, number]
  readonly versions: Readonly<Record<string, string>>
}

const PACKAGES = ['@xterm/headless', '@xterm/addon-serialize', 'better-sqlite3', 'ws', 'node-pty']

/** @param root folder with `node_modules` @param before load at the start */
export function machine(root: string, before: number): Machine {
  const [first] = cpus()
  const tmux = spawnSync('tmux', ['-V'], { encoding: 'utf8' }).stdout?.trim().replace('tmux ', '') ?? 'none'
  const of = (name: string) => {
    const file = join(root, 'node_modules', name, 'package.json')
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  }
  const packages = Object.fromEntries(PACKAGES.map((name) => [name, of(name)]))
  return {
    cpu: first?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    kernel: release(),
    load: [before, loadavg()[0] ?? 0],
    versions: { node: process.versions.node, tmux, ...packages },
  }
}
