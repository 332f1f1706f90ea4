/** @module test/unit/hub-feed.test - feeds at every moment at which a client may fall behind and catch up. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Registry } from '../../src/hub/registry.js'
import type { Feed, Outbox } from '../../src/hub/stream/outbox.js'
import { SessionFeed } from '../../src/hub/stream/session-feed.js'
import { TerminalFeed } from '../../src/hub/stream/terminal-feed.js'
import { openJournal } from '../../src/journal/sqlite-journal.js'
import { CreateSession } from '../../src/protocol/commands.js'
import { isLive } from '../../src/protocol/events.js'
import { countingIds } from '../../src/protocol/ids.js'
import { decodeTerminalFrame, type ServerFrame } from '../../src/protocol/stream.js'
import { type FakeSession, fakeLauncher } from './hub-fake-session.js'

/** An outbox that is full, and has room again, when the test says so. */
class ScriptedOutbox implements Outbox {
  full = false
  readonly frames: ServerFrame[] = []
  readonly bytes: Uint8Array[] = []
  readonly waiting = new Set<Feed>()

  send(frame: ServerFrame): void {
    this.frames.push(frame)
  }

  sendBytes(bytes: Uint8Array): void {
    this.bytes.push(bytes)
  }

  later(feed: Feed): void {
    this.waiting.add(feed)
  }

  fail(_about: string | null, error: Error): void {
    throw error
  }

  drain(): void {
    for (const feed of [...this.waiting]) {
      this.waiting.delete(feed)
      feed.resume()
    }
  }
}

async function start() {
  const journal = openJournal(':memory:')
  const { launch, sessions } = fakeLauncher()
  const registry = new Registry({
    journal,
    launch,
    hostFor: () => Promise.reject(new Error('no terminals here')),
    home: '/',
    socketDir: '/',
    env: {},
    hookUrl: () => '',
    newId: countingIds(),
    now: () => 1,
    log: () => undefined,
  })
  await registry.create(CreateSession.parse({ vendor: 'fake', cwd: '/' }))
  return { journal, registry, session: sessions[0] as FakeSession }
}

type Step = 'tell' | 'live' | 'silent' | 'full' | 'room' | 'drain' | 'draw'
const steps = fc.array(
  fc.constantFrom<Step>('tell', 'tell', 'live', 'silent', 'full', 'room', 'drain', 'drain', 'draw', 'draw'),
  { maxLength: 60 },
)

function act(step: Step, session: FakeSession, out: ScriptedOutbox, n: number): void {
  if (step === 'tell') session.tell(`${n}`, { delta: 'x' }, 'and another')
  else if (step === 'live') session.tell({ delta: 'x' })
  else if (step === 'silent') session.journalOnly(`${n}`)
  else if (step === 'draw') session.draw(`<${n}>`)
  else if (step === 'full') out.full = true
  else if (step === 'room') out.full = false
  else out.drain()
}

it('a session comes whole and in order, begins with a snapshot, and ends with one that is current', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(3), async (script, early) => {
      const { journal, registry, session } = await start()
      for (let i = 0; i < early; i += 1) session.tell(`early ${i}`)
      const out = new ScriptedOutbox()
      const feed = new SessionFeed(out, registry, session.id, 0)
      out.later(feed)
      script.forEach((step, n) => {
        const before = out.frames.length
        const wasFull = out.full
        act(step, session, out, n)
        if (wasFull && step !== 'drain') expect(out.frames).toHaveLength(before)
      })
      out.full = false
      while (out.waiting.size > 0) out.drain()
      session.tell('last')
      while (out.waiting.size > 0) out.drain()
      expect(out.frames[0]?.type).toBe('session.snapshot')
      const told = out.frames.flatMap((frame) => ('events' in frame ? frame.events : []))
      expect(told.filter((event) => !isLive(event))).toEqual(journal.read(session.id, 0))
      feed.dispose()
      session.tell('unheard')
      expect(out.frames.flatMap((frame) => ('events' in frame ? frame.events : []))).toHaveLength(told.length)
      journal.close()
    }),
    { numRuns: 150 },
  )
})

it('a terminal is never fed a byte twice, nor one after a hole', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const { journal, session } = await start()
      const out = new ScriptedOutbox()
      const feed = new TerminalFeed(out, session.id, 7, session)
      out.later(feed)
      let at: number | null = null
      let frames = 0
      let pieces = 0
      script.concat('room', 'drain', 'draw').forEach((step, n) => {
        act(step, session, out, n)
        for (const frame of out.frames.slice(frames))
          if (frame.type === 'terminal.snapshot') at = frame.offset
        for (const bytes of out.bytes.slice(pieces)) {
          const piece = decodeTerminalFrame(bytes)
          expect([piece?.channel, piece?.offset]).toEqual([7, at])
          const end = (piece?.offset ?? 0) + (piece?.bytes.length ?? 0)
          expect(Buffer.from(piece?.bytes ?? [])).toEqual(session.record.subarray(piece?.offset, end))
          at = end
        }
        frames = out.frames.length
        pieces = out.bytes.length
      })
      out.drain()
      expect(out.frames.findLast((frame) => frame.type === 'terminal.snapshot')).toBeDefined()
      feed.dispose()
      journal.close()
    }),
    { numRuns: 150 },
  )
})

it('a terminal takes what is new of bytes that it has in part, and a new snapshot where some are missing', async () => {
  const { journal, session } = await start()
  const out = new ScriptedOutbox()
  session.draw('0123456789')
  const feed = new TerminalFeed(out, session.id, 1, session)
  feed.resume()
  session.tellBytes('0123', 0)
  session.tellBytes('789AB', 7)
  const [piece] = out.bytes.map(decodeTerminalFrame)
  expect([piece?.offset, Buffer.from(piece?.bytes ?? []).toString()]).toEqual([10, 'AB'])
  expect(out.waiting.size).toBe(0)
  session.tellBytes('EF', 14)
  expect([out.bytes.length, out.waiting.size]).toEqual([1, 1])
  out.drain()
  expect(out.frames.filter((frame) => frame.type === 'terminal.snapshot')).toHaveLength(2)
  feed.dispose()
  journal.close()
})
