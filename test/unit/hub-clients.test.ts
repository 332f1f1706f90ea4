/** @module test/unit/hub-clients.test - clients of the stream that are slow, dead, limited, or make no sense. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { HubStream } from '../../src/hub/client.js'
import { Pairing } from '../../src/hub/pairing.js'
import type { DurableEvent } from '../../src/protocol/events.js'
import { eventually, startTestHub, type TestHub, TOKEN } from './hub-harness.js'

let t: TestHub
const streams: HubStream[] = []

beforeAll(async () => {
  t = await startTestHub()
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => t.close())

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i + 1)

describe('a slow client', () => {
  it('costs no more than the bound, and has everything once it reads again', async () => {
    const limits = { fullBytes: 512 * 1024, roomBytes: 64 * 1024 }
    const hub = await startTestHub({ limits })
    try {
      const session = await hub.session()
      const socket = new WebSocket(`${hub.hub.url.replace('http', 'ws')}/v1/stream`, {
        headers: { authorization: `Bearer ${TOKEN}` },
      })
      const frames: { type: string; events?: DurableEvent[]; board?: unknown; offset?: number }[] = []
      let terminalBytes = 0
      socket.on('message', (data, isBinary) => {
        if (isBinary) terminalBytes += (data as Buffer).length
        else frames.push(JSON.parse(String(data)))
      })
      await new Promise((resolve) => socket.once('open', resolve))
      socket.send(JSON.stringify({ type: 'session.subscribe', sessionId: session.id }))
      socket.send(JSON.stringify({ type: 'terminal.subscribe', sessionId: session.id }))
      await eventually('both snapshots', () => frames.length === 2)
      socket.pause()
      const long = 'x'.repeat(20_000)
      let most = 0
      for (let i = 0; i < 600; i += 1) {
        session.tell(`${i} ${long}`, { delta: long })
        session.draw(long)
        most = Math.max(most, hub.hub.stream.mostBuffered)
        if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      // 36 MB were told; one frame may pass over the bound.
      expect(most).toBeGreaterThan(limits.fullBytes)
      expect(most).toBeLessThan(limits.fullBytes + 200_000)
      session.board = { turnId: 'now', activity: null, items: [] }
      socket.resume()
      most = 0
      const got = () => frames.flatMap((frame) => frame.events ?? []).filter((event) => 'seq' in event)
      const told = (): boolean => {
        most = Math.max(most, hub.hub.stream.mostBuffered)
        return got().length >= 600
      }
      await eventually('every event', told, 30_000)
      // Catching up is bounded too: a page and what was in flight.
      expect(most).toBeLessThan(3 * 1024 * 1024)
      expect(got().map(({ seq }) => seq)).toEqual(upTo(0, 600))
      await eventually(
        'the board of now',
        () => frames.findLast((frame) => frame.type === 'session.snapshot')?.board !== undefined,
      )
      expect(frames.findLast((frame) => frame.type === 'session.snapshot')).toMatchObject({
        board: { turnId: 'now' },
      })
      await eventually(
        'the screen of now',
        () => frames.findLast((frame) => frame.type === 'terminal.snapshot')?.offset === session.recorded,
      )
      expect(terminalBytes).toBeLessThan(session.recorded)
      socket.terminate()
    } finally {
      await hub.close()
    }
  })

  it('that is dead is cut off, and no timer runs without clients', async () => {
    const hub = await startTestHub({ pingMs: 40 })
    try {
      const alive = await hub.client.stream()
      streams.push(alive)
      const socket = new WebSocket(`${hub.hub.url.replace('http', 'ws')}/v1/stream`, {
        headers: { authorization: `Bearer ${TOKEN}` },
        autoPong: false,
      })
      const closed = new Promise<number>((resolve) => socket.once('close', resolve))
      await eventually('both clients', () => hub.hub.stream.clients === 2)
      expect(await closed).toBe(1006)
      await eventually('one client', () => hub.hub.stream.clients === 1)
      expect(hub.hub.stream.beating).toBe(true)
      alive.close()
      await eventually('no client', () => hub.hub.stream.clients === 0)
      expect(hub.hub.stream.beating).toBe(false)
    } finally {
      await hub.close()
    }
  })
})

describe('scopes', () => {
  it('are asked for every frame and every route', async () => {
    const session = await t.session()
    // A browser that may only look: its code was made with fewer scopes.
    const code = t.hub.pairing.createCode(new Set(['view']))
    const cookie = `meow_${t.port}=${t.hub.pairing.redeem(code)}`
    const origin = `http://127.0.0.1:${t.port}`
    const socket = new WebSocket(`ws://127.0.0.1:${t.port}/v1/stream`, { headers: { cookie, origin } })
    const frames: { type: string; about?: string; error?: { code: string } }[] = []
    socket.on('message', (data) => frames.push(JSON.parse(String(data))))
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send(JSON.stringify({ type: 'terminal.input', sessionId: session.id, data: 'YQ==' }))
    socket.send(JSON.stringify({ type: 'session.subscribe', sessionId: session.id }))
    await eventually('both answers', () => frames.length === 2)
    expect(frames.find((frame) => frame.type === 'error')).toMatchObject({
      about: session.id,
      error: { code: 'forbidden' },
    })
    expect(session.typed).toEqual([])
    socket.terminate()
    const headers = { cookie, origin, 'content-type': 'application/json' }
    const status = async (method: string, path: string, body?: string) =>
      (await fetch(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })).status
    expect(await status('GET', `/v1/sessions/${session.id}`)).toBe(200)
    expect(await status('GET', `/v1/sessions/${session.id}/attach`)).toBe(403)
    expect(await status('POST', `/v1/sessions/${session.id}/messages`, '{"text":"x"}')).toBe(403)
    expect(await status('POST', `/v1/sessions/${session.id}/interrupt`)).toBe(403)
    expect(await status('DELETE', `/v1/sessions/${session.id}`)).toBe(403)
    expect(await status('POST', '/v1/pairings')).toBe(403)
    expect(await status('POST', '/v1/shutdown')).toBe(403)
    expect([session.killed, session.sent, t.shutdowns()]).toEqual([0, [], 0])
    expect(
      new Pairing({ store: { load: () => t.saved.text, save: () => undefined }, now: Date.now }).scopesOf(
        cookie.split('=')[1] ?? '',
      ),
    ).toEqual(new Set(['view']))
  })
})

describe('frames that are no frames', () => {
  it('are answered and change nothing; bytes close the connection', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${t.port}/v1/stream`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    const frames: { type: string; error?: { code: string } }[] = []
    socket.on('message', (data) => frames.push(JSON.parse(String(data))))
    await new Promise((resolve) => socket.once('open', resolve))
    const bad = [
      'nonsense',
      '{}',
      '{"type":"nope"}',
      '[]',
      '{"type":"session.subscribe"}',
      '{"type":"session.subscribe","sessionId":"x","since":-1}',
      '{"type":"sessions.subscribe","more":1}',
    ]
    for (const text of bad) socket.send(text)
    await eventually('all answers', () => frames.length === bad.length)
    expect(new Set(frames.map((frame) => frame.error?.code))).toEqual(new Set(['invalid_argument']))
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    socket.send(Buffer.from([1, 2, 3]))
    expect(await closed).toBe(1003)
    const big = new WebSocket(`ws://127.0.0.1:${t.port}/v1/stream`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    await new Promise((resolve) => big.once('open', resolve))
    const cut = new Promise<number>((resolve) => big.once('close', resolve))
    big.send('x'.repeat(300 * 1024))
    expect(await cut).toBe(1009)
  })
})
