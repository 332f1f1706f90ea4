/** @module test/delivery/receipts-limits - what is refused: images, a text too long, anything while the journal refuses. */
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { EditQueued, MAX_PROMPT, SendMessage } from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import { World } from './tui/world.js'

let world: World
afterEach(async () => {
  await world?.close()
})

async function refusal(call: Promise<unknown>): Promise<MeowError> {
  const outcome = await world.outcome(call)
  if ('error' in outcome && outcome.error instanceof MeowError) return outcome.error
  throw new Error(`not refused: ${JSON.stringify(outcome)}`)
}

describe('images', () => {
  it('are refused where the adapter takes none: nothing is queued, nothing typed, nothing of it is known', async () => {
    world = await World.start()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const file = join(tmpdir(), `md-${process.pid}.png`)
    onTestFinished(() => rmSync(file, { force: true }))
    writeFileSync(file, png)
    for (const image of [{ path: file }, { mime: 'image/png' as const, base64: png.toString('base64') }]) {
      const error = await refusal(world.send('a', 'look', { images: [image] }))
      expect(error.code).toBe('unsupported')
      expect(error.detail).toContain('Test TUI takes no images')
    }
    expect(world.session.queue()).toEqual([])
    expect(world.session.receipt('a')).toBeUndefined()
    await world.pass(5000)
    expect(world.terminal.sent).toEqual([])
    // The same id, without them, is a message like any other.
    await world.send('a', 'look')
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['look'])
  })
})

describe('the longest text', () => {
  const longest = 'x'.repeat(MAX_PROMPT - 5)

  it('of 1,000,000 characters arrives whole, as one paste', async () => {
    world = await World.start({ collapseFrom: 1000 }, { hook: true })
    const text = `begin${longest}`
    expect(text).toHaveLength(1_000_000)
    expect(SendMessage.safeParse({ text }).success).toBe(true)
    await world.send('a', text)
    const [a] = await world.settled('a')
    expect(a).toMatchObject({ state: 'completed' })
    const [got = '', ...more] = world.received('prompt')
    // Not `toEqual`: nobody wants to read that difference.
    expect(got === text).toBe(true)
    expect(more).toEqual([])
    expect(world.terminal.sent.filter((s) => s.bytes.includes('\x1b[200~'))).toHaveLength(1)
    const [item] = world.told('item.completed')
    expect(item?.item.kind === 'user_message' && item.item.text === text).toBe(true)
  })

  it('of 1,000,001 characters is refused, also as a change of one that waits', () => {
    const text = `begin.${longest}`
    expect(text).toHaveLength(1_000_001)
    for (const schema of [SendMessage, EditQueued]) {
      const parsed = schema.safeParse({ text })
      expect(parsed.error?.issues).toMatchObject([{ code: 'too_big', maximum: 1_000_000, path: ['text'] }])
    }
  })
})

describe('while the journal refuses', () => {
  it('a prompt is not taken: nothing is typed, the error says what to do, and later it can be sent again', async () => {
    let refuses = false
    world = await World.start({}, { journalRefuses: () => refuses })
    refuses = true
    const error = await refusal(world.send('a', 'hello'))
    expect(error).toMatchObject({ code: 'state_unwritable', retryable: true })
    expect(error.hint).toContain('state folder')
    expect(world.session.queue()).toEqual([])
    await world.pass(5000)
    expect(world.terminal.sent).toEqual([])
    refuses = false
    await world.send('a', 'hello')
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['hello'])
    expect(world.told('gap')).toMatchObject([{ what: 'journal' }])
  })

  it('what waits is not typed: it could not be known after a crash that some of it may have been', async () => {
    let refuses = false
    world = await World.start({ turnMs: 2000 }, { journalRefuses: () => refuses })
    await world.send('a', 'first')
    await world.until(() => world.session.info().state === 'running', 'the turn')
    await world.send('b', 'second')
    refuses = true
    const from = world.terminal.sent.length
    await world.pass(20_000)
    expect(world.terminal.sent.slice(from)).toEqual([])
    expect(world.received('prompt')).toEqual(['first'])
    refuses = false
    await world.send('c', 'third')
    await world.settled('a', 'b', 'c')
    const b = world.receipt('b')
    expect(world.received('prompt')).toEqual(
      b.state === 'completed' ? ['first', 'second', 'third'] : ['first', 'third'],
    )
    expect(b.undecided).toBeUndefined()
  })

  it('nothing of a change is kept', async () => {
    let refuses = false
    world = await World.start({ turnMs: 2000 }, { journalRefuses: () => refuses })
    await world.send('a', 'first')
    await world.until(() => world.session.info().state === 'running', 'the turn')
    await world.send('b', 'second')
    refuses = true
    expect(() => world.session.editQueued('b', { text: 'other' })).toThrow('could not be journalled')
    refuses = false
    expect(world.session.queue()).toMatchObject([{ messageId: 'b', text: 'second' }])
    await world.settled('a', 'b')
    expect(world.received('prompt')).toEqual(['first', 'second'])
  })
})
