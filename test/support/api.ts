/** @module test/support/api - the public API by plain HTTP and WebSocket, apart from the product's own client. */
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { CreateSessionInput, InterruptResult, Receipt } from '../../src/protocol/commands.js'
import type { DurableEvent, MeowEvent } from '../../src/protocol/events.js'
import type { Item } from '../../src/protocol/items.js'
import type { SessionInfo } from '../../src/protocol/session.js'
import { ServerFrame } from '../../src/protocol/stream.js'

export interface ApiError {
  status: number
  error: { code: string; detail: string; hint?: string }
}

/** Every call of the API that the tests make; a refused one rejects with status and error body. */
export class Api {
  constructor(
    readonly url: string,
    private readonly token: string,
  ) {}

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as T & { error?: ApiError['error'] }
    if (!response.ok)
      throw Object.assign(new Error(JSON.stringify(answer)), { status: response.status, ...answer })
    return answer
  }

  async create(body: CreateSessionInput): Promise<SessionInfo> {
    return (await this.call<{ session: SessionInfo }>('POST', '/v1/sessions', body)).session
  }
  async session(id: string): Promise<SessionInfo> {
    return (await this.call<{ session: SessionInfo }>('GET', `/v1/sessions/${id}`)).session
  }
  send(id: string, text: string, messageId?: string): Promise<Receipt> {
    return this.call('POST', `/v1/sessions/${id}/messages`, { text, ...(messageId ? { messageId } : {}) })
  }
  interrupt(id: string): Promise<InterruptResult> {
    return this.call('POST', `/v1/sessions/${id}/interrupt`)
  }
  kill(id: string): Promise<unknown> {
    return this.call('DELETE', `/v1/sessions/${id}`)
  }
  async events(id: string): Promise<DurableEvent[]> {
    return (await this.call<{ events: DurableEvent[] }>('GET', `/v1/sessions/${id}/events?limit=10000`))
      .events
  }
  async screen(id: string): Promise<string> {
    return (await this.call<{ lines: string[] }>('GET', `/v1/sessions/${id}/terminal`)).lines.join('\n')
  }
  async attach(id: string): Promise<{ argv: string[]; env: Record<string, string> }> {
    const { attach } = await this.call<{ attach: { argv: string[]; env: Record<string, string> } | null }>(
      'GET',
      `/v1/sessions/${id}/attach`,
    )
    if (!attach) throw new Error('no attach command')
    return attach
  }
  observe(id: string): Promise<Observer> {
    return Observer.open(this.url, this.token, id)
  }
}

/** One session's events over the WebSocket, durable and live, as they come. */
export class Observer {
  readonly events: MeowEvent[] = []
  private readonly waiting = new Set<() => void>()

  private constructor(private readonly socket: WebSocket) {}

  static async open(url: string, token: string, sessionId: string): Promise<Observer> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/stream`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const observer = new Observer(socket)
    const first = new Promise<void>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('message', (data, binary) => {
        if (binary) return
        const frame = ServerFrame.parse(JSON.parse(String(data)))
        if (frame.type === 'session.snapshot' || frame.type === 'events') observer.take(frame.events)
        if (frame.type === 'session.snapshot') resolve()
        if (frame.type === 'error') reject(new Error(JSON.stringify(frame.error)))
      })
    })
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
    socket.send(JSON.stringify({ type: 'session.subscribe', sessionId, since: 0 }))
    await first
    return observer
  }

  /** The first event from `from` on that satisfies the test; rejects by name after `ms`. */
  async until<T extends MeowEvent = MeowEvent>(
    name: string,
    test: (event: MeowEvent) => boolean,
    ms = 60_000,
    from = 0,
  ): Promise<T> {
    const deadline = new AbortController()
    const bound = pause(ms, undefined, { signal: deadline.signal }).then(
      () => true,
      () => false,
    )
    for (;;) {
      const found = this.events.slice(from).find(test)
      if (found) {
        deadline.abort()
        return found as T
      }
      const more = new Promise<false>((resolve) => this.waiting.add(() => resolve(false)))
      if (await Promise.race([more, bound])) {
        const seen = this.events.slice(-12).map((e) => JSON.stringify(e).slice(0, 300))
        throw new Error(`did not see within ${ms} ms: ${name}. Last events:\n${seen.join('\n')}`)
      }
    }
  }

  /** Types raw text into the session's terminal, as the page's live terminal does. */
  type(sessionId: string, text: string): void {
    const data = Buffer.from(text, 'utf8').toString('base64')
    this.socket.send(JSON.stringify({ type: 'terminal.input', sessionId, data }))
  }

  turnEnd(from = 0, ms = 60_000) {
    return this.until<Extract<MeowEvent, { type: 'turn.completed' }>>(
      'the turn ends',
      (e) => e.type === 'turn.completed',
      ms,
      from,
    )
  }

  /** Completed items in the order of the conversation. */
  items(): Item[] {
    return itemsOf(this.events)
  }

  close(): void {
    this.socket.terminate()
  }

  private take(events: readonly MeowEvent[]): void {
    this.events.push(...events)
    const wake = [...this.waiting]
    this.waiting.clear()
    for (const check of wake) check()
  }
}

/** Items in the order in which they started, `before` obeyed, as completed. */
export function itemsOf(events: readonly MeowEvent[]): Item[] {
  const order: string[] = []
  const done = new Map<string, Item>()
  for (const e of events) {
    if (e.type === 'item.started') {
      const at = e.before === undefined ? -1 : order.indexOf(e.before)
      if (at < 0) order.push(e.itemId)
      else order.splice(at, 0, e.itemId)
    } else if (e.type === 'item.completed') {
      if (done.has(e.itemId)) throw new Error(`item ${e.itemId} was completed twice`)
      done.set(e.itemId, e.item)
    }
  }
  return order.flatMap((id) => done.get(id) ?? [])
}
