/** @module test/web/fake-hub - serves the built page and speaks the protocol; what happens is scripted by the test. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { type WebSocket, WebSocketServer } from 'ws'
import { VendorInfo } from '../../src/protocol/api.js'
import { CreateSession, type Receipt, SendMessage } from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import type { DurableDraft, DurableEvent, LiveDraft, MeowEvent } from '../../src/protocol/events.js'
import type { Board, SessionInfo } from '../../src/protocol/session.js'
import { ClientFrame, encodeTerminalFrame, type ServerFrame } from '../../src/protocol/stream.js'

const CSP =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'"
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** How the next post of a message goes wrong: before the hub has it, or after. */
export type Sabotage = 'before' | 'after' | { readonly refuse: MeowError }

/** One scripted session: keeps its events and its board, and tells its subscribers. */
export class FakeSession {
  readonly events: DurableEvent[] = []
  readonly board: Board = { turnId: null, activity: null, items: [] }
  readonly terminal = { cols: 80, rows: 24, screen: '', offset: 0 }
  info: SessionInfo
  readonly #tell: (frame: ServerFrame) => void
  #live = 0

  constructor(info: SessionInfo, tell: (frame: ServerFrame) => void) {
    this.info = info
    this.#tell = tell
  }

  /** Journals an event; `lost` tells nobody, as a broken stream would. */
  durable(draft: DurableDraft, options: { lost?: boolean } = {}): DurableEvent {
    const seq = this.events.length + 1
    const event = { ...this.#stamp(`e${seq}`), seq, ...draft } as DurableEvent
    this.events.push(event)
    this.#account(event)
    this.info = { ...this.info, lastSeq: seq }
    if (options.lost !== true) this.#tell({ type: 'events', sessionId: this.info.id, events: [event] })
    return event
  }

  live(draft: LiveDraft): void {
    this.#live += 1
    const event = { ...this.#stamp(`l${this.#live}`), ...draft } as MeowEvent
    const row = 'itemId' in draft ? this.board.items.find(({ itemId }) => itemId === draft.itemId) : undefined
    if (draft.type === 'item.delta' && row !== undefined) row.text += draft.delta
    if (draft.type === 'tool.output' && row !== undefined) row.text = draft.text
    if (draft.type === 'session.activity') this.board.activity = draft.activity
    this.#tell({ type: 'events', sessionId: this.info.id, events: [event] })
  }

  /** Text that continues an open item. */
  delta(itemId: string, delta: string, kind: 'assistant_message' | 'reasoning' = 'assistant_message'): void {
    const offset = this.board.items.find((row) => row.itemId === itemId)?.text.length ?? 0
    const { turnId } = this.board
    this.live({ type: 'item.delta', source: 'screen', itemId, turnId, kind, offset, delta })
  }

  setState(state: SessionInfo['state'], evidence: string[] = []): void {
    this.info = { ...this.info, state, stateRule: 'test', stateEvidence: evidence, stateSince: Date.now() }
    this.durable({ type: 'session.state', source: 'screen', state, rule: 'test', evidence })
    this.#tell({ type: 'session.info', session: this.info })
  }

  change(fields: Partial<SessionInfo>): void {
    this.info = { ...this.info, ...fields }
    this.#tell({ type: 'session.info', session: this.info })
  }

  snapshot(since: number): ServerFrame {
    return {
      type: 'session.snapshot',
      sessionId: this.info.id,
      session: this.info,
      events: this.events.filter(({ seq }) => seq > since),
      board: structuredClone(this.board),
      lastSeq: this.events.length,
    }
  }

  #stamp(id: string) {
    return { v: 1 as const, sessionId: this.info.id, id, ts: Date.now() }
  }

  #account(event: DurableEvent): void {
    const { board } = this
    if (event.type === 'turn.started') board.turnId = event.turnId
    if (event.type === 'turn.completed') board.turnId = null
    if (event.type === 'item.started') {
      const { itemId, turnId, kind, item } = event
      board.items.push({ itemId, turnId, kind, item, text: '' })
    }
    if (event.type === 'item.completed') {
      board.items = board.items.filter(({ itemId }) => itemId !== event.itemId)
    }
  }
}

export interface Posted {
  readonly sessionId: string
  readonly messageId: string
  readonly text: string
}

export class FakeHub {
  readonly sessions = new Map<string, FakeSession>()
  /** Every post of a message that reached the hub, repeated ones too. */
  readonly posts: Posted[] = []
  /** What would be typed: one for each id. */
  readonly messages = new Map<string, Receipt>()
  readonly created: CreateSession[] = []
  readonly frames: ClientFrame[] = []
  readonly interrupted: string[] = []
  readonly killed: string[] = []
  vendors: VendorInfo[] = []
  sabotage: Sabotage[] = []
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
      } else if (frame.type === 'terminal.subscribe') {
        answer({ type: 'terminal.snapshot', sessionId: frame.sessionId, channel: 7, ...session.terminal })
      }
    })
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
      reply(response, error.code === 'unauthorized' ? 401 : 409, { error: error.toJSON() })
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
      return answer(200, info)
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
    const [, id = '', action] = /^\w+ \/v1\/sessions\/([^/]+)(?:\/(\w+))?$/.exec(call) ?? []
    const session = this.sessions.get(id)
    if (session === undefined) throw new MeowError('not_found', `nothing at ${call}`)
    if (action === 'messages') return this.#message(id, SendMessage.parse(body), request)
    if (action === 'interrupt') {
      this.interrupted.push(id)
      const turnId = session.board.turnId
      const result = turnId === null ? 'idle' : 'interrupted'
      return answer(200, { result, turnId, evidence: ['the spinner left the screen'] })
    }
    if (call.startsWith('DELETE ')) {
      this.killed.push(id)
      session.change({ state: 'ended', endedAt: Date.now() })
      const ending = { reason: 'killed', exitCode: null, signal: null, detail: null } as const
      session.durable({ type: 'session.ended', source: 'bridge', ...ending })
      return answer(200, { session: session.info })
    }
    throw new MeowError('not_found', `nothing at ${call}`)
  }

  #message(id: string, { text, messageId = '' }: SendMessage, request: IncomingMessage): Answer {
    const wrong = this.sabotage.shift()
    if (wrong === 'before') return hangUp(request)
    this.posts.push({ sessionId: id, messageId, text })
    if (typeof wrong === 'object') throw wrong.refuse
    const receipt = this.messages.get(messageId) ?? { messageId, state: 'queued' as const, reason: null }
    if (!this.messages.has(messageId)) {
      this.messages.set(messageId, receipt)
      // A lost answer must not be saved by the events that follow it.
      const delivery = { messageId, state: 'queued', reason: null, text } as const
      this.sessions
        .get(id)
        ?.durable({ type: 'delivery', source: 'bridge', ...delivery }, { lost: wrong === 'after' })
    }
    if (wrong === 'after') return hangUp(request)
    return answer(202, receipt)
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

/** Status 0: the connection is gone, there is nothing to answer. */
interface Answer {
  readonly status: number
  readonly value: unknown
}

function answer(status: number, value: unknown): Answer {
  return { status, value }
}

function hangUp(request: IncomingMessage): Answer {
  request.socket.destroy()
  return answer(0, null)
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

function blankInfo(id: string): SessionInfo {
  return {
    id,
    name: id,
    vendor: 'claude',
    vendorVersion: '2.1.0',
    vendorSessionId: null,
    cwd: '/home/someone/project',
    model: 'claude-sonnet-4-5',
    mode: null,
    backend: 'tmux',
    pid: 1,
    cols: 80,
    rows: 24,
    state: 'idle',
    stateRule: 'test',
    stateEvidence: [],
    stateSince: 0,
    createdAt: 1,
    endedAt: null,
    lastSeq: 0,
    turns: 0,
    lastOutcome: null,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    usd: null,
  }
}
