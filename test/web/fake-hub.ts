/** @module test/web/fake-hub - serves the built page and speaks the protocol; what happens is scripted by the test. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { type WebSocket, WebSocketServer } from 'ws'
import { VendorInfo } from '../../src/protocol/api.js'
import { CreateSession, type Scope } from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import type { SessionInfo } from '../../src/protocol/session.js'
import { ClientFrame, encodeTerminalFrame, type ServerFrame } from '../../src/protocol/stream.js'
import { type Answer, answer, FakeDelivery } from './fake-delivery.js'
import { blankInfo, FakeSession } from './fake-session.js'

export { FakeSession }

const CSP =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"
const STATUS: Readonly<Record<string, number>> = { unauthorized: 401, forbidden: 403, not_found: 404 }
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export class FakeHub {
  readonly sessions = new Map<string, FakeSession>()
  readonly delivery = new FakeDelivery()
  readonly created: CreateSession[] = []
  readonly frames: ClientFrame[] = []
  readonly interrupted: string[] = []
  readonly killed: string[] = []
  vendors: VendorInfo[] = []
  /** Told with the hub's info; null: this hub does not tell. */
  scopes: Scope[] | null = null
  refuseCreate: MeowError | null = null
  /** While false, upgrades are refused. */
  accepting = true
  readonly #server: Server
  readonly #sockets = new Map<WebSocket, Set<string>>()
  readonly #root: string
  readonly #codes = new Set<string>()
  readonly #token = randomBytes(16).toString('hex')

  private constructor(root: string) {
    this.#root = root
    const streams = new WebSocketServer({ noServer: true })
    this.#server = createServer((request, response) => void this.#http(request, response))
    this.#server.on('upgrade', (request, socket, head) => {
      if (!this.accepting || !this.#known(request) || request.url !== '/v1/stream') {
        socket.destroy()
        return
      }
      streams.handleUpgrade(request, socket, head, (stream) => this.#stream(stream))
    })
  }

  /** Serves the built page in `root` on a free port. */
  static async start(root: string): Promise<FakeHub> {
    const hub = new FakeHub(root)
    await new Promise<void>((resolve) => hub.#server.listen(0, '127.0.0.1', resolve))
    return hub
  }

  get posts() {
    return this.delivery.posts
  }

  get messages() {
    return this.delivery.messages
  }

  get origin(): string {
    const address = this.#server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  }

  /** A fresh link, good for one browser. */
  link(): string {
    const code = randomBytes(8).toString('hex')
    this.#codes.add(code)
    return `${this.origin}/#pair=${code}`
  }

  addSession(id: string, fields: Partial<SessionInfo> = {}): FakeSession {
    const session = new FakeSession({ ...blankInfo(id), ...fields }, (frame) => this.tell(frame))
    this.sessions.set(id, session)
    this.tell({ type: 'session.info', session: session.info })
    return session
  }

  /** Sends a frame to everyone who subscribed to its session; frames without one to all. */
  tell(frame: ServerFrame): void {
    for (const [socket, topics] of this.#sockets) {
      const wanted = frame.type === 'session.info' || !('sessionId' in frame) || topics.has(frame.sessionId)
      if (wanted) socket.send(JSON.stringify(frame))
    }
  }

  /** Raw bytes of the record to everyone. */
  tellTerminal(offset: number, bytes: string, channel = 7): void {
    for (const socket of this.#sockets.keys()) {
      socket.send(encodeTerminalFrame(channel, offset, Buffer.from(bytes)))
    }
  }

  dropConnections(): void {
    for (const socket of this.#sockets.keys()) socket.terminate()
    this.#sockets.clear()
  }

  async stop(): Promise<void> {
    this.dropConnections()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #known({ headers }: IncomingMessage): boolean {
    return headers.cookie?.includes(`meow=${this.#token}`) === true
  }

  #stream(stream: WebSocket): void {
    this.#sockets.set(stream, new Set())
    stream.on('close', () => this.#sockets.delete(stream))
    stream.on('message', (data) => {
      const frame = ClientFrame.parse(JSON.parse(String(data)))
      this.frames.push(frame)
      const answer = (reply: ServerFrame) => stream.send(JSON.stringify(reply))
      if (frame.type === 'sessions.subscribe') {
        answer({ type: 'sessions', sessions: [...this.sessions.values()].map(({ info }) => info) })
        return
      }
      const session = this.sessions.get(frame.sessionId)
      const topics = this.#sockets.get(stream)
      if (session === undefined) {
        const error = new MeowError('not_found', `no session ${frame.sessionId}`).toJSON()
        answer({ type: 'error', about: frame.sessionId, error })
      } else if (frame.type === 'session.subscribe') {
        topics?.add(frame.sessionId)
        answer(session.snapshot(frame.since))
      } else if (frame.type === 'session.unsubscribe') {
        topics?.delete(frame.sessionId)
      } else if (frame.type === 'typing') {
        this.#typing(stream, frame.sessionId, frame.active)
      } else if (frame.type === 'terminal.subscribe') {
        answer({ type: 'terminal.snapshot', sessionId: frame.sessionId, channel: 7, ...session.terminal })
      }
    })
  }

  /** Told to everyone else who looks at the session. */
  #typing(from: WebSocket, sessionId: string, active: boolean): void {
    const client = `client-${[...this.#sockets.keys()].indexOf(from)}`
    const envelope = { v: 1, sessionId, id: 'typing', ts: 0, source: 'bridge' } as const
    const event = { ...envelope, type: 'session.typing', client, active } as const
    const frame: ServerFrame = { type: 'events', sessionId, events: [event] }
    for (const [socket, topics] of this.#sockets) {
      if (socket !== from && topics.has(sessionId)) socket.send(JSON.stringify(frame))
    }
  }

  async #http(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.origin).pathname
    if (!path.startsWith('/v1/')) {
      this.#file(path, response)
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body: unknown = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString())
    try {
      const { status, value } = this.#api(`${request.method} ${path}`, body, request, response)
      if (status !== 0) reply(response, status, value)
    } catch (thrown) {
      const error = thrown instanceof MeowError ? thrown : new MeowError('invalid_argument', String(thrown))
      reply(response, STATUS[error.code] ?? 409, { error: error.toJSON() })
    }
  }

  #api(call: string, body: unknown, request: IncomingMessage, response: ServerResponse): Answer {
    if (call === 'POST /v1/pair') {
      const { code } = body as { code: string }
      if (!this.#codes.delete(code)) throw new MeowError('unauthorized', 'the code is used up or unknown')
      response.setHeader('set-cookie', `meow=${this.#token}; HttpOnly; SameSite=Strict; Path=/`)
      return answer(200, { ok: true })
    }
    if (!this.#known(request)) throw new MeowError('unauthorized', 'no token')
    if (call === 'GET /v1/info') {
      const info = { version: '0', pid: 1, port: 1, home: '/', startedAt: 0, sessions: this.sessions.size }
      return answer(200, this.scopes === null ? info : { ...info, scopes: this.scopes })
    }
    if (call === 'GET /v1/vendors') return answer(200, { vendors: this.vendors })
    if (call === 'POST /v1/sessions') {
      const wanted = CreateSession.parse(body)
      this.created.push(wanted)
      if (this.refuseCreate !== null) throw this.refuseCreate
      const { vendor, cwd, name = 'new one' } = wanted
      const made = this.addSession(`made${this.created.length}`, { vendor, cwd, name, createdAt: Date.now() })
      return answer(201, { session: made.info })
    }
    const [, method = '', id = '', action = '', target = ''] =
      /^(\w+) \/v1\/sessions\/([^/]+)(?:\/(\w+))?(?:\/([\w.:-]+))?$/.exec(call) ?? []
    const session = this.sessions.get(id)
    if (session === undefined) throw new MeowError('not_found', `nothing at ${call}`)
    const delivered = this.delivery.call({ method, session, action, id: target, body, request })
    if (delivered !== null) return delivered
    if (action === 'interrupt') {
      this.interrupted.push(id)
      const turnId = session.board.turnId
      const result = turnId === null ? 'idle' : 'interrupted'
      return answer(200, { result, turnId, evidence: ['the spinner left the screen'] })
    }
    if (method === 'DELETE' && action === '') {
      this.killed.push(id)
      session.change({ state: 'ended', endedAt: Date.now() })
      const ending = { reason: 'killed', exitCode: null, signal: null, detail: null } as const
      session.durable({ type: 'session.ended', source: 'bridge', ...ending })
      return answer(200, { session: session.info })
    }
    throw new MeowError('not_found', `nothing at ${call}`)
  }

  #file(path: string, response: ServerResponse): void {
    try {
      const file = normalize(path === '/' ? '/index.html' : path)
      const content = readFileSync(join(this.#root, file))
      response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream')
      response.setHeader('content-security-policy', CSP)
      response.end(content)
    } catch {
      response.writeHead(404).end()
    }
  }
}

function reply(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** A vendor as the list shows it. */
export function vendor(id: string, fields: Partial<VendorInfo> = {}): VendorInfo {
  return VendorInfo.parse({
    id,
    name: id,
    binary: `/bin/${id}`,
    version: '1.0.0',
    testedVersions: ['1.0.0'],
    auth: { status: 'ok', detail: '' },
    installHint: `Install ${id}.`,
    loginHint: `Run ${id} login.`,
    capabilities: [],
    ...fields,
  })
}
