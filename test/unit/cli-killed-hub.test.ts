/** What a killed hub left: who ends it, what is asked before, and that nobody says it is gone while it runs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { allCommands } from '../../src/cli/commands/index.js'
import { DemoEnd } from '../../src/cli/demo/end-demo.js'
import type { HubAccess } from '../../src/cli/hub-access.js'
import { endHub, wasKilled } from '../../src/cli/killed-hub.js'
import { runProgram } from '../../src/cli/program.js'
import type { Shell } from '../../src/cli/shell.js'
import { fakeHub, fakeShell, session } from './cli-fakes.js'

const NOW = 120_000
let root = ''
let home = ''
let done: string[] = []
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'left-'))
  home = join(root, 'state')
  mkdirSync(home)
  done = []
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** What a hub that was killed leaves in its home: its file, and a lock that nobody holds. */
const kill = () =>
  writeFileSync(join(home, 'hub.json'), JSON.stringify({ pid: 1, port: 1, startedAt: 0, version: '0' }))

function hubs(hub = fakeHub().hub, onStop = (): void => undefined): HubAccess {
  return {
    home,
    find: async () => null,
    ensure: async () => {
      done.push('ensure')
      return hub
    },
    stop: async () => {
      done.push('stop')
      onStop()
    },
  }
}

describe('the end of a hub', () => {
  it('that was killed takes a new one, which ends what it left; of one that ended by itself nothing is left', async () => {
    expect(wasKilled({ home })).toBe(false)
    await endHub(hubs())
    expect(done).toEqual(['stop'])
    kill()
    expect(wasKilled({ home })).toBe(true)
    await endHub(hubs())
    expect(done).toEqual(['stop', 'ensure', 'stop'])
  })
})

describe('ls', () => {
  it('does not say that nothing runs where a hub was killed', async () => {
    const commands = allCommands([])
    const ls = async () => {
      const { shell, said } = fakeShell(null)
      const code = await runProgram(['ls'], { ...shell, hubs: hubs() } as Shell, { commands, version: '0' })
      return { code, ...said }
    }
    expect((await ls()).err).toContain('no session is running')
    kill()
    const { code, err } = await ls()
    expect([code, done]).toEqual([0, []])
    expect(err).toContain('agent-meow up goes on with it')
    expect(err).not.toContain('no session is running')
  })
})

describe('down', () => {
  const lost = (over: Parameters<typeof session>[0] = {}) =>
    session({ state: 'ended', stateRule: 'session.lost', endedAt: NOW, ...over })

  async function down(argv: string[], sessions = [lost()], over: Partial<Shell> = {}) {
    const { shell, said } = fakeShell(null, {
      hubs: hubs(fakeHub({ sessions }).hub),
      now: () => NOW,
      ...over,
    })
    const commands = allCommands([{ id: 'pi', name: 'Pi' }])
    return { code: await runProgram(['down', ...argv], shell, { commands, version: '0' }), ...said }
  }

  it('after a killed hub ends what that left, and says so', async () => {
    kill()
    const { code, err } = await down(['--force'])
    expect([code, done]).toEqual([0, ['ensure', 'stop']])
    expect(err).toContain('the hub was killed: a new one takes over what it left')
    expect(err).toContain('ends: pi session s_1111 (docs), left by the killed hub')
    expect(err).toContain('ended 1 session and the hub')
  })

  it('asks before, as with those that are alive; what was lost earlier, or had no tmux, is nothing to ask for', async () => {
    kill()
    expect((await down([])).code).toBe(64)
    expect(done).toEqual(['ensure'])
    done = []
    const { code } = await down([], [lost({ endedAt: NOW - 1 }), lost({ backend: 'pty' })])
    expect([code, done]).toEqual([0, ['ensure', 'stop']])
  })

  it('of a hub that ended by itself starts none', async () => {
    const { err } = await down([])
    expect([done, err]).toEqual([[], 'the hub is not running\n'])
  })
})

describe('the end of a demo', () => {
  let program: ChildProcess
  let gone: Promise<unknown>
  beforeEach(() => {
    program = spawn('sleep', ['600'])
    gone = new Promise((resolve) => program.once('exit', resolve))
  })
  afterEach(async () => {
    program.kill('SIGKILL')
    await gone
  })

  function demo() {
    const runtime = join(root, 'r')
    mkdirSync(join(runtime, 'agent-meow-1'), { recursive: true })
    const folder = { path: root, state: home, home: root, workspace: root, runtime }
    const end = new DemoEnd({ ...folder, remove: () => rmSync(root, { recursive: true, force: true }) })
    end.watches(program.pid ?? null)
    return { end, socket: join(runtime, 'agent-meow-1', 'tmux.sock') }
  }

  it('is one when program and tmux server are gone; then its folder goes', async () => {
    const { end } = demo()
    await end.hub({ ...hubs(), stop: killed })
    end.folder()
    expect(existsSync(root)).toBe(false)
  })

  it.each(['the program', 'the tmux server', 'the hub'])(
    'while %s is not gone says so, and keeps what ends it',
    async (what) => {
      const { end, socket } = demo()
      if (what !== 'the program') await killed()
      if (what === 'the tmux server') writeFileSync(socket, '')
      const stop = (): void => {
        if (what === 'the hub') throw new Error('no answer')
      }
      const wanted = what === 'the hub' ? 'no answer' : 'still runs'
      await expect(end.hub(hubs(undefined, stop))).rejects.toThrow(wanted)
      expect(() => end.folder()).toThrow(/is kept .*AGENT_MEOW_HOME=.* agent-meow down --force/)
      expect(existsSync(home)).toBe(true)
    },
  )

  async function killed(): Promise<void> {
    program.kill('SIGKILL')
    await gone
  }
})
