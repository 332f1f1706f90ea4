/** @module test/unit/hub-stream.test - the stream over a real socket: nothing lost, nothing twice, nothing unbounded. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { HubStream, StreamFrame } from '../../src/hub/client.js'
import { PAGE } from '../../src/hub/stream/session-feed.js'
import type { DurableEvent } from '../../src/protocol/events.js'
import { isLive } from '../../src/protocol/events.js'
import type { FakeSession } from './hub-fake-session.js'
import { eventually, startTestHub, type TestHub } from './hub-harness.js'

let t: TestHub
const streams: HubStream[] = []

beforeAll(async () => {
  t = await startTestHub()
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => t.close())

/** Reads frames into a list until the stream ends. */
async function follow(hub: TestHub = t): Promise<{ stream: HubStream; frames: StreamFrame[] }> {
  const stream = await hub.client.stream()
  streams.push(stream)
  const frames: StreamFrame[] = []
  void (async () => {
    for await (const frame of stream) frames.push(frame)
  })().catch(() => undefined)
  return { stream, frames }
}

/** The durable events that a client has been told of a session, in the order in which they came. */
function durable(frames: readonly StreamFrame[], id: string): DurableEvent[] {
  return frames.flatMap((frame) => {
    if (frame.type !== 'session.snapshot' && frame.type !== 'events') return []
    return frame.sessionId === id ? frame.events.filter((event): event is DurableEvent => !isLive(event)) : []
  })
}

const seqs = (frames: readonly StreamFrame[], id: string): number[] =>
  durable(frames, id).map(({ seq }) => seq)
const upTo = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i + 1)
const snapshots = (frames: readonly StreamFrame[]) =>
  frames.filter((frame) => frame.type === 'session.snapshot')

describe('a subscription', () => {
  it('in the middle of a flood sees every event once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(700),
        fc.array(
          fc.record({ size: fc.integer({ min: 1, max: 40 }), pause: fc.boolean(), live: fc.boolean() }),
          { minLength: 1, maxLength: 40 },
        ),
        fc.nat(20),
        async (before, batches, skip) => {
          const session = await t.session()
          for (let i = 0; i < before; i += 1) session.tell(`early ${i}`)
          const since = Math.min(skip, before)
          const { stream, frames } = await follow()
          stream.send({ type: 'session.subscribe', sessionId: session.id, since })
          for (const { size, pause, live } of batches) {
            session.tell(
              ...Array.from({ length: size }, (_, i) => `flood ${i}`),
              ...(live ? [{ delta: 'x' }] : []),
            )
            if (pause) await new Promise((resolve) => setImmediate(resolve))
          }
          const last = t.hub.registry.journal.lastSeq(session.id)
          await eventually('the last event', () => (seqs(frames, session.id).at(-1) ?? since) === last)
          expect(seqs(frames, session.id)).toEqual(upTo(since, last))
          expect(durable(frames, session.id)).toEqual(t.hub.registry.journal.read(session.id, since))
          expect(frames[0]?.type).toBe('session.snapshot')
          stream.close()
          await session.kill()
        },
      ),
      { numRuns: 25 },
    )
  })

  it('tells a long history in pages and the board with the last of them', async () => {
    const session = await t.session()
    const total = PAGE * 3 + 7
    session.tell(...Array.from({ length: total }, (_, i) => `${i}`))
    session.board = { turnId: 't_1', activity: 'thinking', items: [] }
    const { stream, frames } = await follow()
    stream.send({ type: 'session.subscribe', sessionId: session.id })
    await eventually('all pages', () => seqs(frames, session.id).length >= total)
    expect(seqs(frames, session.id)).toEqual(upTo(0, total))
    const pages = snapshots(frames)
    expect(pages).toHaveLength(4)
    for (const page of pages)
      expect(page.lastSeq).toBe(page.events.map((event) => ('seq' in event ? event.seq : 0)).at(-1))
    expect(pages.map((page) => page.board.turnId)).toEqual([null, null, null, 't_1'])
  })

  it('goes on after `since` and says so when the journal is shorter', async () => {
    const session = await t.session()
    session.tell('1', '2', '3')
    const { stream, frames } = await follow()
    stream.send({ type: 'session.subscribe', sessionId: session.id, since: 2 })
    await eventually('the snapshot', () => snapshots(frames).length === 1)
    expect(seqs(frames, session.id)).toEqual([3])
    stream.send({ type: 'session.subscribe', sessionId: session.id, since: 99 })
    await eventually('the second snapshot', () => snapshots(frames).length === 2)
    expect(snapshots(frames)[1]).toMatchObject({ events: [], lastSeq: 3 })
    session.tell('4')
    await eventually('the next event', () => seqs(frames, session.id).at(-1) === 4)
  })

  it('fills what nobody told from the journal', async () => {
    const session = await t.session()
    const { stream, frames } = await follow()
    stream.send({ type: 'session.subscribe', sessionId: session.id })
    await eventually('the snapshot', () => snapshots(frames).length === 1)
    session.journalOnly('silent')
    session.tell('loud')
    await eventually('both', () => seqs(frames, session.id).length === 2)
    expect(seqs(frames, session.id)).toEqual([1, 2])
  })

  it('ends with unsubscribe, and an unknown session is an error about it', async () => {
    const session = await t.session()
    const { stream, frames } = await follow()
    stream.send({ type: 'session.subscribe', sessionId: session.id })
    await eventually('the snapshot', () => snapshots(frames).length === 1)
    stream.send({ type: 'session.unsubscribe', sessionId: session.id })
    stream.send({ type: 'session.subscribe', sessionId: 's_none' })
    await eventually('the error', () => frames.some((frame) => frame.type === 'error'))
    session.tell('unheard')
    stream.send({ type: 'sessions.subscribe' })
    await eventually('the list', () => frames.some((frame) => frame.type === 'sessions'))
    expect(seqs(frames, session.id)).toEqual([])
    expect(frames.find((frame) => frame.type === 'error')).toMatchObject({
      about: 's_none',
      error: { code: 'not_found' },
    })
  })

  it('of an ended session comes from the journal', async () => {
    const session = await t.session()
    session.tell('said')
    session.board = { turnId: 't', activity: null, items: [] }
    await t.client.kill(session.id)
    const { stream, frames } = await follow()
    stream.send({ type: 'session.subscribe', sessionId: session.id })
    stream.send({ type: 'terminal.subscribe', sessionId: session.id })
    await eventually('both answers', () => frames.length === 2)
    expect(frames.find((frame) => frame.type === 'session.snapshot')).toMatchObject({
      session: { state: 'ended' },
      board: { turnId: null, items: [] },
      lastSeq: 2,
    })
    expect(durable(frames, session.id).at(-1)).toMatchObject({ type: 'session.ended', reason: 'killed' })
    expect(frames.find((frame) => frame.type === 'error')).toMatchObject({ error: { code: 'terminal_gone' } })
  })

  it('of a starting session becomes live when it can be followed', async () => {
    const hub = await startTestHub()
    try {
      const { stream, frames } = await follow(hub)
      stream.send({ type: 'sessions.subscribe' })
      await eventually('the list', () => frames.some((frame) => frame.type === 'sessions'))
      const starting = hub.client.createSession({ vendor: 'late', cwd: '/' })
      await eventually('the starting session', () => frames.some((frame) => frame.type === 'session.info'))
      const id = hub.hub.registry.list()[0]?.id ?? ''
      stream.send({ type: 'session.subscribe', sessionId: id })
      stream.send({ type: 'terminal.subscribe', sessionId: id })
      await eventually('a first snapshot', () => snapshots(frames).length === 1)
      expect(snapshots(frames)[0]).toMatchObject({ session: { state: 'starting' } })
      hub.release()
      await starting
      hub.fakes[0]?.tell('hello')
      hub.fakes[0]?.draw('screen')
      await eventually('its first event', () => seqs(frames, id).at(-1) === 1)
      await eventually('its terminal', () => frames.some((frame) => frame.type === 'terminal.snapshot'))
    } finally {
      await hub.close()
    }
  })
})

describe('the list', () => {
  it('tells of new, changed, ended and vanished sessions', async () => {
    const { stream, frames } = await follow()
    stream.send({ type: 'sessions.subscribe' })
    await eventually('the list', () => frames.some((frame) => frame.type === 'sessions'))
    const session = await t.session()
    const states = () =>
      frames.flatMap((frame) =>
        frame.type === 'session.info' && frame.session.id === session.id ? [frame.session] : [],
      )
    await eventually('starting, then idle', () => states().some(({ state }) => state === 'idle'))
    expect(states()[0]?.state).toBe('starting')
    session.patch({ name: 'renamed' })
    await eventually('the name', () => states().at(-1)?.name === 'renamed')
    session.end()
    await eventually('the end', () => states().at(-1)?.state === 'ended')
    await expect(t.client.createSession({ vendor: 'broken', cwd: '/' })).rejects.toMatchObject({
      code: 'vendor_missing',
      hint: 'install it',
    })
    await eventually(
      'a list without the failed one',
      () => frames.filter((frame) => frame.type === 'sessions').length === 2,
    )
    const list = frames.findLast((frame) => frame.type === 'sessions')
    expect(list?.type === 'sessions' && list.sessions.every(({ vendor }) => vendor !== 'broken')).toBe(true)
  })
})

/** What a terminal shows that was fed the frames of a channel: the record from where the last snapshot stood. */
function painted(frames: readonly StreamFrame[]): { from: number; bytes: Buffer } {
  let from = 0
  let bytes = Buffer.alloc(0)
  for (const frame of frames) {
    if (frame.type === 'terminal.snapshot') {
      from = frame.offset
      bytes = Buffer.alloc(0)
    } else if (frame.type === 'terminal.data') {
      expect(frame.offset).toBe(from + bytes.length)
      bytes = Buffer.concat([bytes, frame.bytes])
    }
  }
  return { from, bytes }
}

describe('a terminal', () => {
  it('is a snapshot and then every byte of the record', async () => {
    const session = await t.session()
    session.draw('before')
    const { stream, frames } = await follow()
    stream.send({ type: 'terminal.subscribe', sessionId: session.id })
    for (let i = 0; i < 200; i += 1) {
      session.draw(`${i}\u001b[1m\n`)
      if (i % 7 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await eventually('the whole record', () => {
      const { from, bytes } = painted(frames)
      return frames.length > 0 && from + bytes.length === session.recorded
    })
    const { from, bytes } = painted(frames)
    expect(bytes).toEqual(session.record.subarray(from))
    await t.client.resize(session.id, { cols: 100, rows: 30 })
    await eventually('the size', () => frames.some((frame) => frame.type === 'terminal.resize'))
    expect(frames.findLast((frame) => frame.type === 'terminal.resize')).toMatchObject({
      cols: 100,
      rows: 30,
      channel: 1,
    })
  })

  it('takes keystrokes in order', async () => {
    const session = await t.session()
    const { stream, frames } = await follow()
    const keys = ['a', '\u001b[A', 'ß', '\r']
    for (const key of keys)
      stream.send({
        type: 'terminal.input',
        sessionId: session.id,
        data: Buffer.from(key).toString('base64'),
      })
    await eventually('all keys', () => session.typed.length === keys.length)
    expect(session.typed.map(String)).toEqual(keys)
    stream.send({ type: 'terminal.input', sessionId: session.id, data: 'not base64!' })
    await eventually('the refusal', () => frames.some((frame) => frame.type === 'error'))
    expect(session.typed).toHaveLength(keys.length)
  })
})

it('follows nothing after its clients are gone', async () => {
  const session: FakeSession = await t.session()
  const { stream, frames } = await follow()
  stream.send({ type: 'session.subscribe', sessionId: session.id })
  stream.send({ type: 'terminal.subscribe', sessionId: session.id })
  await eventually('both', () => frames.length === 2)
  const during = session.listeners
  stream.close()
  await eventually('fewer listeners', () => session.listeners === during - 3)
})
