/** `agent-meow fixture`, on recordings of a painter. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CONVERSATION, cast, events, folderOf, items, meow, put, textOf } from './cli-recordings.js'

describe('fixture add', () => {
  const add = ['fixture', 'add', 'a.cast', '--vendor', 'painter', '--version', '1.2', '--name', 'boat']
  const folder = () => join(folderOf(), 'fixtures', 'painter', '1.2', 'boat')

  it('keeps the recording, its truth, and the events without what is numbered anew', async () => {
    put('a.cast', textOf(cast))
    put('truth.json', JSON.stringify({ items: [] }))
    const { code, out } = await meow([...add, '--truth', 'truth.json'])
    expect([code, out]).toEqual([0, 'fixtures/painter/1.2/boat\n'])
    expect(readdirSync(folder()).toSorted()).toEqual(['expected.jsonl', 'session.cast', 'truth.json'])
    const expected = readFileSync(join(folder(), 'expected.jsonl'), 'utf8')
    expect(items(expected)).toEqual(CONVERSATION)
    expect(expected).not.toMatch(/"(itemId|turnId|callId)"|item\.delta/)
    for (const { t } of events(expected)) expect(Math.round(t * 100) / 100).toBe(t)
  })

  it('refuses to write over one, until told to; its truth stays', async () => {
    put('a.cast', textOf(cast))
    put('truth.json', JSON.stringify({ items: [] }))
    await meow([...add, '--truth', 'truth.json'])
    const again = await meow(add)
    expect(again.code).toBe(1)
    expect(again.err).toMatch(/already\nhint: .*--force/)
    expect((await meow([...add, '--force'])).code).toBe(0)
    expect(readdirSync(folder())).toContain('truth.json')
  })

  it("takes vendor and version from our own header, and the side channels' log with it", async () => {
    put(
      'a.cast',
      textOf({ events: [{ at: 0, kind: 'o', data: 'x' }] }, { vendor: { id: 'pi', version: '1.6.0' } }),
    )
    put('a.side.jsonl', `${JSON.stringify({ at: 5, observation: { source: 'rpc', type: 'ready' } })}\n`)
    const { code, out } = await meow(['fixture', 'add', 'a.cast', '--name', 'start', '--json'])
    expect(code).toBe(0)
    const made = JSON.parse(out).folder
    expect(made).toBe(join(folderOf(), 'fixtures/pi/1.6.0/start'))
    expect(readdirSync(made)).toContain('side.jsonl')
    expect(readFileSync(join(made, 'expected.side.jsonl'), 'utf8')).toContain('"rule":"session.ready"')
    // The log is found again beside the fixture's cast.
    expect(events((await meow(['replay', join(made, 'session.cast'), '--json'])).out)[0]?.source).toBe(
      'bridge',
    )
  })

  const head = JSON.stringify({ version: 2, width: 80, height: 24, redacted: ['sk-'] })
  it.each([
    ['half a line', () => `${textOf(cast)}[9.5, "o", "half`, 'in the middle of a line'],
    ['no last line of ours', () => `${head}\n[0, "o", "x"]\n`, 'was not closed'],
    [
      'its greatest size',
      () => `${head}\n[0, "o", "x"]\n[1, "m", "record.capped: it"]\n# {"ended":"capped"}\n`,
      'at its greatest size',
    ],
  ])('refuses a recording that ends with %s, until told; then its notes say so', async (_, text, why) => {
    put('a.cast', text())
    const refused = await meow(add)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(`does not have all of its session: `)
    expect(refused.err).toContain(why)
    expect(refused.err).toMatch(/hint: .*--allow-cut/)
    expect(existsSync(folder())).toBe(false)
    const taken = await meow([...add, '--allow-cut'])
    expect(taken.code).toBe(0)
    expect(taken.err).toContain(why)
    expect(JSON.parse(readFileSync(join(folder(), 'notes.json'), 'utf8')).cut).toContain(why)
    // Made again of a whole one, it has no such notes.
    put('a.cast', textOf(cast))
    expect((await meow([...add, '--force'])).code).toBe(0)
    expect(readdirSync(folder())).not.toContain('notes.json')
  })

  it.each(['cast', 'truth'])('refuses a pipe as the %s: it can be read once only', async (which) => {
    put('a.cast', textOf(cast))
    put('truth.json', JSON.stringify({ items: [] }))
    execFileSync('mkfifo', [join(folderOf(), 'pipe')])
    const text = readFileSync(join(folderOf(), which === 'cast' ? 'a.cast' : 'truth.json'), 'utf8')
    // Opened twice, it is empty the second time.
    const writer = spawn('sh', [
      '-c',
      'printf %s "$2" > "$1"; : > "$1"',
      'sh',
      join(folderOf(), 'pipe'),
      text,
    ])
    try {
      const argv = which === 'cast' ? add.with(2, 'pipe') : [...add, '--truth', 'pipe']
      const { code, err } = await meow(argv)
      expect(code).toBeGreaterThan(0)
      expect(err).toContain('pipe is no regular file')
      expect(existsSync(folder())).toBe(false)
    } finally {
      writer.kill()
    }
  })

  it.each<[string[], string]>([
    [['fixture', 'remove', 'a.cast', '--name', 'x'], 'action: add is wanted'],
    [['fixture', 'add', 'a.cast', '--vendor', 'painter'], 'name: the situation is wanted'],
    [['fixture', 'add', 'a.cast', '--vendor', 'painter', '--name', 'x'], 'of which version'],
    [add.with(-1, '../x'), 'cannot be the name'],
    [[...add, '--truth', 'a.cast'], 'is no JSON'],
  ])('%j says what is wrong, and makes nothing', async (argv, error) => {
    put('a.cast', textOf(cast))
    const { code, err } = await meow(argv)
    expect(code).toBeGreaterThan(0)
    expect(err).toContain(error)
    expect(readdirSync(folderOf())).toEqual(['a.cast'])
  })
})
