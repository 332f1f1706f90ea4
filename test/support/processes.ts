/** @module test/support/processes - what runs on the machine, read from /proc. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Running {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** Every process that can be read. */
export function allProcesses(): Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return [{ pid: Number(name), parent, command }]
      } catch {
        return []
      }
    })
}

/** The descendants of a process, itself not among them. */
export function processesUnder(pid: number): Running[] {
  const all = allProcesses()
  const found: Running[] = []
  const walk = (parent: number): void => {
    for (const p of all) {
      if (p.parent !== parent) continue
      found.push(p)
      walk(p.pid)
    }
  }
  walk(pid)
  return found
}
