/**
 * @module Ending a program together with what it started, when some of it does not listen.
 */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { bounded, settledWithin } from '../protocol/bounded.js'
import { MeowError } from '../protocol/errors.js'

interface ProcessInfo {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** 0 where the system does not tell it. */
  readonly session: number
  /** Start time in the system's own form: with the pid it names one process, so that a reused pid is never hit. */
  readonly started: string
  readonly zombie: boolean
  readonly name: string
}

const fromProc = async (): Promise<ProcessInfo[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(
    pids.map(async (pid): Promise<ProcessInfo | null> => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
      if (stat === null) return null
      // The name in parentheses may hold anything, so count from the last parenthesis: state, ppid, pgrp, session.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return {
        pid: Number(pid),
        parent: Number(fields[1]),
        group: Number(fields[2]),
        session: Number(fields[3]),
        started: fields[19] ?? '',
        zombie: fields[0] === 'Z' || fields[0] === 'X',
        name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
      }
    }),
  )
  return all.filter((info) => info !== null)
}

const fromPs = async (): Promise<ProcessInfo[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart=,comm='])
  return stdout.split('\n').flatMap((line) => {
    // The start time is five words: `Tue Dec  1 03:41:57 2026`.
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+((?:\S+\s+){4}\S+)\s+(.*)$/.exec(line)
    if (match === null) return []
    const [, pid, parent, group, stat = '', started = '', name = ''] = match
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: 0,
        started,
        zombie: stat.startsWith('Z'),
        name,
      },
    ]
  })
}

const listProcesses = (): Promise<ProcessInfo[]> => (process.platform === 'linux' ? fromProc() : fromPs())

/**
 * The program, its descendants, and whoever is in its session or group. The last two outlive the program: they find a
 * child whose parent is gone. A descendant that made itself a daemon before (own session, no parent) is not ours.
 */
const treeOf = (root: number, all: readonly ProcessInfo[]): ProcessInfo[] => {
  const members = new Set<number>([root])
  for (const info of all) if (info.session === root || info.group === root) members.add(info.pid)
  for (let grown = true; grown; ) {
    grown = false
    for (const info of all)
      if (members.has(info.parent) && !members.has(info.pid)) {
        members.add(info.pid)
        grown = true
      }
  }
  return all.filter((info) => members.has(info.pid) && !info.zombie)
}

/** A process below a program. */
export interface ProcessEntry {
  readonly pid: number
  /** This very process's, whoever has its pid later. */
  readonly mark: string
  /** As the system tells it, cut to 15 characters on Linux. */
  readonly name: string
}

const entryOf = ({ pid, started, name }: ProcessInfo): ProcessEntry => ({
  pid,
  mark: `${pid} ${started}`,
  name,
})

/** What runs below a program now: its descendants, and whoever is in its session or group. */
export const processesUnder = async (root: number): Promise<ProcessEntry[]> =>
  treeOf(root, await listProcesses())
    .filter(({ pid }) => pid !== root)
    .map(entryOf)

/**
 * Those of the processes that still run after `withinMs` at most. Their ends give no event: they are looked for, for the
 * moments that it takes.
 */
export const untilEnded = async (
  those: readonly ProcessEntry[],
  withinMs: number,
): Promise<ProcessEntry[]> => {
  for (const since = Date.now(); ; await delay(5)) {
    const now = new Set((await listProcesses()).filter((p) => !p.zombie).map((p) => entryOf(p).mark))
    const left = those.filter((p) => now.has(p.mark))
    if (left.length === 0 || Date.now() - since >= withinMs) return left
  }
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // Gone already, which is what was wanted.
  }
}

/** Which of these processes still run. */
const stillThere = (known: readonly ProcessInfo[], all: readonly ProcessInfo[]): ProcessInfo[] => {
  const now = new Map(all.map((info) => [info.pid, info]))
  return known.filter((info) => {
    const same = now.get(info.pid)
    return same !== undefined && same.started === info.started && !same.zombie
  })
}

/** Longest wait for SIGKILL to do its work, in ms; it is normally a matter of 1 to 5. */
const KILL_BOUND_MS = 5000

/** The end of somebody else's children. Throws `timeout` when it does not come. */
const gone = async (known: readonly ProcessInfo[]): Promise<void> => {
  const left = await untilEnded(known.map(entryOf), KILL_BOUND_MS)
  if (left.length > 0)
    throw new MeowError('timeout', `waited for the end of process ${left.map((p) => p.pid)}`)
}

/**
 * A mark that is this very process's, whoever has its pid later: `pid start-time`. Null when it does not run.
 */
export const processMark = async (pid: number): Promise<string | null> => {
  const info = (await listProcesses()).find((one) => one.pid === pid && !one.zombie)
  return info === undefined ? null : `${info.pid} ${info.started}`
}

/** Resolves when these processes, told to end, have done so. Throws `timeout` after 5 s. */
export const untilGone = async (pids: readonly number[]): Promise<void> =>
  gone((await listProcesses()).filter((info) => pids.includes(info.pid)))

/**
 * SIGHUP to the whole tree, then SIGKILL to what is left of it: at once when the program itself has gone, else after
 * `graceMs`. Resolves when none of it runs. Throws `timeout` when something survives SIGKILL (stuck in the kernel),
 * `internal` when the root is no program's pid.
 * @param exited settles when the program's own end was noticed
 */
export const endTree = async (root: number, exited: Promise<unknown>, graceMs: number): Promise<void> => {
  // Every process descends from 0 and 1.
  if (!Number.isInteger(root) || root <= 1)
    throw new MeowError('internal', `process ${root} is no program of a terminal`)
  const before = treeOf(root, await listProcesses())
  for (const info of before) signal(info.pid, 'SIGHUP')
  await settledWithin(exited, graceMs)
  const all = await listProcesses()
  const known = new Map(
    [...before, ...treeOf(root, all)].map((info) => [`${info.pid} ${info.started}`, info]),
  )
  const left = stillThere([...known.values()], all)
  for (const info of left) signal(info.pid, 'SIGKILL')
  await bounded(exited, KILL_BOUND_MS, `the end of process ${root} after SIGKILL`)
  await gone(left)
}
