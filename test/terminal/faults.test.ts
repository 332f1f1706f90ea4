/** @module Faults beside every call: a watcher, a record, a server. None of them ends the process. */
import type { FSWatcher } from 'node:fs'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTmuxHost, Screen, type TerminalHost } from '../../src/terminal/index.js'
import { TmuxServer } from '../../src/terminal/tmux-server.js'
import { removeFolder, specOf, tempFolder, Watch } from './support.js'

const made = vi.hoisted(() => ({ watchers: [] as FSWatcher[], failure: null as Error | null }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const watch = ((...args: Parameters<typeof fs.watch>) => {
    if (made.failure !== null) throw made.failure
    const watcher = fs.watch(...args)
    made.watchers.push(watcher)
    return watcher
  }) as typeof fs.watch
  return { ...fs, watch }
})

let folder: string
let host: TerminalHost
const faults: unknown[] = []
const open = () => openTmuxHost({ socketDir: join(folder, 's'), onFault: (error) => faults.push(error) })
beforeEach(async () => {
  faults.length = 0
  made.watchers.length = 0
  folder = tempFolder()
  host = await open()
})
afterEach(async () => {
  made.failure = null
  vi.restoreAllMocks()
  await host.dispose()
  removeFolder(folder)
})

test('of a watcher are told, and the terminal lives on', async () => {
  const watch = new Watch(await host.open(specOf(folder, ['/bin/sh', '-c', 'read x; exit 5'])))
  expect(made.watchers).toHaveLength(2)
  const failure = Object.assign(new Error('no more'), { code: 'ENOSPC' })
  for (const watcher of made.watchers) watcher.emit('error', failure)
  expect(faults).toEqual([failure, failure])
  await watch.terminal.type('\n')
  expect(await watch.exit).toEqual({ code: 5, signal: null })
})

test('of a watch that cannot be had are errors of the call', async () => {
  made.failure = Object.assign(new Error('no more'), { code: 'EMFILE' })
  await expect(host.open(specOf(folder, ['/bin/sleep', '300']))).rejects.toMatchObject({
    code: 'terminal_start_failed',
  })
  await expect(openTmuxHost({ socketDir: join(folder, 'other') })).rejects.toMatchObject({
    code: 'tmux_failed',
  })
})

test('a lost server without the record is an exit like any other', async () => {
  const terminal = await host.open(specOf(folder, ['/bin/sh', '-c', 'printf up; exec sleep 300']))
  const record = join(folder, `${terminal.id}.raw`)
  // Its writer has opened it by now, and will not make it again.
  await expect.poll(() => statSync(record).size).toBe(2)
  const exit = new Promise((resolve) => terminal.onExit(resolve))
  vi.spyOn(TmuxServer, 'writerEnded').mockResolvedValue(false)
  rmSync(record)
  const server = await serverPid()
  process.kill(server, 'SIGKILL')
  expect(await exit).toEqual({ code: null, signal: null })
})

test('of a listener, where nobody asked for them, are a warning without what they quote', async () => {
  const warned = new Promise<Error & { detail?: string }>((resolve) => process.once('warning', resolve))
  const screen = new Screen({ cols: 20, rows: 5 })
  screen.onFrame(() => {
    throw new TypeError('quotes a prompt')
  })
  screen.write(Buffer.from('x'))
  const { message, detail } = await warned
  expect(message).toContain('TypeError')
  expect(detail).toContain('faults.test.ts')
  expect(`${message}${detail}`).not.toContain('prompt')
  screen.dispose()
})

async function serverPid(): Promise<number> {
  const { execFileSync } = await import('node:child_process')
  const args = ['-S', join(folder, 's', 'tmux.sock'), 'display-message', '-p', '#{pid}']
  return Number(execFileSync('tmux', args, { encoding: 'utf8' }))
}
