/** @module test/delivery/draft - what a person types in the terminal is never merged, lost or submitted by a send. */
import { afterEach, describe, expect, it } from 'vitest'
import { World } from './tui/world.js'

let world: World
afterEach(async () => {
  await world?.close()
})
const drafts = () => world.events.flatMap((e) => (e.type === 'session.draft' ? [e.text] : []))

describe("a person's draft", () => {
  it('is told as it grows, and when it is gone', async () => {
    world = await World.start()
    await world.person('half a ')
    await world.pass(100)
    await world.person('thought')
    await world.pass(100)
    expect(world.session.snapshot(0).board.draft).toBe('half a thought')
    await world.person('\x15')
    await world.pass(100)
    expect(drafts()).toEqual(['half a ', 'half a thought', null])
  })

  it('keeps a send waiting, with the reason, until it is submitted', async () => {
    world = await World.start()
    await world.person('my own')
    await world.pass(100)
    await world.send('a', 'from the web')
    await world.pass(20_000)
    expect(world.receipt('a')).toMatchObject({
      state: 'queued',
      reason: expect.stringContaining('unsent text'),
    })
    expect(world.tui.draft).toBe('my own')
    await world.person(' words\r')
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['my own words', 'from the web'])
    const origins = world
      .told('item.completed')
      .flatMap((e) => (e.item.kind === 'user_message' ? [e.item.origin] : []))
    expect(origins).toEqual(['terminal', 'bridge'])
  })

  it('keeps a send waiting until it is thrown away', async () => {
    world = await World.start()
    await world.person('never mind')
    await world.pass(100)
    await world.send('a', 'from the web')
    await world.pass(1000)
    await world.person('\x15')
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['from the web'])
  })

  it('is not a ghost suggestion', async () => {
    world = await World.start({ ghost: 'Try "fix the tests"' })
    await world.send('a', 'from the web')
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['from the web'])
    expect(drafts()).toEqual([])
  })

  it('stays a draft when it says what a failed prompt said', async () => {
    world = await World.start({ swallowEnters: 99 })
    await world.send('a', 'from the web')
    const [a] = await world.settled('a')
    expect(a?.state).toBe('failed')
    expect(world.tui.draft).toBe('')
    for (const sign of 'from the web') {
      await world.person(sign)
      await world.pass(60)
    }
    await world.pass(3000)
    expect(world.tui.draft).toBe('from the web')
  })

  it('is not what the bridge itself types', async () => {
    world = await World.start({ echoMs: 200 })
    await world.send('a', 'from the web')
    await world.settled('a')
    expect(drafts().filter((d) => d !== null)).toEqual([])
  })

  it('typed in the moment of the paste: nothing is submitted, and nothing of it is lost', async () => {
    world = await World.start({ echoMs: 30 })
    await world.send('a', 'from the web')
    await world.pass(10)
    await world.person('mine ')
    await world.pass(3000)
    // Both stand in the box, and a person may send it.
    expect(world.receipt('a')).toMatchObject({ state: 'failed', undecided: true })
    expect(world.received('prompt')).toEqual([])
    expect(world.tui.draft).toContain('mine ')
  })

  it('typed behind a paste that stands in the box: nothing is submitted, and nothing of it is lost', async () => {
    world = await World.start({ swallowEnters: 1 })
    await world.send('a', 'from the web')
    await world.until(() => world.receipt('a').state === 'typed', 'its text in the box')
    await world.pass(500)
    await world.person(' and mine')
    const [a] = await world.settled('a')
    expect(a?.state).toBe('failed')
    expect(world.received('prompt')).toEqual([])
    expect(world.tui.draft).toBe('from the web and mine')
  })

  it('of a person who submits our text as their own words is told as it happened', async () => {
    world = await World.start({ swallowEnters: 1 })
    await world.send('a', 'from the web')
    await world.until(() => world.receipt('a').state === 'typed', 'its text in the box')
    await world.pass(500)
    await world.person(' and mine\r')
    const [a] = await world.settled('a')
    expect(world.received('prompt')).toEqual(['from the web and mine'])
    expect(a).toMatchObject({ state: 'failed', undecided: true })
  })

  it('typed in a page terminal while a send is being typed comes after it', async () => {
    world = await World.start({ echoMs: 100 })
    await world.send('a', 'from the web')
    await world.pass(20)
    void world.session.input(Buffer.from('typed in the page'))
    await world.settled('a')
    await world.pass(500)
    expect(world.received('prompt')).toEqual(['from the web'])
    expect(world.receipt('a').state).toBe('completed')
    expect(world.tui.draft).toBe('typed in the page')
  })

  it('half typed with a popup open keeps a send waiting too', async () => {
    world = await World.start()
    await world.person('/mo')
    await world.pass(100)
    await world.send('a', 'from the web')
    await world.pass(1000)
    expect(world.receipt('a').state).toBe('queued')
    await world.person('\x15')
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['from the web'])
    expect(world.received('command')).toEqual([])
  })
})

describe('two seats', () => {
  it('see who types', async () => {
    world = await World.start()
    world.session.typing('phone', true)
    world.session.typing('phone', false)
    const told = world.events.flatMap((e) => (e.type === 'session.typing' ? [[e.client, e.active]] : []))
    expect(told).toEqual([
      ['phone', true],
      ['phone', false],
    ])
  })
})
