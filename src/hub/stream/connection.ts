/** @module hub/stream/connection - one client of `WS /v1/stream`: its frames in, its feeds out. */
import type { RawData, WebSocket } from 'ws'
import type { Scope } from '../../protocol/commands.js'
import { asMeowError, MeowError } from '../../protocol/errors.js'
import { ClientFrame } from '../../protocol/stream.js'
import type { Disposable, SessionHandle } from '../../session/handle.js'
import type { Registry } from '../registry.js'
import { ListFeed } from './list-feed.js'
import { type Feed, type OutboxLimits, SocketOutbox } from './outbox.js'
import { SessionFeed } from './session-feed.js'
import { TerminalFeed } from './terminal-feed.js'

export interface ConnectionOptions {
  readonly socket: WebSocket
  readonly registry: Registry
  readonly scopes: ReadonlySet<Scope>
  readonly limits: OutboxLimits
  /** Names this connection to others: `page-3`. */
  readonly name: string
}

const MAX_FEEDS = 500
/** Keystrokes that the terminals have not taken yet. */
const MAX_PENDING_INPUT = 1024 * 1024
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

const NEEDED: Readonly<Record<ClientFrame['type'], Scope>> = {
  'sessions.subscribe': 'view',
  'session.subscribe': 'view',
  'session.unsubscribe': 'view',
  'terminal.subscribe': 'view',
  'terminal.unsubscribe': 'view',
  'terminal.input': 'type',
  typing: 'type',
}

export class Connection {
  readonly #options: ConnectionOptions
  readonly #out: SocketOutbox
  readonly #sessions = new Map<string, SessionFeed>()
  readonly #terminals = new Map<string, TerminalFeed>()
  /** Sessions in which this client's person types, as was told. */
  readonly #typing = new Set<string>()
  readonly #attached: Disposable
  #list: ListFeed | null = null
  #channels = 0
  #pendingInput = 0

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#out = new SocketOutbox(options.socket, options.limits)
    this.#attached = options.registry.onAttached((handle) => this.#attach(handle))
    options.socket.on('message', (data, isBinary) => this.#message(data, isBinary))
    options.socket.on('close', () => this.#dispose())
    // An error closes the socket; there is nobody left to tell.
    options.socket.on('error', () => options.socket.terminate())
  }

  #message(data: RawData, isBinary: boolean): void {
    if (isBinary) {
      this.#options.socket.close(1003, 'text frames only')
      return
    }
    let about: string | null = null
    try {
      const frame = parseFrame(data.toString())
      if ('sessionId' in frame) about = frame.sessionId
      const needed = NEEDED[frame.type]
      if (!this.#options.scopes.has(needed)) {
        throw new MeowError('forbidden', `${frame.type} needs the scope ${needed}`)
      }
      this.#handle(frame)
    } catch (error) {
      this.#out.fail(about, asMeowError(error))
    }
  }

  #handle(frame: ClientFrame): void {
    const { registry } = this.#options
    switch (frame.type) {
      case 'sessions.subscribe': {
        this.#list ??= new ListFeed(this.#out, registry)
        this.#out.later(this.#list)
        return
      }
      case 'session.subscribe': {
        const id = frame.sessionId
        registry.info(id)
        this.#drop(this.#sessions, id)
        this.#keep(
          this.#sessions,
          id,
          new SessionFeed(this.#out, registry, id, frame.since, this.#options.name),
        )
        return
      }
      case 'session.unsubscribe':
        this.#drop(this.#sessions, frame.sessionId)
        return
      case 'terminal.subscribe': {
        const id = frame.sessionId
        registry.info(id)
        if (!registry.isLive(id)) throw new MeowError('terminal_gone', `session ${id} has ended`)
        this.#drop(this.#terminals, id)
        this.#channels += 1
        this.#keep(this.#terminals, id, new TerminalFeed(this.#out, id, this.#channels, registry.handle(id)))
        return
      }
      case 'terminal.unsubscribe':
        this.#drop(this.#terminals, frame.sessionId)
        return
      case 'terminal.input':
        this.#input(frame.sessionId, frame.data)
        return
      case 'typing':
        this.#types(frame.sessionId, frame.active)
    }
  }

  #types(id: string, active: boolean): void {
    const { registry, name } = this.#options
    if (active) {
      registry.mustLive(id).typing(name, true)
      this.#typing.add(id)
    } else if (this.#typing.delete(id)) {
      registry.handle(id)?.typing(name, false)
    }
  }

  #input(id: string, data: string): void {
    if (!BASE64.test(data)) throw new MeowError('invalid_argument', 'the keystrokes are not base64')
    const bytes = Buffer.from(data, 'base64')
    if (this.#pendingInput + bytes.length > MAX_PENDING_INPUT) {
      throw new MeowError('too_large', 'the terminal does not take keystrokes that fast', { retryable: true })
    }
    const handle = this.#options.registry.mustLive(id)
    this.#pendingInput += bytes.length
    handle
      .input(bytes)
      .catch((error: unknown) => this.#out.fail(id, asMeowError(error)))
      .finally(() => {
        this.#pendingInput -= bytes.length
      })
  }

  #attach(handle: SessionHandle): void {
    this.#sessions.get(handle.id)?.attach(handle)
    this.#terminals.get(handle.id)?.attach(handle)
  }

  #keep<F extends Feed>(feeds: Map<string, F>, id: string, feed: F): void {
    if (this.#sessions.size + this.#terminals.size >= MAX_FEEDS) {
      feed.dispose()
      throw new MeowError('conflict', `a client follows ${MAX_FEEDS} things at most`)
    }
    feeds.set(id, feed)
    this.#out.later(feed)
  }

  #drop<F extends Feed>(feeds: Map<string, F>, id: string): void {
    const feed = feeds.get(id)
    if (feed === undefined) return
    feeds.delete(id)
    this.#out.forget(feed)
    feed.dispose()
  }

  #dispose(): void {
    this.#attached.dispose()
    // Whoever is gone types no more.
    for (const id of [...this.#typing]) this.#types(id, false)
    this.#list?.dispose()
    for (const id of [...this.#sessions.keys()]) this.#drop(this.#sessions, id)
    for (const id of [...this.#terminals.keys()]) this.#drop(this.#terminals, id)
  }
}

function parseFrame(text: string): ClientFrame {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new MeowError('invalid_argument', 'the frame is not JSON')
  }
  const result = ClientFrame.safeParse(value)
  if (result.success) return result.data
  const where = result.error.issues.map((issue) => `${issue.path.join('.') || 'frame'}: ${issue.message}`)
  throw new MeowError('invalid_argument', `the frame is not understood: ${where.join('; ')}`)
}
