/** @module test/unit/hub-daemon.test - the hub as a process: alone, reachable, and gone without a trace. */
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { portsToTry } from '../../src/hub/arguments.js'
import { STOP_MS } from '../../src/hub/client/lifecycle.js'
import {
  connectOrStart,
  HubClient,
  isHubRunning,
  readHubFile,
  type StartOptions,
  startHub,
  statePaths,
  stopHub,
} from '../../src/hub/client.js'
import { END_MS } from '../../src/hub/daemon.js'
import { HUB_CLOSE_MS } from '../../src/hub/server.js'
import { type Built, buildDaemon } from './hub-build.js'
import { eventually, tempFolder } from './hub-harness.js'

let built: Built
beforeAll(() => {
  built = buildDaemon()
})
afterAll(() => built.remove())

let folder: string
let home: string
const servers: Server[] = []

beforeEach(() => {
  folder = tempFolder()
  home = join(folder, 'home')
})
afterEach(async () => {
  const file = readHubFile(statePaths(home))
  await stopHub({ home }).catch(() => file !== null && process.kill(file.pid, 'SIGKILL'))
  for (const server of servers.splice(0)) server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const options = (more: Partial<StartOptions> = {}): StartOptions => ({
  home,
  entry: built.entry,
  // A port of its own: the usual one may belong to a hub of the person who runs the tests.
  env: { PATH: process.env.PATH ?? '', HOME: folder, XDG_RUNTIME_DIR: folder, AGENT_MEOW_PORT: '0' },
  ...more,
})

async function takenPort(): Promise<number> {
  const server = createServer()
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Runs the daemon in the foreground of this test. */
async function run(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [built.entry, ...args], {
    env: { ...options().env, AGENT_MEOW_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, code, out: () => out, err: () => err }
}

/** Takes a port that a process has just lost; its threads may hold it for a moment after it is gone. */
async function thief(port: number, heard: string[]): Promise<void> {
  const server = createServer((socket) => socket.on('data', (chunk) => heard.push(chunk.toString())))
  servers.push(server)
  let listening = false
  server.on('listening', () => {
    listening = true
  })
  server.on('error', () => setImmediate(() => server.listen(port, '127.0.0.1')))
  server.listen(port, '127.0.0.1')
  await eventually('the port to be free', () => listening)
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z'
  } catch {
    return false
  }
}

describe('a daemon', () => {
  it('starts, is found, ends, and leaves the journal and the token but nothing that runs', async () => {
    const client = await startHub(options())
    const paths = statePaths(home)
    const { pid } = await client.info()
    expect(readHubFile(paths)).toMatchObject({ pid, port: Number(new URL(client.url).port) })
    expect((await HubClient.connect({ home })).url).toBe(client.url)
    const session = await client.createSession({ vendor: 'fake', cwd: '/' })
    expect(await stopHub({ home })).toBe(true)
    await eventually('the process to be gone', () => !alive(pid))
    expect(fs.readdirSync(home).sort()).toEqual([
      'disposed',
      'hub.lock',
      'hub.log',
      'journal.db',
      'last-port',
      'sessions',
      'token',
    ])
    expect(await stopHub({ home })).toBe(false)
    await expect(HubClient.connect({ home })).rejects.toMatchObject({
      code: 'hub_unreachable',
      hint: 'agent-meow up',
    })
    const log = fs.readFileSync(paths.log, 'utf8')
    expect(log).toContain('hub ends')
    expect(log).not.toContain(fs.readFileSync(paths.token, 'utf8').trim())
    // The next one knows the session, which ended as it should, and takes the same port.
    const next = await startHub(options({ env: { ...options().env, AGENT_MEOW_PORT: '' } }))
    expect(next.url).toBe(client.url)
    expect((await next.events(session.id)).events).toMatchObject([
      { type: 'session.ended', reason: 'killed' },
    ])
  })

  it('is the only one of its home, and says where it is', async () => {
    const client = await startHub(options())
    await expect(startHub(options())).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining(client.url),
    })
    expect((await connectOrStart(options())).url).toBe(client.url)
    expect((await client.info()).sessions).toBe(0)
  })

  it('is one even when many start it at once', async () => {
    const clients = await Promise.all([1, 2, 3].map(() => connectOrStart(options())))
    expect(new Set(clients.map(({ url }) => url)).size).toBe(1)
  })

  it('that was killed does not keep the next from starting, nor get its token', async () => {
    const first = await startHub(options())
    const { pid } = await first.info()
    const session = await first.createSession({ vendor: 'fake', cwd: '/' })
    process.kill(pid, 'SIGKILL')
    await eventually('the process to be gone', () => !alive(pid))
    expect(readHubFile(statePaths(home))?.pid).toBe(pid)
    // Somebody takes the port that the file still names: the token is not sent there.
    const heard: string[] = []
    await thief(Number(new URL(first.url).port), heard)
    await expect(HubClient.connect({ home })).rejects.toMatchObject({ code: 'hub_unreachable' })
    expect(heard).toEqual([])
    // The last port is taken, so another is chosen.
    const second = await connectOrStart(options({ env: { ...options().env, AGENT_MEOW_PORT: '' } }))
    expect(second.url).not.toBe(first.url)
    expect((await second.session(session.id)).stateRule).toBe('session.lost')
    expect(heard).toEqual([])
  })

  it('keeps paired browsers over a restart', async () => {
    const first = await startHub(options())
    const { code } = await first.createPairing()
    const origin = first.url
    const pair = await fetch(`${origin}/v1/pair`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    const cookie = (pair.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    await stopHub({ home })
    const second = await startHub(options({ port: Number(new URL(origin).port) }))
    expect(second.url).toBe(origin)
    expect((await fetch(`${origin}/v1/info`, { headers: { cookie } })).status).toBe(200)
    expect(fs.statSync(statePaths(home).browsers).mode & 0o777).toBe(0o600)
  })

  it('whose version is another is told, and can still be ended', async () => {
    await startHub(options())
    const paths = statePaths(home)
    // What a hub of another version answers, as far as the client asks.
    const client = await HubClient.connect({ home })
    const info = HubClient.prototype.info
    HubClient.prototype.info = async function (this: HubClient) {
      return { ...(await info.call(this)), version: '0.0.1' }
    }
    try {
      await expect(HubClient.connect({ home })).rejects.toMatchObject({
        code: 'conflict',
        hint: 'agent-meow down && agent-meow up',
      })
      await expect(connectOrStart(options())).rejects.toMatchObject({ code: 'conflict' })
      expect(await stopHub({ home })).toBe(true)
    } finally {
      HubClient.prototype.info = info
    }
    expect(isHubRunning(paths.lock)).toBe(false)
    await expect(client.info()).rejects.toMatchObject({ code: 'hub_unreachable' })
  })
})

describe('a start that cannot be', () => {
  it('on a taken port says so, and leaves no hub', async () => {
    const port = await takenPort()
    await expect(startHub(options({ port }))).rejects.toMatchObject({
      code: 'port_taken',
      detail: expect.stringContaining(String(port)),
      hint: expect.stringContaining('--port'),
    })
    const asked = await run(['--json'], { AGENT_MEOW_PORT: String(port) })
    expect(await asked.code).toBe(1)
    expect(JSON.parse(asked.out())).toMatchObject({ error: { code: 'port_taken' } })
    expect(isHubRunning(statePaths(home).lock)).toBe(false)
    expect(readHubFile(statePaths(home))).toBeNull()
  })

  it('in a home that cannot be written says so', async () => {
    fs.writeFileSync(home, 'a file where the folder should be')
    await expect(startHub(options())).rejects.toMatchObject({
      code: 'state_unwritable',
      hint: expect.stringContaining('AGENT_MEOW_HOME'),
    })
    const asked = await run(['--json'])
    expect(await asked.code).toBe(1)
    expect(JSON.parse(asked.out())).toMatchObject({ error: { code: 'state_unwritable' } })
    fs.rmSync(home)
  })

  it('with a damaged journal says which file, and leaves no hub', async () => {
    fs.mkdirSync(home, { mode: 0o700 })
    fs.writeFileSync(statePaths(home).journal, 'nonsense '.repeat(500), { mode: 0o600 })
    await expect(startHub(options())).rejects.toMatchObject({
      code: 'state_unwritable',
      detail: expect.stringContaining('journal.db'),
    })
    expect(isHubRunning(statePaths(home).lock)).toBe(false)
  })

  it('with arguments that are none says so', async () => {
    for (const args of [['--port', 'x'], ['--port', '70000'], ['--nope'], ['extra']]) {
      const asked = await run(args)
      expect(await asked.code).toBe(1)
      expect(JSON.parse(asked.out())).toMatchObject({ error: { code: 'invalid_argument' } })
    }
  })

  it('because the program is broken says where to look', async () => {
    await expect(startHub(options({ entry: join(folder, 'missing.js') }))).rejects.toMatchObject({
      code: 'internal',
      detail: expect.stringContaining('hub.log'),
    })
    expect(fs.readFileSync(statePaths(home).log, 'utf8')).toContain('missing.js')
  })
})

describe('signals and faults', () => {
  it('end it in order', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const hub = await run(['--foreground'])
      await eventually('the hub to listen', () =>
        hub.out().includes('agent-meow listens on http://127.0.0.1:'),
      )
      hub.child.kill(signal)
      expect([signal, await hub.code]).toEqual([signal, 0])
      expect(hub.err()).toContain('hub ends')
      expect(readHubFile(statePaths(home))).toBeNull()
      expect(fs.existsSync(join(home, 'disposed'))).toBe(true)
      fs.rmSync(join(home, 'disposed'))
    }
  })

  it('that nobody caught are logged without what they quote, and end it with its sessions', async () => {
    const client = await startHub(options())
    const { pid } = await client.info()
    const session = await client.createSession({ vendor: 'fake', cwd: '/' })
    await client.createSession({ vendor: 'crash', cwd: '/' }).catch(() => undefined)
    await eventually('the process to be gone', () => !alive(pid))
    expect(fs.existsSync(join(home, 'disposed'))).toBe(true)
    const log = fs.readFileSync(statePaths(home).log, 'utf8')
    expect(log).toContain('uncaught: internal: SyntaxError')
    expect(log).not.toContain('secret')
    expect(readHubFile(statePaths(home))).toBeNull()
    const next = await startHub(options())
    expect((await next.events(session.id)).events.at(-1)).toMatchObject({
      type: 'session.ended',
      reason: 'killed',
    })
  })

  it('stdout is let go of once the line is out', async () => {
    const hub = await run(['--json'])
    // The end of the stream comes while the process lives on.
    await new Promise((resolve) => hub.child.stdout.once('end', resolve))
    const { port } = JSON.parse(hub.out()) as { port: number }
    expect(hub.child.exitCode).toBeNull()
    expect((await (await HubClient.connect({ home })).info()).port).toBe(port)
  })
})

it('its end has the time that all of its parts may take, and whoever waits for it has more', () => {
  const terminals = 8_000
  expect(END_MS).toBeGreaterThan(HUB_CLOSE_MS + terminals)
  expect(STOP_MS).toBeGreaterThan(END_MS)
})

it('ports are tried in order', () => {
  expect(portsToTry(8000, 9000)).toEqual([8000])
  expect(portsToTry(null, 9000)).toEqual([9000, 7717, 0])
  expect(portsToTry(null, null)).toEqual([7717, 0])
})
