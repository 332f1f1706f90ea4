/** @module test/delivery/queue - the queue that everyone shares: order, changes, and the three ways to send. */
import { afterEach, describe, expect, it } from 'vitest'
import { MeowError } from '../../src/protocol/errors.js'
import { World } from './tui/world.js'

let world: World
afterEach(async () => {
  await world?.close()
})

const code = (work: () => unknown): string => {
  try {
    work()
    return 'none'
  } catch (error) {
    return error instanceof MeowError ? error.code : String(error)
  }
}
const busy = async () => {
  await world.send('first', 'the first')
  const runs = () => world.receipt('first').state === 'started' && world.session.info().state === 'running'
  await world.until(runs, 'the first turn')
}
const ids = () => world.session.queue().map((q) => q.messageId)

describe('the queue', () => {
  it('keeps the order in which it was given', async () => {
    world = await World.start()
    const all = Array.from({ length: 12 }, (_, n) => `m${n}`)
    for (const id of all) await world.send(id, `text ${id}`)
    await world.settled(...all)
    expect(world.received('prompt')).toEqual(all.map((id) => `text ${id}`))
  })

  it('is edited, moved and thinned out while it waits; each change is told', async () => {
    world = await World.start({ turnMs: 5000 })
    await busy()
    for (const id of ['a', 'b', 'c', 'd']) await world.send(id, `text ${id}`)
    expect(ids()).toEqual(['a', 'b', 'c', 'd'])
    world.session.editQueued('c', { text: 'text c, better' })
    world.session.editQueued('d', { before: 'a' })
    world.session.editQueued('a', { before: null })
    world.session.withdraw('b')
    expect(ids()).toEqual(['d', 'c', 'a'])
    expect(world.told('queue').map((e) => e.order)).toEqual([
      ['d', 'a', 'b', 'c'],
      ['d', 'b', 'c', 'a'],
    ])
    expect(world.told('delivery').some((d) => d.messageId === 'c' && d.text === 'text c, better')).toBe(true)
    await world.settled('a', 'b', 'c', 'd')
    expect(world.received('prompt')).toEqual(['the first', 'text d', 'text c, better', 'text a'])
    expect(world.receipt('b')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('withdrawn'),
    })
  })

  it('lets nobody change what does not wait any more', async () => {
    world = await World.start({ turnMs: 2000 })
    await busy()
    expect(code(() => world.session.editQueued('first', { text: 'other' }))).toBe('conflict')
    expect(code(() => world.session.withdraw('first'))).toBe('conflict')
    expect(code(() => world.session.withdraw('nobody'))).toBe('not_found')
    await world.settled('first')
    expect(world.received('prompt')).toEqual(['the first'])
  })

  it('lets nobody change or withdraw a prompt while it is being typed', async () => {
    world = await World.start({ echoMs: 500 })
    await world.send('a', 'being typed')
    await world.pass(100)
    expect(code(() => world.session.editQueued('a', { text: 'other' }))).toBe('conflict')
    expect(code(() => world.session.withdraw('a'))).toBe('conflict')
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['being typed'])
  })

  it('is looked at again when the hands are free: a change made meanwhile counts', async () => {
    world = await World.start({ confirmMs: 1000 })
    const ran = world.session.runCommand({ command: 'model', argument: 'two' })
    await world.send('a', 'old words')
    await world.send('b', 'not wanted')
    await world.pass(200)
    world.session.editQueued('a', { text: 'new words' })
    world.session.withdraw('b')
    await world.outcome(ran)
    await world.settled('a', 'b')
    expect(world.received('prompt')).toEqual(['new words'])
  })

  it('answers a repeated id with the first receipt, before, in and after its turn', async () => {
    world = await World.start({ turnMs: 2000 })
    await busy()
    await world.send('a', 'once')
    await world.send('a', 'once')
    await world.until(() => world.receipt('a').state === 'started', 'its turn')
    expect(await world.send('a', 'once')).toMatchObject({ state: 'started' })
    await world.settled('a')
    expect(await world.send('a', 'once')).toMatchObject({ state: 'completed' })
    await world.pass(5000)
    expect(world.received('prompt')).toEqual(['the first', 'once'])
  })

  it('takes the same text twice under two ids', async () => {
    world = await World.start()
    await world.send('a', 'go on')
    await world.send('b', 'go on')
    await world.settled('a', 'b')
    expect(world.received('prompt')).toEqual(['go on', 'go on'])
    expect(['a', 'b'].map((id) => world.receipt(id).state)).toEqual(['completed', 'completed'])
  })
})

describe.each([{ hook: false }, { hook: true }])('a prompt for the running turn, hook: $hook', (options) => {
  it('goes into it where the program has a way', async () => {
    world = await World.start({ turnMs: 10_000, midTurn: 'steer' }, options)
    await busy()
    await world.send('q', 'afterwards')
    await world.send('s', 'and mind this', { how: 'steer' })
    await world.until(() => world.receipt('s').state === 'accepted', 'the program to have it')
    expect(world.received('prompt')).toEqual(['the first'])
    await world.settled('s', 'q')
    expect(world.received('prompt')).toEqual(['the first', 'and mind this', 'afterwards'])
    expect(world.states('s')).toEqual(['queued', 'typed', 'accepted', 'started', 'completed'])
    expect(world.told('turn.started')).toHaveLength(2)
  })

  it('is told as it happened where the program queues it for a turn of its own', async () => {
    world = await World.start({ turnMs: 4000, midTurn: 'queue' }, options)
    await busy()
    await world.send('s', 'next then', { how: 'steer' })
    await world.send('q', 'last')
    await world.settled('s', 'q')
    expect(world.received('queued')).toEqual(['next then'])
    expect(world.received('prompt')).toEqual(['the first', 'next then', 'last'])
    // On the screen alone nothing lies between two turns of which one begins as the other ends.
    expect(world.told('turn.started').length).toBeGreaterThanOrEqual(options.hook ? 3 : 2)
  })

  it('waits, and says why, where there is no way', async () => {
    world = await World.start({ turnMs: 4000, midTurn: 'refuse' }, options)
    await busy()
    await world.send('s', 'later then', { how: 'steer' })
    expect(world.receipt('s').reason).toContain('has no way into a running turn')
    await world.settled('s')
    expect(world.received('prompt')).toEqual(['the first', 'later then'])
  })

  it('is failed when the program drops its own queue at an interrupt', async () => {
    world = await World.start({ turnMs: 60_000, midTurn: 'queue', onInterrupt: 'drop' }, options)
    await busy()
    await world.send('s', 'never run', { how: 'steer' })
    await world.until(() => world.receipt('s').state === 'accepted', 'the program to have it')
    await world.outcome(world.session.interrupt())
    const [s] = await world.settled('s')
    expect(s).toMatchObject({ state: 'failed' })
    // Without a side channel nobody can know what became of it.
    expect(s?.undecided ?? false).toBe(!options.hook)
    expect(world.received('prompt')).toEqual(['the first'])
  })
})

describe.each([{ hook: false }, { hook: true }])('a prompt that stops the turn, hook: $hook', (options) => {
  it('goes before what waits', async () => {
    world = await World.start({ turnMs: 60_000 }, options)
    await busy()
    await world.send('q', 'later')
    await world.send('i', 'now', { how: 'interrupt' })
    expect(ids()).toEqual(['i', 'q'])
    await world.settled('first', 'i')
    expect(world.receipt('first')).toMatchObject({ state: 'completed', reason: 'interrupted' })
    await world.settled('q')
    expect(world.received('prompt')).toEqual(['the first', 'now', 'later'])
    expect(world.told('interrupt').map((e) => e.stage)).toEqual(['asked', 'seen'])
  })

  it('waits, and says why, when the turn cannot be stopped', async () => {
    world = await World.start({ turnMs: 30_000, ignoreEscs: 100 }, options)
    await busy()
    await world.send('i', 'now', { how: 'interrupt' })
    await world.until(() => world.told('interrupt').some((e) => e.stage === 'failed'), 'the failure')
    expect(world.receipt('i')).toMatchObject({ state: 'queued' })
    expect(world.told('delivery').some((d) => d.reason?.includes('could not be stopped'))).toBe(true)
    await world.settled('i')
    expect(world.received('prompt')).toEqual(['the first', 'now'])
  })

  it('stops a turn that has only just begun', async () => {
    world = await World.start({ turnMs: 60_000 }, options)
    await world.send('first', 'the first')
    await world.until(() => world.receipt('first').state === 'started', 'the first turn')
    await world.send('i', 'now', { how: 'interrupt' })
    await world.settled('first')
    expect(world.receipt('first')).toMatchObject({ state: 'completed', reason: 'interrupted' })
    await world.settled('i')
    expect(world.received('prompt')).toEqual(['the first', 'now'])
  })

  it('stops a turn that begins only after it was sent', async () => {
    world = await World.start({ turnMs: 60_000, echoMs: 300 }, options)
    await world.send('first', 'the first')
    await world.send('i', 'now', { how: 'interrupt' })
    await world.settled('i')
    // Either it went first, or it stopped the other.
    const told = world.received('prompt')
    if (told[0] === 'the first') expect(world.receipt('first').reason).toBe('interrupted')
    expect(told.filter((t) => t === 'now')).toHaveLength(1)
  })

  it('becomes one by an edit as well', async () => {
    world = await World.start({ turnMs: 60_000 }, options)
    await busy()
    await world.send('q', 'hurry')
    world.session.editQueued('q', { how: 'interrupt' })
    await world.settled('q')
    expect(world.received('prompt')).toEqual(['the first', 'hurry'])
  })

  it('finds the prompt box clean where the program put the stopped prompt back', async () => {
    world = await World.start({ turnMs: 60_000, restorePrompt: true }, options)
    await busy()
    await world.send('i', 'now', { how: 'interrupt' })
    await world.settled('i')
    expect(world.received('prompt')).toEqual(['the first', 'now'])
    expect(world.tui.draft).toBe('')
  })
})
