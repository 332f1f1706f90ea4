/** A recording read back as a conversation: what is told, its bounds, and the thread that does it. */
import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { adapter } from '../../adapters/pi/index.js'
import { type Known, REPLAY_LIMITS, replayText } from '../../src/hub/replay-job.js'
import { replayThreads } from '../../src/hub/replays.js'
import { ReplaySummary } from '../../src/protocol/api.js'
import { MeowError } from '../../src/protocol/errors.js'
import { saveRecording } from '../../src/session/recording-catalog.js'
import { castText } from '../replay/cast-text.js'
import { painterReader } from '../replay/painter.js'
import { random, record } from '../replay/recorded.js'
import { recording } from './cli-fakes.js'
import { startTestHub, TOKEN, tempFolder } from './hub-harness.js'

let folder = ''
beforeEach(() => {
  folder = tempFolder()
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const SAID = [
  { kind: 'user_message', text: 'what is in there' },
  { kind: 'tool_call', text: 'list(.)\nREADME' },
  { kind: 'assistant_message', text: 'One file, the README.' },
] as const

const { events: DRAWN } = record('ink', SAID, random(7), { resizes: false, cut: false })

const KNOWN: Known = { readers: [painterReader], adapters: [] }

async function replayed(text: string, limits = REPLAY_LIMITS, known = KNOWN) {
  const file = join(folder, 'one.cast')
  fs.writeFileSync(file, text)
  const [head = '', ...lines] = (
    await replayText({ name: 'one', file, sideFile: `${file}.side` }, known, limits)
  )
    .trimEnd()
    .split('\n')
  return {
    summary: ReplaySummary.parse(JSON.parse(head)),
    events: lines.map((line) => JSON.parse(line) as { t: number; type: string; item?: { text?: string } }),
  }
}

describe('a replay', () => {
  it('tells the conversation, with the time of each event', async () => {
    const { summary, events } = await replayed(castText(DRAWN))
    expect(summary).toEqual({
      recording: 'one',
      vendor: 'painter',
      vendorVersion: '1.0',
      told: 'screen',
      events: events.length,
      complete: true,
      detail: null,
    })
    const done = events.filter(({ type }) => type === 'item.completed')
    expect(done.map(({ item }) => item?.text)).toEqual([
      'what is in there',
      undefined,
      'One file, the README.',
    ])
    const times = events.map(({ t }) => t)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times[0]).toBeGreaterThanOrEqual(0)
    expect(times.at(-1)).toBeGreaterThan(1)
  })

  it.each([
    [castText(DRAWN, { vendor: 'stranger' }), 'nothing here reads the screens of stranger'],
    [castText(DRAWN, { vendor: null }), 'does not say whose program'],
    ['no cast at all', 'line 1 of the recording'],
  ])('that is not possible has no events and says why', async (text, why) => {
    const { summary, events } = await replayed(text)
    expect(events).toEqual([])
    expect(summary.complete).toBe(false)
    expect(summary.detail).toContain(why)
  })

  it.each([
    [{ events: 3 }, 'more than 3 events'],
    [{ chars: 500 }, 'of text'],
    [{ ms: -1 }, 'would take too long'],
    [{ fileBytes: 2000 }, 'only its first'],
  ])('is bounded by %j, and keeps what it had', async (limit, why) => {
    const whole = await replayed(castText(DRAWN))
    const { summary, events } = await replayed(castText(DRAWN), { ...REPLAY_LIMITS, ...limit })
    expect(summary).toMatchObject({ complete: false, events: events.length })
    expect(summary.detail).toContain(why)
    expect(events.length).toBeLessThan(whole.events.length)
    if (!('fileBytes' in limit)) expect(whole.events.slice(0, events.length)).toEqual(events)
  })

  describe('with what the side channels told', () => {
    const told = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const facts = told(
      { at: 100, observation: { type: 'turn.started', source: 'rpc' } },
      { at: 150, observation: { type: 'user.message', source: 'rpc', key: 'u', text: 'said aside' } },
      {
        at: 900,
        observation: {
          type: 'text.completed',
          source: 'rpc',
          key: 'a',
          kind: 'assistant_message',
          text: 'told aside',
        },
      },
    )
    const cast = castText(DRAWN, { vendor: 'pi' })
    const pi: Known = { readers: [adapter], adapters: [adapter] }
    const aside = async (side: string | null, known: Known = pi) => {
      const sideFile = join(folder, 'one.cast.side')
      if (side !== null) fs.writeFileSync(sideFile, side)
      const { summary, events } = await replayed(cast, REPLAY_LIMITS, known)
      const texts = events.flatMap(({ type, item }) => (type === 'item.completed' ? [item?.text] : []))
      return { summary, texts }
    }

    it('tells that; the screen where there was nothing, or nobody understands it', async () => {
      const { summary, texts } = await aside(facts)
      expect(summary).toMatchObject({ told: 'side_channels', complete: true })
      expect(texts).toEqual(['said aside', 'told aside'])
      const alone = await aside(facts, { ...pi, adapters: [] })
      expect(alone.summary).toMatchObject({ told: 'screen', complete: true })
      expect(alone.texts).not.toContain('told aside')
      expect((await aside('')).summary).toMatchObject({ told: 'screen', complete: true })
    })

    it('says when they cannot be read', async () => {
      expect((await aside(null)).summary).toMatchObject({ told: 'screen', complete: true })
      const { summary } = await aside('nonsense\n{}\n')
      expect(summary).toMatchObject({ told: 'screen', complete: false })
      expect(summary.detail).toContain('line 1 of the side-channel log')
    })
  })

  it('counts the time of reading the file, too', async () => {
    let now = 1000
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    const slow: Known = {
      adapters: [],
      // Asked for once the file was read.
      get readers() {
        now += REPLAY_LIMITS.ms + 1
        return [painterReader]
      },
    }
    try {
      const { summary } = await replayed(castText(DRAWN), REPLAY_LIMITS, slow)
      expect(summary.detail).toContain('would take too long')
    } finally {
      clock.mockRestore()
    }
  })

  it('reads no pipe and no folder in the place of the file', async () => {
    const pipe = join(folder, 'pipe.cast')
    execFileSync('mkfifo', [pipe])
    const writer = spawn('sh', ['-c', 'printf %s "$2" > "$1"', 'sh', pipe, castText(DRAWN)])
    try {
      for (const file of [pipe, folder]) {
        const read = replayText({ name: 'x', file, sideFile: `${pipe}.side` }, KNOWN)
        await expect(read).rejects.toMatchObject({
          code: 'not_found',
          detail: expect.stringContaining('no file'),
        })
      }
    } finally {
      writer.kill()
    }
  })

  it('follows no link, and says when the file is gone', async () => {
    const file = join(folder, 'link.cast')
    fs.symlinkSync('/etc/hostname', file)
    await expect(replayText({ name: 'x', file, sideFile: file }, KNOWN)).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(replayText({ name: 'x', file: `${file}.no`, sideFile: file }, KNOWN)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('its thread', () => {
  const program = (code: string) => {
    const entry = join(folder, 'thread.mjs')
    fs.writeFileSync(entry, `import { parentPort, workerData } from 'node:worker_threads'\n${code}`)
    return entry
  }
  const job = { name: 'one', file: '/x.cast', sideFile: '/x.side.jsonl' }
  const never = new AbortController().signal

  it('answers with its text or its error', async () => {
    const echo = replayThreads({
      entry: program('parentPort.postMessage({ text: JSON.stringify(workerData) })'),
    })
    expect(JSON.parse(await echo(job, never))).toEqual(job)
    const error = new MeowError('not_found', 'gone', { hint: 'look' }).toJSON()
    const refuse = replayThreads({
      entry: program(`parentPort.postMessage({ error: ${JSON.stringify(error)} })`),
    })
    await expect(refuse(job, never)).rejects.toMatchObject({
      code: 'not_found',
      detail: 'gone',
      hint: 'look',
    })
  })

  it.each([
    ['throws', 'throw new Error("broken")', 'broken'],
    ['ends without a word', '', 'its thread ended'],
    ['eats all memory', 'const all = []; for (;;) all.push(new Array(1e5).fill(all.length))', 'memory'],
  ])('that %s is an error, and costs nobody else anything', async (_, code, why) => {
    const replay = replayThreads({ entry: program(code), heapMb: 32 })
    await expect(replay(job, never)).rejects.toMatchObject({
      code: 'internal',
      detail: expect.stringContaining(why),
    })
    const entry = program('parentPort.postMessage({ text: "fine" })')
    expect(await replayThreads({ entry })(job, never)).toBe('fine')
  })

  it('that never ends is ended: by its bound, or when nobody waits any more', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length
    const before = ports()
    const forever = program('for (;;);')
    await expect(replayThreads({ entry: forever, ms: 300 })(job, never)).rejects.toMatchObject({
      code: 'timeout',
    })
    const caller = new AbortController()
    const running = replayThreads({ entry: forever })(job, caller.signal)
    caller.abort(new Error('gone'))
    await expect(running).rejects.toThrow('gone')
    expect(ports()).toBe(before)
  })

  it('is one at a time; too many that wait are turned away', async () => {
    const order = join(folder, 'order')
    const entry = program(`import { appendFileSync } from 'node:fs'
      appendFileSync(${JSON.stringify(order)}, 'b' + workerData.name)
      setTimeout(() => { appendFileSync(${JSON.stringify(order)}, 'e'); parentPort.postMessage({ text: '' }) }, 20)`)
    const replay = replayThreads({ entry, waiting: 2 })
    const all = ['1', '2', '3', '4'].map((name) => replay({ ...job, name }, never))
    await expect(all[3]).rejects.toMatchObject({ code: 'conflict', retryable: true })
    await Promise.all(all.slice(0, 3))
    expect(fs.readFileSync(order, 'utf8')).toBe('b1eb2eb3e')
    await expect(replay(job, never)).resolves.toBe('')
  })
})

describe('the route', () => {
  it('gives it as JSON lines, of listed recordings only; a hub without readers says so', async () => {
    const asked: unknown[] = []
    const hub = await startTestHub({
      replay: async (job) => {
        asked.push(job)
        return '{"a":1}\n'
      },
    })
    try {
      fs.mkdirSync(join(hub.home, 'recordings'))
      const info = recording({ file: join(hub.home, 'one.cast') })
      saveRecording(join(hub.home, 'recordings'), info)
      saveRecording(join(hub.home, 'recordings'), { ...info, name: 's_2-1', check: 'refused' })
      const answer = await fetch(`${hub.hub.url}/v1/recordings/${info.name}/events`, {
        headers: { authorization: `Bearer ${TOKEN}` },
      })
      expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
        'application/jsonl; charset=utf-8',
        '{"a":1}\n',
      ])
      await expect(hub.client.recordingEvents('s_2-1')).rejects.toMatchObject({ code: 'forbidden' })
      await expect(hub.client.recordingEvents('none')).rejects.toMatchObject({ code: 'not_found' })
      expect(asked).toEqual([{ name: info.name, file: info.file, sideFile: info.sideFile }])
    } finally {
      await hub.close()
    }
    const plain = await startTestHub()
    fs.mkdirSync(join(plain.home, 'recordings'))
    saveRecording(join(plain.home, 'recordings'), recording())
    await expect(plain.client.recordingEvents('s_1111-1')).rejects.toMatchObject({ code: 'unsupported' })
    await plain.close()
  })
})
