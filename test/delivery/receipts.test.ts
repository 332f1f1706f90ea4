/** @module test/delivery/receipts - every state of a receipt and every reason of a failure. */
import { afterEach, describe, expect, it } from 'vitest'
import { MeowError } from '../../src/protocol/errors.js'
import { World } from './tui/world.js'

let world: World
afterEach(async () => {
  await world?.close()
})

const code = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    await work()
    return 'none'
  } catch (error) {
    return error instanceof MeowError ? error.code : String(error)
  }
}
const ALL = ['queued', 'typed', 'accepted', 'started', 'completed']

describe.each([{ hook: false }, { hook: true }])('a receipt, hook: $hook', (options) => {
  it('goes through every state, and the program has the text once', async () => {
    world = await World.start({}, options)
    await world.send('a', 'hello there')
    await world.settled('a')
    expect(world.states('a')).toEqual(ALL)
    expect(world.received('prompt')).toEqual(['hello there'])
    expect(world.told('item.completed').filter((e) => e.item.kind === 'user_message')).toMatchObject([
      { item: { origin: 'bridge', messageId: 'a' } },
    ])
  })

  it('says the same for texts of many lines, tabs, wide letters and lines longer than the screen', async () => {
    world = await World.start({}, options)
    const texts = [
      'one\ntwo\n\n  four',
      'tab\there',
      '日本語 и кириллица 🙂 é',
      `${'long word '.repeat(40)}end`,
      `a  b\n${'x'.repeat(300)}\n\ny`,
    ]
    for (const [n, text] of texts.entries()) await world.send(`m${n}`, text)
    await world.settled(...texts.map((_, n) => `m${n}`))
    expect(world.received('prompt')).toEqual(texts.map((t) => t.replaceAll('\t', '    ')))
    for (const n of texts.keys()) expect(world.receipt(`m${n}`).state).toBe('completed')
  })

  it('presses Enter again as long as the very text stands in the box', async () => {
    world = await World.start({ swallowEnters: 2 }, options)
    await world.send('a', 'knock')
    await world.settled('a')
    expect(world.states('a')).toEqual(ALL)
    expect(world.received('prompt')).toEqual(['knock'])
  })

  it('fails when Enter is never heard, and takes its text back', async () => {
    world = await World.start({ swallowEnters: 4 }, options)
    await world.send('a', 'knock')
    await world.send('b', 'next')
    const [a, b] = await world.settled('a', 'b')
    expect(a).toMatchObject({ state: 'failed' })
    expect(a?.undecided).toBeUndefined()
    expect(b).toMatchObject({ state: 'completed' })
    expect(world.received('prompt')).toEqual(['next'])
  })

  it('fails when the paste is not seen, and goes on with the next', async () => {
    world = await World.start({ losePastes: 1 }, options)
    await world.send('a', 'lost')
    await world.send('b', 'found')
    const [a] = await world.settled('a', 'b')
    expect(a).toMatchObject({ state: 'failed', reason: expect.stringContaining('prompt box shows the text') })
    expect(a?.undecided).toBeUndefined()
    expect(world.received('prompt')).toEqual(['found'])
  })

  it('waits for a program that boots slowly', async () => {
    world = await World.start({ bootMs: 40_000 }, options)
    await world.send('a', 'late')
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['late'])
    expect(world.received('lost')).toEqual([])
  })

  it('says what a message waits for', async () => {
    world = await World.start({ turnMs: 5000 }, options)
    await world.send('a', 'first')
    await world.until(() => world.receipt('a').state === 'started', 'its start')
    await world.send('b', 'second')
    expect(world.receipt('b')).toMatchObject({ state: 'queued', reason: 'waits: a turn runs' })
    await world.settled('b')
    expect(world.received('prompt')).toEqual(['first', 'second'])
  })

  it('of a prompt that the program swallows after it took it is undecided', async () => {
    world = await World.start({ erasePrompts: 1 }, options)
    await world.send('a', 'erased')
    await world.send('b', 'kept')
    const [a, b] = await world.settled('a', 'b')
    expect(a).toMatchObject({ state: 'failed', undecided: true })
    expect(b?.state).toBe('completed')
    expect(world.received('prompt')).toEqual(['kept'])
  })

  it('of what waits when the program ends says that it was not sent', async () => {
    world = await World.start({ turnMs: 5000 }, options)
    await world.send('a', 'first')
    await world.until(() => world.receipt('a').state === 'started', 'its start')
    await world.send('b', 'second')
    world.terminal.crash()
    const [a, b] = await world.settled('a', 'b')
    expect(a).toMatchObject({ state: 'failed', reason: expect.stringContaining('was started') })
    expect(b).toMatchObject({ state: 'failed', reason: expect.stringContaining('was not sent') })
    expect(b?.undecided).toBeUndefined()
    expect(world.received('prompt')).toEqual(['first'])
    expect(await code(() => world.send('c', 'too late'))).toBe('conflict')
  })

  it('of a prompt whose Enter was pressed when the program ended is undecided', async () => {
    world = await World.start({ swallowEnters: 1 }, options)
    await world.send('a', 'between')
    await world.until(() => world.receipt('a').state === 'typed', 'its text in the box')
    await world.pass(100)
    world.terminal.crash()
    const [a] = await world.settled('a')
    expect(a).toMatchObject({ state: 'failed', undecided: true })
  })

  it('of a prompt that was only pasted when the program ended is not undecided', async () => {
    world = await World.start({ echoMs: 1000 }, options)
    await world.send('a', 'pasted')
    await world.pass(200)
    world.terminal.crash()
    const [a] = await world.settled('a')
    expect(a?.state).toBe('failed')
    expect(a?.undecided).toBeUndefined()
    expect(world.received('prompt')).toEqual([])
  })

  it('of a turn that was interrupted is completed, and says so', async () => {
    world = await World.start({ turnMs: 60_000 }, options)
    await world.send('a', 'long work')
    await world.until(() => world.receipt('a').state === 'started', 'its start')
    await world.outcome(world.session.interrupt())
    const [a] = await world.settled('a')
    expect(a).toMatchObject({ state: 'completed', reason: 'interrupted' })
  })
})

describe('what is not sent at all', () => {
  it('is refused with a code, and leaves no receipt', async () => {
    world = await World.start()
    expect(await code(() => world.send('a', '\u0007\u001b'))).toBe('invalid_argument')
    expect(await code(() => world.send('b', 'see', { images: [{ path: '/nowhere.png' }] }))).not.toBe('none')
    expect(world.session.receipt('a')).toBeUndefined()
    expect(world.session.receipt('b')).toBeUndefined()
    await world.send('c', 'one')
    expect(await code(() => world.send('c', 'another'))).toBe('conflict')
    await world.settled('c')
    expect(world.received('prompt')).toEqual(['one'])
  })

  it('control characters never reach the program: a paste cannot be ended from within', async () => {
    world = await World.start()
    await world.send('a', 'x\u001b[201~\r/exit\r\u0003y')
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['x[201~\n/exit\ny'])
    expect(world.received('command')).toEqual([])
  })

  it('a tty in canonical mode gets nothing typed, and the message says what it waits for', async () => {
    world = await World.start({ canonical: true })
    await world.send('a', 'x'.repeat(5000))
    await world.pass(10_000)
    expect(world.receipt('a')).toMatchObject({ state: 'queued', reason: expect.stringContaining('waits:') })
    expect(world.log).toEqual([])
    expect(world.session.withdraw('a')).toMatchObject({ state: 'failed' })
  })
})
