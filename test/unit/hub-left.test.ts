/** @module test/unit/hub-left.test - what a hub that was killed leaves on its tmux server, and who ends it. */
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HubClient, readHubFile, startHub, statePaths, stopHub } from '../../src/hub/client.js'
import { prepareSocketDir } from '../../src/hub/state.js'
import { type Built, buildDaemon } from './hub-build.js'
import { eventually, tempFolder } from './hub-harness.js'

let built: Built
beforeAll(() => {
  built = buildDaemon()
})
afterAll(() => built.remove())

let folder: string
let home: string
let socket: string
const programs: number[] = []
beforeEach(() => {
  folder = tempFolder()
  home = join(folder, 'home')
  socket = join(prepareSocketDir(home, { XDG_RUNTIME_DIR: folder }), 'tmux.sock')
})
afterEach(async () => {
  const file = readHubFile(statePaths(home))
  await stopHub({ home }).catch(() => file !== null && process.kill(file.pid, 'SIGKILL'))
  tmux('kill-server')
  // Deaf to the end of their server.
  for (const pid of programs.splice(0)) if (alive(pid)) process.kill(-pid, 'SIGKILL')
  fs.rmSync(folder, { recursive: true, force: true })
})

const start = (): Promise<HubClient> =>
  startHub({
    home,
    entry: built.entry,
    env: { PATH: process.env.PATH ?? '', HOME: folder, XDG_RUNTIME_DIR: folder, AGENT_MEOW_PORT: '0' },
  })

const tmux = (...args: string[]): string =>
  spawnSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' }).stdout.trim()

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z'
  } catch {
    return false
  }
}

/** A hub with a program in a terminal is killed; what of it still runs. */
async function left() {
  const first = await start()
  const { pid: hub } = await first.info()
  const session = await first.createSession({ vendor: 'deaf', cwd: '/' })
  const terminal = session.id.replaceAll('_', '-')
  const [server = 0, program = 0] = tmux('display-message', '-p', '-t', `=${terminal}:`, '#{pid} #{pane_pid}')
    .split(' ')
    .map(Number)
  expect(server > 1 && program > 1).toBe(true)
  programs.push(program)
  process.kill(hub, 'SIGKILL')
  await eventually('the hub to be gone', () => !alive(hub))
  return { id: session.id, terminal, server, program }
}

describe.runIf(process.platform === 'linux')('a program that a killed hub left', () => {
  it('is told how to be joined, and is gone with its server when the next hub ends', async () => {
    const { id, terminal, server, program } = await left()
    const next = await start()
    expect([alive(server), alive(program)]).toEqual([true, true])
    const last = (await next.events(id)).events.at(-1)
    expect(last).toMatchObject({ type: 'session.ended', reason: 'lost' })
    const detail = last?.type === 'session.ended' ? (last.detail ?? '') : ''
    expect(detail).toContain('may still run')
    expect(detail).toContain(`tmux -u -S ${socket} attach-session -t '=${terminal}'`)
    expect((await next.session(id)).stateEvidence).toEqual([detail])
    await stopHub({ home })
    expect([alive(server), alive(program), fs.existsSync(socket)]).toEqual([false, false, false])
  })

  it('is ended by a kill of its session, which says so', async () => {
    const { id, terminal, program } = await left()
    const next = await start()
    const answer = await next.kill(id)
    expect(alive(program)).toBe(false)
    expect(answer.stateEvidence.join()).toContain('a kill has ended it')
    expect(tmux('list-sessions', '-F', '#{session_name}').split('\n')).not.toContain(terminal)
    expect(await next.session(id)).toEqual(answer)
    // There is nothing left to end.
    expect(await next.kill(id)).toEqual(answer)
  })
})
