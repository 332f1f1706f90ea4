/** @module The tmux backend in company: a person who attaches, parts that die, a server that is lost. */

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTmuxHost, type TerminalGap, type TerminalHost } from '../../src/terminal/index.js'
import { alive, js, openHost, probe, removeFolder, specOf, tempFolder, Watch } from './support.js'

interface Person {
  write(text: string): void
  resize(cols: number, rows: number): void
  kill(): void
  onData(listener: (text: string) => void): void
  onExit(listener: (exit: { exitCode: number }) => void): void
}
const pty: {
  spawn(file: string, args: string[], options: Record<string, unknown>): Person
} = createRequire(import.meta.url)('node-pty')

let folder: string
let host: TerminalHost
beforeEach(async () => {
  folder = tempFolder()
  host = await openHost('tmux', folder)
})
afterEach(async () => {
  await host.dispose()
  removeFolder(folder)
})

const socket = () => join(folder, 's', 'tmux.sock')
const tmux = (...args: string[]) =>
  spawnSync('tmux', ['-u', '-S', socket(), ...args], { encoding: 'utf8' }).stdout.trim()
const start = async (argv: readonly string[], more = {}): Promise<Watch> =>
  new Watch(await host.open(specOf(folder, argv, more)))

/** A person's own terminal on the same process. */
const attach = (watch: Watch, argv: readonly string[], cols = 60, rows = 15) => {
  const [file = '', ...args] = argv
  const env = { PATH: process.env.PATH, TERM: 'xterm-256color' }
  const person = pty.spawn(file, args, { name: 'xterm-256color', cols, rows, cwd: folder, env })
  let seen = ''
  let wake = () => {}
  person.onData((text) => {
    seen += text
    wake()
  })
  const gone = new Promise<number>((resolve) => person.onExit(({ exitCode }) => resolve(exitCode)))
  const sees = async (text: string): Promise<void> => {
    while (!seen.includes(text)) {
      const woken = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), 10_000)
        wake = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
      if (!woken) throw new Error(`the person does not see ${text}: ${JSON.stringify(seen.slice(-400))}`)
    }
  }
  return { person, sees, gone, seen: () => seen, watch }
}
const attachCommand = (watch: Watch): readonly string[] => watch.terminal.attachCommand()?.argv ?? []

describe('a person on the same process', () => {
  test("both type, both see, the person's size holds, and the end gives the terminal back", async () => {
    const watch = await start(probe())
    await watch.ready()
    // The hub's client is 80x24 and has not shrunk the window.
    expect(tmux('display-message', '-p', '-t', watch.terminal.id, '#{window_width}x#{window_height}')).toBe(
      '90x25',
    )
    const sizes: unknown[] = []
    const resized = new Promise<void>((resolve) =>
      watch.terminal.onResize((size) => {
        sizes.push(size)
        resolve()
      }),
    )
    const { person, sees, gone } = attach(watch, attachCommand(watch))
    await watch.until(
      () => watch.reports.some(({ size }) => size?.[0] === 60 && size[1] === 15),
      'the size 60x15',
    )
    await resized
    expect(sizes).toEqual([{ cols: 60, rows: 15 }])
    person.write('p')
    await watch.gets(Buffer.from('p'))
    await sees('"got":"70"')
    await watch.terminal.type('b')
    await watch.gets(Buffer.from('pb'))
    await sees('"got":"62"')
    // While a person is there, the size is theirs.
    await watch.terminal.resize(100, 40)
    expect(watch.terminal.size).toEqual({ cols: 60, rows: 15 })
    person.resize(66, 17)
    await watch.until(() => watch.reports.some(({ size }) => size?.[0] === 66), 'the size 66x17')
    // C-b twice is one C-b for the program; a slip of the prefix key does nothing.
    for (const slip of ['x', '%', 'c', ',']) {
      person.write('\x02')
      person.write(slip)
      // tmux takes keys that come together for a paste.
      tmux('display-message', '-p', '')
    }
    person.write('\x02\x02')
    await watch.gets(Buffer.from('pb\x02'))
    expect(watch.received.toString()).toBe('pb\x02')
    await watch.terminal.kill()
    expect(await gone).toBe(0)
  })

  test('detaching leaves the program, and the bridge may size it again', async () => {
    const watch = await start(probe())
    await watch.ready()
    const { person, gone } = attach(watch, attachCommand(watch))
    await watch.until(() => watch.reports.some(({ size }) => size?.[0] === 60), 'the size 60x15')
    person.write('\x02d')
    expect(await gone).toBe(0)
    expect(alive(watch.terminal.pid)).toBe(true)
    await watch.terminal.resize(100, 40)
    await watch.until(() => watch.reports.some(({ size }) => size?.[0] === 100), 'the size 100x40')
    // And the next person is not locked out of it.
    const second = attach(watch, attachCommand(watch), 50, 12)
    await watch.until(() => watch.reports.some(({ size }) => size?.[0] === 50), 'the size 50x12')
    second.person.write('\x02d')
    await second.gone
  })

  test('in copy mode: input still reaches the program, a paste still has its brackets', async () => {
    const watch = await start(probe('bracketed'))
    await watch.ready()
    tmux('copy-mode', '-t', watch.terminal.id)
    await watch.terminal.type('t')
    await watch.gets(Buffer.from('t'))
    expect(tmux('display-message', '-p', '-t', watch.terminal.id, '#{pane_in_mode}')).toBe('1')
    await watch.terminal.paste('q')
    const expected = Buffer.from('t\x1b[200~q\x1b[201~')
    await watch.gets(expected)
    expect(watch.received.toString()).toBe(expected.toString())
  })

  test("no locale anywhere: glyphs arrive whole, in the record and on the person's screen", async () => {
    await host.dispose()
    const saved = { LANG: process.env.LANG, LC_ALL: process.env.LC_ALL, LC_CTYPE: process.env.LC_CTYPE }
    for (const name of Object.keys(saved)) delete process.env[name]
    try {
      host = await openTmuxHost({ socketDir: join(folder, 's') })
    } finally {
      for (const [name, value] of Object.entries(saved)) if (value !== undefined) process.env[name] = value
    }
    const code = "process.stdout.write('✳ 猫 ⏺');process.stdin.resume()"
    const watch = await start(js(code), { env: { PATH: process.env.PATH ?? '' } })
    await watch.until(() => watch.text.includes('✳ 猫 ⏺'), 'the glyphs')
    const argv = attachCommand(watch)
    const { person, sees, gone } = attach(watch, argv)
    await sees('✳ 猫 ⏺')
    person.write('\x02d')
    await gone
    // The control experiment: without -u the same person sees underscores.
    const bare = attach(
      watch,
      argv.filter((argument) => argument !== '-u'),
    )
    await bare.sees('_')
    expect(bare.seen()).not.toContain('猫')
    bare.person.write('\x02d')
    await bare.gone
  })
})

describe('parts that die', () => {
  const childrenNamed = (name: string): number[] => {
    const server = tmux('display-message', '-p', '#{pid}')
    const all = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
    const stats = all.flatMap((pid) => {
      try {
        const [, comm, rest = ''] = /\((.*)\) . (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
        return [{ pid: Number(pid), comm, parent: Number(rest.split(' ')[0]) }]
      } catch {
        return []
      }
    })
    const shells = stats
      .filter(({ parent, comm }) => parent === Number(server) && comm === 'sh')
      .map(({ pid }) => pid)
    return name === 'sh'
      ? shells
      : stats.filter(({ parent }) => shells.includes(parent)).map(({ pid }) => pid)
  }

  test.runIf(process.platform === 'linux').each(['cat', 'sh'])(
    "the record's %s is killed: told as a gap, the record goes on",
    async (victim) => {
      const watch = await start(probe())
      await watch.ready()
      const gap = new Promise<TerminalGap>((resolve) => watch.terminal.onGap(resolve))
      // With the shell its cat must go, too: it would go on writing and nothing would be lost.
      const victims =
        victim === 'sh' ? [...childrenNamed('sh'), ...childrenNamed('cat')] : childrenNamed('cat')
      expect(victims.length).toBeGreaterThan(0)
      for (const pid of victims) process.kill(pid, 'SIGKILL')
      const before = watch.bytes.length
      // tmux learns that nobody reads its pipe when it next writes: what it then wrote is what is missing. A first
      // write may still find room in the pipe of a reader that is just dying.
      let told = victim === 'cat'
      void gap.then(() => {
        told = true
      })
      while (!told) {
        await watch.terminal.type('lost')
        await Promise.race([gap, pause(500)])
      }
      expect((await gap).atOffset).toBe(before)
      await watch.terminal.type('after')
      await watch.gets(Buffer.from('after'))
      expect(watch.received.toString()).toBe('after')
      // A listener that comes later is told, too.
      const late = await new Promise<TerminalGap>((resolve) => watch.terminal.onGap(resolve))
      expect(late.reason).toContain('writer')
      expect(await watch.terminal.kill()).toEqual({ code: null, signal: 'SIGHUP' })
    },
  )

  test.runIf(process.platform === 'linux')(
    "the record's writer is killed and nothing is written: the exit is noticed",
    async () => {
      const watch = await start(['/bin/sh', '-c', 'printf up; read x; exit 3'])
      await watch.until(() => watch.text === 'up', 'up')
      for (const pid of [...childrenNamed('sh'), ...childrenNamed('cat')])
        if (pid !== watch.terminal.pid) process.kill(pid, 'SIGKILL')
      tmux('send-keys', '-t', watch.terminal.id, 'C-d')
      expect(await watch.exit).toEqual({ code: 3, signal: null })
    },
  )

  test('the control client is killed: another one takes over, and no exit is missed meanwhile', async () => {
    const watch = await start(probe())
    const other = await start(probe())
    await Promise.all([watch.ready(), other.ready()])
    const client = Number(tmux('list-clients', '-F', '#{client_pid}'))
    process.kill(client, 'SIGKILL')
    process.kill(other.terminal.pid, 'SIGKILL')
    expect(await other.exit).toEqual({ code: null, signal: 'SIGKILL' })
    await watch.terminal.type('x')
    await watch.gets(Buffer.from('x'))
    expect(watch.received.toString()).toBe('x')
    await watch.terminal.resize(61, 16)
    await watch.until(() => watch.reports.some(({ size }) => size?.[0] === 61), 'the size 61x16')
    expect(Number(tmux('list-clients', '-F', '#{client_pid}'))).not.toBe(client)
  })

  test('the server is killed: every byte is delivered, the end is unknown, the next open has a new server', async () => {
    const watch = await start(probe())
    await watch.ready()
    process.kill(Number(tmux('display-message', '-p', '#{pid}')), 'SIGKILL')
    expect(await watch.exit).toEqual({ code: null, signal: null })
    await expect(watch.terminal.type('x')).rejects.toMatchObject({ code: 'terminal_gone' })
    expect(watch.bytes.equals(readFileSync(join(folder, `${watch.terminal.id}.raw`)))).toBe(true)
    const next = await start(probe())
    await next.ready()
    await next.terminal.type('y')
    await next.gets(Buffer.from('y'))
  })

  test('somebody kills the window: the terminal ends, its status unknown', async () => {
    const watch = await start(probe())
    await watch.ready()
    tmux('kill-window', '-t', watch.terminal.id)
    expect(await watch.exit).toEqual({ code: null, signal: null })
  })

  test('a second host on the folder joins the server, sees its terminals, and leaves it running', async () => {
    const watch = await start(probe())
    await watch.ready()
    const second = await openTmuxHost({ socketDir: join(folder, 's') })
    expect(await second.list()).toEqual([{ id: watch.terminal.id, pid: watch.terminal.pid, dead: false }])
    await expect(
      second.open(specOf(folder, probe(), { id: watch.terminal.id, recordFile: join(folder, 'r2') })),
    ).rejects.toMatchObject({ code: 'terminal_start_failed' })
    await second.dispose()
    expect(alive(watch.terminal.pid)).toBe(true)
    await watch.terminal.type('z')
    await watch.gets(Buffer.from('z'))
  })

  test('dispose leaves no server, no socket and no file', async () => {
    const watch = await start(probe())
    await watch.ready()
    const server = Number(tmux('display-message', '-p', '#{pid}'))
    await host.dispose()
    expect(alive(server)).toBe(false)
    expect(readdirSync(join(folder, 's'))).toEqual([])
  })
})
