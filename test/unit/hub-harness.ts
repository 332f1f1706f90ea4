/** @module test/unit/hub-harness - a real hub on a free port with fake sessions, and raw ways to talk to it. */
import * as fs from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HubClient } from '../../src/hub/client.js'
import { type Hub, type HubOptions, openHub } from '../../src/hub/server.js'
import { openJournal } from '../../src/journal/sqlite-journal.js'
import { type FakeSession, fakeLauncher } from './hub-fake-session.js'

export const TOKEN = 'T'.repeat(43)

export interface TestHub {
  readonly hub: Hub
  readonly client: HubClient
  readonly port: number
  readonly home: string
  readonly logged: string[]
  readonly release: () => void
  readonly saved: { text: string | null }
  readonly shutdowns: () => number
  /** Starts a fake session and gives it. */
  session(vendor?: string): Promise<FakeSession>
  fakes: FakeSession[]
  close(): Promise<void>
}

export function tempFolder(): string {
  return fs.mkdtempSync(join(tmpdir(), 'meow-hub-'))
}

export async function startTestHub(options: Partial<HubOptions> = {}): Promise<TestHub> {
  const home = tempFolder()
  const journal = options.journal ?? openJournal(':memory:')
  const { sessions, launch, release } = fakeLauncher()
  const logged: string[] = []
  const saved: { text: string | null } = { text: null }
  let shutdowns = 0
  const hub = await openHub({
    port: 0,
    token: TOKEN,
    home,
    socketDir: home,
    version: '9.9.9',
    journal,
    browsers: {
      load: () => saved.text,
      save: (text) => {
        saved.text = text
      },
    },
    launch,
    hostFor: () => Promise.reject(new Error('no terminals here')),
    env: {},
    vendors: async () => [],
    screenText: ({ screen }) => screen.split('\n'),
    webRoot: null,
    log: (line) => logged.push(line),
    onShutdown: () => {
      shutdowns += 1
    },
    ...options,
  })
  const client = new HubClient({ url: hub.url, token: TOKEN })
  return {
    hub,
    client,
    port: hub.port,
    home,
    logged,
    release,
    saved,
    shutdowns: () => shutdowns,
    fakes: sessions,
    async session(vendor = 'fake') {
      const { id } = await client.createSession({ vendor, cwd: '/' })
      const fake = sessions.find((session) => session.id === id)
      if (fake === undefined) throw new Error(`no fake session ${id}`)
      return fake
    },
    async close() {
      await hub.close(2_000)
      if (options.journal === undefined) journal.close()
      fs.rmSync(home, { recursive: true, force: true })
    },
  }
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The error's code, when there is one. */
  readonly code: string | undefined
}

/** A request with exactly these headers. */
export async function raw(
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<RawAnswer> {
  return await new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      response.on('end', () => {
        const code = /"code":"(\w+)"/.exec(text)?.[1]
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, code })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The first line of the answer to an upgrade. */
export async function upgrade(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  return await new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const lines = Object.entries({
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      }).map(([name, value]) => `${name}: ${value}`)
      socket.write([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    })
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n')
      if (end < 0) return
      socket.destroy()
      resolve(text.slice(0, end))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`closed without an answer: ${text}`)))
  })
}

/** Waits until the condition holds; the bound only fails the test. */
export async function eventually(what: string, holds: () => boolean, ms = 10_000): Promise<void> {
  const end = Date.now() + ms
  while (!holds()) {
    if (Date.now() > end) throw new Error(`never came: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
