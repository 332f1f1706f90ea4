import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PiLink } from '../../adapters/pi/extension-link.js'
import { PiMapper } from '../../adapters/pi/mapper.js'
import { PiChannel } from '../../adapters/pi/sources.js'
import type { PiFact } from '../../adapters/pi/wire.js'
import type { HostProbe, Observation, SourceContext } from '../../src/adapter/index.js'
import { Waiting } from '../support/waiting.js'

const TOKEN = 'a-token'
const INSTANCE = 'abcd0123'
const WAIT = { timeout: 10_000 }
const probe: HostProbe = { env: {}, readFile: () => null, exists: () => false }

let folder = ''
const cleanups: (() => unknown)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pi-'))
})
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
  rmSync(folder, { recursive: true, force: true })
})

/** Observations as they come, and a wait for the n-th. */
class Heard {
  readonly all: Observation[] = []
  private readonly waiting = new Waiting()

  push(o: Observation): void {
    this.all.push(o)
    this.waiting.look()
  }

  until(holds: () => boolean, ms = 10_000): Promise<void> {
    return this.waiting.until('what was to be heard', holds, ms, () => JSON.stringify(this.all.slice(-3)))
  }

  gaps(): string[] {
    return this.all.flatMap((o) => (o.type === 'gap' ? [o.detail] : []))
  }
}

function context(heard: Heard, signal = new AbortController().signal, resumed = false): SourceContext {
  return {
    emit: (o) => heard.push(o),
    pid: Promise.resolve(1),
    onHook: () => {},
    probe,
    signal,
    resumed,
  }
}

async function channel(heard: Heard, socket = join(folder, 's'), resumed = false): Promise<PiChannel> {
  const made = new PiChannel(socket, TOKEN)
  await made.start(context(heard, undefined, resumed))
  cleanups.push(() => made.stop())
  return made
}

interface LinkExtras {
  firstRetryMs?: number
  maxRetryMs?: number
  onConnected?: () => void
  path?: string
  token?: string
  maxBytes?: number
  onCall?: (method: string, params: unknown) => Promise<unknown>
}

function link(extras: LinkExtras = {}): PiLink {
  const made = new PiLink({
    path: join(folder, 's'),
    token: TOKEN,
    instance: INSTANCE,
    piVersion: '1.6.0',
    onCall: async () => null,
    firstRetryMs: 1,
    maxRetryMs: 4,
    ...extras,
  })
  cleanups.push(() => made.stop())
  return made
}

/** A line between two sockets that breaks after so many bytes, mid-line as it comes. */
async function brittle(to: string, at: string, breaks: number[]): Promise<{ server: Server; cut(): void }> {
  const pairs = new Set<() => void>()
  const server = createServer((near) => {
    const far = connect(to)
    const end = (): void => {
      pairs.delete(end)
      near.destroy()
      far.destroy()
    }
    pairs.add(end)
    let left = breaks.shift() ?? Number.POSITIVE_INFINITY
    const carry = (target: Socket) => (chunk: Buffer) => {
      const part = chunk.subarray(0, Math.min(chunk.length, left))
      left -= part.length
      target.write(part)
      if (left <= 0) target.end(end)
    }
    near.on('data', carry(far))
    far.on('data', carry(near))
    for (const s of [near, far]) {
      s.on('error', end)
      s.on('close', end)
    }
  })
  await new Promise<void>((resolve) => server.listen(at, resolve))
  cleanups.push(() => {
    for (const end of [...pairs]) end()
    return new Promise((resolve) => server.close(resolve))
  })
  return { server, cut: () => [...pairs].forEach((end) => void end()) }
}

/** Facts of messages with one block each, as the extension would number them. */
function conversation(texts: readonly string[][]): PiFact[] {
  return texts.flatMap((deltas, i): PiFact[] => {
    let at = 0
    const live = deltas.map((delta): PiFact => {
      const fact = { ev: 'delta', m: i + 1, c: 0, kind: 'text', at, delta } as const
      at += delta.length
      return fact
    })
    const blocks = [{ c: 0, kind: 'text', text: deltas.join('') } as const]
    return [
      ...live,
      { ev: 'assistant', m: i + 1, blocks, stop: 'stop', error: null, model: 'm', usage: null },
    ]
  })
}

function expected(facts: readonly PiFact[]): Observation[] {
  const mapper = new PiMapper()
  return facts.flatMap((f, i) => mapper.map({ n: i + 1, ...f }, INSTANCE))
}

describe('pi link', () => {
  it('tells each fact once and in order through broken connections', async () => {
    const delta = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    const texts = fc.array(fc.array(delta, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 12 })
    const breaks = fc.array(fc.integer({ min: 1, max: 1500 }), { maxLength: 12 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(texts, breaks, async (spoken, cuts) => {
        run += 1
        const inner = join(folder, `i${run}`)
        const outer = join(folder, `o${run}`)
        const heard = new Heard()
        const bridge = await channel(heard, inner)
        await brittle(inner, outer, [...cuts])
        const pi = link({ path: outer })
        pi.start()
        const facts = conversation(spoken)
        for (const fact of facts) pi.push(fact)
        const last = facts.at(-1)
        await heard.until(() =>
          heard.all.some(
            (o) => o.type === 'text.completed' && last?.ev === 'assistant' && o.key.endsWith(`.m${last.m}.0`),
          ),
        )
        await pi.flush(5000)
        pi.stop()
        await bridge.stop()
        const told = heard.all.filter((o) => o.type !== 'vendor.version')
        expect(told).toEqual(expected(facts))
        expect(heard.all.filter((o) => o.type === 'vendor.version')).toHaveLength(1)
      }),
      { numRuns: 40 },
    )
  })

  it('listens in private and turns away a wrong token without disturbing the right one', async () => {
    const heard = new Heard()
    const bridge = await channel(heard)
    expect(statSync(join(folder, 's')).mode & 0o777).toBe(0o600)
    const pi = link({ onCall: async () => 'here' })
    pi.start()
    expect(await bridge.call('state', {})).toBe('here')
    const stranger = connect(join(folder, 's'))
    stranger.write(`${JSON.stringify({ hello: 1, token: 'guess', instance: 'zzz', pid: 1 })}\n`)
    stranger.write(`${JSON.stringify({ n: 1, ev: 'model', model: 'forged' })}\n`)
    await new Promise((resolve) => stranger.on('close', resolve))
    expect(await bridge.call('state', {})).toBe('here')
    expect(heard.all.map((o) => o.type)).toEqual(['vendor.version'])
  })

  it('lets a second good connection replace the first', async () => {
    const heard = new Heard()
    await channel(heard)
    const hello = `${JSON.stringify({ hello: 1, token: TOKEN, instance: INSTANCE, pid: 1, piVersion: null })}\n`
    const first = connect(join(folder, 's'))
    first.write(hello)
    await new Promise((resolve) => first.once('data', resolve))
    const closed = new Promise((resolve) => first.once('close', resolve))
    const second = connect(join(folder, 's'))
    cleanups.push(() => second.destroy())
    second.write(hello)
    await closed
    second.write(`${JSON.stringify({ n: 1, ev: 'model', model: 'p/m' })}\n`)
    await heard.until(() => heard.all.length === 1)
    expect(heard.all[0]).toMatchObject({ type: 'model', model: 'p/m' })
  })

  it('reports unreadable lines and holes, and goes on', async () => {
    const heard = new Heard()
    await channel(heard)
    const raw = connect(join(folder, 's'))
    cleanups.push(() => raw.destroy())
    raw.write(`${JSON.stringify({ hello: 1, token: TOKEN, instance: INSTANCE, pid: 1, piVersion: null })}\n`)
    raw.write('{nonsense\n[]\n')
    raw.write(`${JSON.stringify({ n: 3, ev: 'model', model: 'p/m' })}\n`)
    await heard.until(() => heard.all.some((o) => o.type === 'model'))
    expect(heard.gaps()).toEqual([
      'a line from Pi cannot be read',
      'a line from Pi cannot be read',
      'facts 1 to 2 never came',
    ])
  })

  it('closes a connection whose line has no end', async () => {
    const heard = new Heard()
    await channel(heard)
    const raw = connect(join(folder, 's'))
    raw.on('error', () => {})
    const closed = new Promise((resolve) => raw.once('close', resolve))
    raw.write('x'.repeat(20_000))
    await closed
    expect(heard.all).toEqual([])
  })

  it('runs a call once although its answer was lost with the connection', async () => {
    const heard = new Heard()
    const bridge = await channel(heard)
    const line = await brittle(join(folder, 's'), join(folder, 'o'), [])
    let runs = 0
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const pi = link({
      path: join(folder, 'o'),
      onCall: async () => {
        runs += 1
        line.cut()
        await held
        return runs
      },
    })
    pi.start()
    const answer = bridge.call('send', { text: 'x' })
    pi.push({ ev: 'model', model: 'p/m' })
    await heard.until(() => heard.all.some((o) => o.type === 'model'))
    release()
    expect(await answer).toBe(1)
    expect(runs).toBe(1)
  })

  it('fails a call that Pi refuses, with its words', async () => {
    const bridge = await channel(new Heard())
    link({ onCall: () => Promise.reject(new Error('Pi has no model selected')) }).start()
    await expect(bridge.call('send', { text: 'x' })).rejects.toMatchObject({
      code: 'delivery_failed',
      detail: 'Pi: Pi has no model selected',
    })
  })

  it('gives up live facts first when the bridge stays away too long, and says so', async () => {
    const pi = link({ maxBytes: 20_000 })
    const facts = conversation([Array.from({ length: 400 }, (_, i) => `${i} `), ['end']])
    for (const fact of facts) pi.push(fact)
    const heard = new Heard()
    await channel(heard)
    pi.start()
    await heard.until(() => heard.all.some((o) => o.type === 'text.completed' && o.text === 'end'))
    expect(heard.gaps()).toHaveLength(1)
    expect(heard.gaps()[0]).toMatch(/^\d+ facts were given up while the bridge did not take them$/)
    const completed = heard.all.filter((o) => o.type === 'text.completed')
    expect(completed).toEqual(expected(facts).filter((o) => o.type === 'text.completed'))
    // What remains of a block with a hole is not shown as if it continued.
    const deltas = heard.all.flatMap((o) => (o.type === 'text.delta' ? [o.delta] : []))
    expect(deltas.join('')).toBe('end')
  })

  it('does not take for lost what the bridge has, although it was given up before the acknowledgement', async () => {
    const welcomes = [0, 12, 30]
    const heard: string[][] = []
    const near = new Set<Socket>()
    const server = createServer((socket) => {
      const lines: string[] = []
      heard.push(lines)
      near.add(socket)
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        if (lines.length === 0) socket.write(`${JSON.stringify({ welcome: { seen: welcomes.shift() } })}\n`)
        const told = chunk.toString('utf8').trimEnd().split('\n')
        lines.push(...told.filter((line) => !line.startsWith('{"upto"')))
      })
    })
    await new Promise<void>((resolve) => server.listen(join(folder, 's'), resolve))
    cleanups.push(() => {
      for (const socket of near) socket.destroy()
      return new Promise((resolve) => server.close(resolve))
    })
    const pi = link({ maxBytes: 2000 })
    pi.start()
    await expect.poll(() => heard[0]?.length, WAIT).toBe(1)
    for (let i = 1; i <= 20; i++) pi.push({ ev: 'model', model: `${i}${'x'.repeat(180)}` })
    await expect.poll(() => heard[0]?.length, WAIT).toBe(21)
    const cut = (): void => [...near].forEach((socket) => void socket.destroy())
    cut()
    // 13 and what followed never came: those that are held are sent again, the others are lost.
    await expect.poll(() => heard[1]?.at(-1), WAIT).toContain('"n":20')
    const again = heard[1]?.slice(1) ?? []
    expect(JSON.parse(again[0] ?? '')).toEqual({ lost: 8 - (again.length - 1) })
    for (let i = 21; i <= 30; i++) pi.push({ ev: 'model', model: `${i}${'x'.repeat(180)}` })
    await expect.poll(() => heard[1]?.at(-1), WAIT).toContain('"n":30')
    cut()
    await expect.poll(() => heard.length, WAIT).toBe(3)
    pi.push({ ev: 'model', model: 'last' })
    await expect.poll(() => heard[2]?.at(-1), WAIT).toContain('last')
    expect(heard[2]?.filter((line) => line.includes('"lost"'))).toEqual([])
  })
})

describe('pi channel that comes back', () => {
  const standing: PiFact = { ev: 'state', idle: true, prompt: null, file: null }
  const named = (heard: Heard) => heard.all.flatMap((o) => (o.type === 'model' ? [o.model] : []))
  const model = (name: string): PiFact => ({ ev: 'model', model: name })

  it('is found again at once, hears what the first one had not and nothing twice, and then where Pi stands', async () => {
    const socket = join(folder, 's')
    // The pause between tries is longer than the test: only the watch on the folder brings Pi back.
    const pi = link({ firstRetryMs: 60_000, maxRetryMs: 60_000, onConnected: () => pi.push(standing) })
    const first = new Heard()
    const before = await channel(first, socket)
    pi.start()
    pi.push(model('a'))
    await pi.flush(10_000)
    await before.stop()
    expect(named(first)).toEqual(['a'])
    expect(first.all.map((o) => o.type)).not.toContain('caught_up')
    pi.push(model('b'))
    pi.push(model('c'))
    const second = new Heard()
    await channel(second, socket, true)
    await second.until(() => second.all.some((o) => o.type === 'caught_up'))
    expect(second.all.map((o) => o.type)).toEqual(['vendor.version', 'model', 'model', 'state', 'caught_up'])
    expect(named(second)).toEqual(['b', 'c'])
    pi.push(model('d'))
    await second.until(() => named(second).length === 3)
    expect(second.all.filter((o) => o.type === 'caught_up')).toHaveLength(1)
  })

  it('has caught up only behind a standing of this connection, not one that was held from before', async () => {
    const pi = link({ onConnected: () => pi.push(standing) })
    pi.push(standing)
    pi.push(model('late'))
    const heard = new Heard()
    await channel(heard, join(folder, 's'), true)
    pi.start()
    await heard.until(() => heard.all.some((o) => o.type === 'caught_up'))
    expect(heard.all.map((o) => o.type).slice(1)).toEqual(['state', 'model', 'state', 'caught_up'])
  })

  it('has not caught up while more waits than a socket takes at once', async () => {
    const pi = link({ onConnected: () => pi.push(standing) })
    for (let i = 0; i < 40; i++) pi.push(model(`${i}${'x'.repeat(100_000)}`))
    const heard = new Heard()
    await channel(heard, join(folder, 's'), true)
    pi.start()
    await heard.until(() => heard.all.length === 43)
    expect(heard.all.slice(-2).map((o) => o.type)).toEqual(['state', 'caught_up'])
    expect(heard.gaps()).toEqual([])
  })

  it('says that facts were given up while nobody was there, and still of a hole behind them', async () => {
    const pi = link({ maxBytes: 2000, onConnected: () => pi.push(standing) })
    for (let i = 0; i < 30; i++) pi.push(model(`${i}${'x'.repeat(180)}`))
    const heard = new Heard()
    await channel(heard, join(folder, 's'), true)
    pi.start()
    await heard.until(() => heard.all.some((o) => o.type === 'caught_up'))
    const kept = named(heard).length
    expect(kept).toBeLessThan(12)
    expect(heard.gaps()).toEqual([`${30 - kept} facts were given up while the bridge did not take them`])
    pi.stop()
    const raw = connect(join(folder, 's'))
    cleanups.push(() => raw.destroy())
    raw.write(`${JSON.stringify({ hello: 1, token: TOKEN, instance: INSTANCE, pid: 1, piVersion: null })}\n`)
    raw.write(fact(40, 'late'))
    await heard.until(() => named(heard).includes('late'))
    expect(heard.gaps()).toHaveLength(2)
  })
})

/** A Pi that dies with `count` facts still in the socket; by then the bridge has read none of them. */
async function dying(count: number): Promise<void> {
  const raw = connect(join(folder, 's'))
  raw.on('error', () => {})
  raw.write(`${JSON.stringify({ hello: 1, token: TOKEN, instance: INSTANCE, pid: 1, piVersion: null })}\n`)
  await new Promise((resolve) => raw.once('data', resolve))
  const lines = Array.from({ length: count }, (_, i) => fact(i + 1, 'x'.repeat(1000)))
  raw.write(lines.join(''))
  expect(raw.writableLength).toBe(0)
  raw.destroy()
}

function fact(n: number, model: string): string {
  return `${JSON.stringify({ n, ev: 'model', model })}\n`
}

describe('pi channel at the end of Pi', () => {
  const models = (heard: Heard) => heard.all.filter((o) => o.type === 'model').length

  it('reads what a dead Pi left in the socket before it stops, and stops once', async () => {
    const heard = new Heard()
    const gone = new AbortController()
    const made = new PiChannel(join(folder, 's'), TOKEN)
    await made.start(context(heard, gone.signal))
    await dying(120)
    // As the session does: the signal first, then the channels.
    gone.abort()
    await Promise.all([made.stop(), made.stop()])
    expect(models(heard)).toBe(120)
    expect(heard.gaps()).toEqual([])
    await made.stop()
    await expect(made.call('state', {})).rejects.toMatchObject({ code: 'conflict' })
  })

  it('does not lose them to its own acknowledgement either', async () => {
    const heard = new Heard()
    await channel(heard)
    await dying(120)
    await heard.until(() => models(heard) === 120)
  })

  it('stops in bounded time beside a Pi that lives on and keeps its side open', async () => {
    const heard = new Heard()
    const bridge = await channel(heard)
    const raw = connect({ path: join(folder, 's'), allowHalfOpen: true })
    cleanups.push(() => raw.destroy())
    raw.on('error', () => {})
    raw.write(`${JSON.stringify({ hello: 1, token: TOKEN, instance: INSTANCE, pid: 1, piVersion: null })}\n`)
    await new Promise((resolve) => raw.once('data', resolve))
    const from = performance.now()
    raw.write(fact(1, 'one'))
    await bridge.stop()
    expect(performance.now() - from).toBeLessThan(4000)
    expect(models(heard)).toBe(1)
  })

  it('tells once that facts cannot be told, whatever fails, and goes on', async () => {
    const heard = new Heard()
    let full = true
    const made = new PiChannel(join(folder, 's'), TOKEN)
    cleanups.push(() => made.stop())
    await made.start({
      ...context(heard),
      emit: (o) => {
        if (full && o.type !== 'gap') throw new Error('ENOSPC')
        heard.push(o)
      },
    })
    const pi = link()
    pi.start()
    for (const model of ['a', 'b', 'c']) pi.push({ ev: 'model', model })
    await pi.flush(10_000)
    full = false
    pi.push({ ev: 'model', model: 'd' })
    await heard.until(() => models(heard) === 1)
    expect(heard.gaps()).toEqual(['hello could not be told: Error: ENOSPC'])
  })
})
