/** @module bench/processes - CPU time and memory of other processes, as Linux tells them. */
import { readdirSync, readFileSync } from 'node:fs'

interface Known {
  readonly pid: number
  readonly parent: number
  readonly name: string
  readonly line: string
}

const text = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It has ended since.
    return ''
  }
}

function all(): Known[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = /^\d+ \((.*)\) \S+ (\d+) /s.exec(text(`/proc/${name}/stat`))
      if (!stat) return []
      const line = text(`/proc/${name}/cmdline`).replaceAll('\0', ' ')
      return [{ pid: Number(name), parent: Number(stat[2]), name: stat[1] ?? '', line }]
    })
}

/** The tmux server whose command line names this folder, and the writers of its records. */
export function tmuxOf(folder: string): {
  readonly server: readonly number[]
  readonly writers: readonly number[]
} {
  const known = all()
  const server = known.filter((p) => p.name.startsWith('tmux') && p.line.includes(folder)).map((p) => p.pid)
  const shells = known.filter((p) => server.includes(p.parent) && p.name === 'sh').map((p) => p.pid)
  const cats = known.filter((p) => shells.includes(p.parent) && p.name === 'cat').map((p) => p.pid)
  return { server, writers: [...shells, ...cats] }
}

/** CPU time of processes so far, in ms, all threads. */
export function cpuMs(pids: readonly number[]): number {
  let ns = 0
  for (const pid of pids) {
    for (const task of tasks(pid))
      ns += Number(text(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0] ?? 0)
  }
  return ns / 1e6
}

function tasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Resident memory, in MB. */
export function rssMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text(`/proc/${pid}/status`))?.[1] ?? 0) / 1000
}
