/** A real program, recorded from its first byte: what is replayed is what was seen, and no secret is in it. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { RecordingInfo, type SessionInfo } from '../../src/protocol/session.js'
import { type Cast, castSize, readCast, Screen } from '../../src/terminal/index.js'
import type { Observer } from '../support/api.js'
import { type Bridge, startBridge } from '../support/bridge.js'
import { piSetup } from '../support/vendor-homes.js'

const SECRET = 'tok-9f8e7d6c5b4a-secret-value'
const Answer = z.object({ recording: RecordingInfo })

/** The rows that a player shows at the end. */
function played(cast: Cast): string {
  const screen = new Screen({ cols: cast.header.cols, rows: cast.header.rows })
  for (const { kind, data } of cast.events) {
    const size = kind === 'r' ? castSize(data) : null
    if (size !== null) screen.resize(size.cols, size.rows)
    if (kind === 'o') screen.write(Buffer.from(data))
  }
  const text = Array.from({ length: screen.rows }, (_, y) => screen.text(y)).join('\n')
  screen.dispose()
  return text.trimEnd()
}

describe('a recording of Pi', () => {
  let bridge: Bridge
  let session: SessionInfo
  let watch: Observer
  let env: Record<string, string> = {}
  let home = ''

  beforeAll(async () => {
    bridge = await startBridge()
    const setup = piSetup(bridge.root, bridge.model.url)
    home = setup.env.HOME ?? ''
    env = { ...setup.env, DEPLOY_TOKEN: SECRET }
    session = await bridge.api.create({ vendor: 'pi', cwd: setup.cwd, env, record: {} })
    watch = await bridge.api.observe(session.id)
  })
  afterAll(async () => {
    watch?.close()
    await bridge?.close()
  })

  const command = async (body: object) =>
    Answer.parse(await bridge.api.call('POST', `/v1/sessions/${session.id}/recording`, body)).recording
  const screen = async () => (await bridge.api.screen(session.id)).trimEnd()

  /** The screen, once it has stood still over two looks at the record's end. */
  async function settled(text: RegExp): Promise<string> {
    await expect.poll(screen, { timeout: 30_000 }).toMatch(text)
    let before = ''
    await expect
      .poll(
        async () => {
          const now = await screen()
          const same = now === before
          before = now
          return same
        },
        { timeout: 10_000, interval: 500 },
      )
      .toBe(true)
    return before
  }

  it('plays to the live screen, has the turn as markers and facts, and no secret of the environment', async () => {
    await bridge.api.send(session.id, `MEOW: text The answer is in ${home}/notes and not ${SECRET}.`)
    await watch.turnEnd()
    await watch.until('the last receipt', (e) => e.type === 'delivery' && e.state === 'completed')
    watch.type(session.id, 'a draft')
    const live = await settled(/a draft/)
    const info = await command({ action: 'stop' })
    expect(info).toMatchObject({ state: 'stopped', vendor: 'pi', vendorVersion: session.vendorVersion })
    expect(['clean', 'patched']).toContain(info.check)
    expect([statSync(info.file).mode & 0o777, statSync(info.sideFile).mode & 0o777]).toEqual([0o600, 0o600])

    const text = readFileSync(info.file, 'utf8')
    const side = readFileSync(info.sideFile, 'utf8')
    const cast = readCast(text)
    // The live screen has what was taken out; as many cells of it.
    expect(live).toContain(SECRET)
    const user = '/home/user'.padEnd(home.length, '_').slice(0, home.length)
    const seen = played(cast)
    expect(seen).toHaveLength(live.length)
    expect(seen).toContain('*'.repeat(SECRET.length))
    expect(seen.replaceAll('*'.repeat(SECRET.length), SECRET).replaceAll(user, home)).toBe(live)
    for (const hidden of [SECRET, home])
      expect([text.includes(hidden), side.includes(hidden)]).toEqual([false, false])

    const labels = cast.events.filter(({ kind }) => kind === 'm').map(({ data }) => data.split(' ')[0])
    expect(labels).toEqual(expect.arrayContaining(['state', 'delivery', 'turn.started', 'turn.completed']))
    expect(
      cast.events
        .filter(({ kind }) => kind === 'i')
        .map(({ data }) => data)
        .join(''),
    ).toBe('a draft')
    const facts = side
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(facts.map(({ observation }) => observation.type)).toEqual(
      expect.arrayContaining(['ready', 'turn.started', 'text.completed', 'turn.ended']),
    )
    expect(facts.every(({ at }, i) => at >= (facts[i - 1]?.at ?? 0))).toBe(true)
  })

  it('is exact from byte 0: the output joined is the raw record but for what was replaced', async () => {
    const [info] = z
      .object({ recordings: z.array(RecordingInfo) })
      .parse(await bridge.api.call('GET', '/v1/recordings')).recordings
    if (info === undefined) throw new Error('nothing is listed')
    const text = await (
      await fetch(`${bridge.url}/v1/recordings/${info.name}`, {
        headers: { authorization: `Bearer ${readFileSync(join(bridge.home, 'token'), 'utf8').trim()}` },
      })
    ).text()
    const raw = readFileSync(join(bridge.home, 'sessions', session.id, 'terminal.raw'), 'utf8')
    const output = readCast(text)
      .events.filter(({ kind }) => kind === 'o')
      .map(({ data }) => data)
      .join('')
    expect(output.length).toBeGreaterThan(1000)
    const same = Array.from(output).filter(
      (char, i) => char === raw[i] || '*/home/user_'.includes(char),
    ).length
    expect(same).toBe(Array.from(output).length)
  })

  it('keeps the rules of asciicast v3, as a strict player reads it', async () => {
    const [info] = z
      .object({ recordings: z.array(RecordingInfo) })
      .parse(await bridge.api.call('GET', '/v1/recordings')).recordings
    const [first = '', ...rest] = readFileSync(info?.file ?? '', 'utf8')
      .trimEnd()
      .split('\n')
    const u16 = z.number().int().min(1).max(65_535)
    expect(() =>
      z
        .object({
          version: z.literal(3),
          term: z.object({ cols: u16, rows: u16, type: z.string().optional() }),
          timestamp: z.number().int().nonnegative().optional(),
          command: z.string().optional(),
          title: z.string().optional(),
        })
        .parse(JSON.parse(first)),
    ).not.toThrow()
    expect(JSON.parse(first)).toMatchObject({
      vendor: { id: 'pi', version: session.vendorVersion },
      backend: 'tmux',
      tmux: expect.stringMatching(/^\d/),
      fromStart: true,
    })
    const event = z.tuple([z.number().nonnegative(), z.enum(['o', 'i', 'r', 'm', 'x']), z.string()])
    for (const line of rest) {
      if (line.startsWith('#')) continue
      expect(line).toMatch(/^\[\d+(\.\d{1,3})?,"/)
      event.parse(JSON.parse(line))
    }
  })

  it('begins in the middle with the screen as it is, and ends with the session, its exit last', async () => {
    const info = await command({ action: 'start' })
    const before = await screen()
    expect(info.name).toBe(`${session.id}-2`)
    await bridge.api.call('DELETE', `/v1/sessions/${session.id}`)
    const cast = readCast(readFileSync(info.file, 'utf8'))
    expect(cast.header.fromStart).toBe(false)
    const [first] = cast.events
    expect(first?.kind).toBe('o')
    expect(
      played({ ...cast, events: first === undefined ? [] : [first] }).replaceAll(
        '*'.repeat(SECRET.length),
        SECRET,
      ),
    ).toContain(before.split('\n').find((line) => line.includes('a draft')))
    expect(cast.events.at(-1)?.kind).toBe('x')
  })
})
