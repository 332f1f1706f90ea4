/** @module test/delivery/interrupt - a turn is stopped with proof, and each step is told. */
import { afterEach, describe, expect, it } from 'vitest'
import { World } from './tui/world.js'

let world: World
afterEach(async () => {
  await world?.close()
})
const busy = async () => {
  await world.send('a', 'the work')
  await world.until(() => world.receipt('a').state === 'started', 'the turn')
}
const stages = () => world.told('interrupt').map((e) => e.stage)

describe.each([{ hook: false }, { hook: true }])('an interrupt, hook: $hook', (options) => {
  it('stops the turn and says what was seen', async () => {
    world = await World.start({ turnMs: 60_000 }, options)
    await busy()
    const outcome = await world.outcome(world.session.interrupt())
    expect(outcome).toMatchObject({ value: { result: 'interrupted' } })
    expect(world.tui.running).toBe(false)
    expect(stages()).toEqual(['asked', 'seen'])
    expect(world.told('turn.completed')).toMatchObject([{ outcome: 'interrupted' }])
  })

  it('asks again when the program did not hear, and tells it', async () => {
    world = await World.start({ turnMs: 60_000, ignoreEscs: 2 }, options)
    await busy()
    expect(await world.outcome(world.session.interrupt())).toMatchObject({ value: { result: 'interrupted' } })
    expect(stages()).toEqual(['asked', 'again', 'again', 'seen'])
  })

  it('fails loudly when nothing stops it', async () => {
    world = await World.start({ turnMs: 60_000, ignoreEscs: 99 }, options)
    await busy()
    expect(await world.outcome(world.session.interrupt())).toMatchObject({ error: { code: 'timeout' } })
    expect(stages()).toEqual(['asked', 'again', 'again', 'failed'])
    expect(world.told('turn.completed')).toEqual([])
    expect(world.tui.running).toBe(true)
  })

  it('presses nothing into an idle program', async () => {
    world = await World.start({}, options)
    await world.person('a draft')
    await world.pass(100)
    expect(await world.outcome(world.session.interrupt())).toMatchObject({ value: { result: 'idle' } })
    expect(stages()).toEqual([])
    expect(world.tui.draft).toBe('a draft')
  })

  it('presses nothing into a dialog', async () => {
    const dialogs = [{ on: 'turn' as const, nth: 1, title: 'Run rm?', options: ['Yes', 'No'] }]
    world = await World.start({ turnMs: 60_000, dialogs }, options)
    await busy()
    await world.until(() => world.told('approval.requested').length === 1, 'the dialog')
    await world.outcome(world.session.interrupt())
    expect(world.received('answer')).toEqual([])
    expect(world.tui.asking).toBe(true)
  })

  it("keeps a person's draft that stands in the box", async () => {
    world = await World.start({ turnMs: 60_000 }, options)
    await busy()
    await world.person('meanwhile')
    await world.pass(200)
    await world.outcome(world.session.interrupt())
    expect(world.tui.draft).toBe('meanwhile')
    expect(world.tui.running).toBe(false)
  })

  it('takes what the program put back out of the box', async () => {
    world = await World.start({ turnMs: 60_000, restorePrompt: true }, options)
    await busy()
    await world.outcome(world.session.interrupt())
    expect(world.tui.draft).toBe('')
    await world.send('b', 'next')
    await world.settled('b')
    expect(world.received('prompt')).toEqual(['the work', 'next'])
  })

  it('of a turn that ends in that moment presses no second key', async () => {
    world = await World.start({ turnMs: 500 }, options)
    await busy()
    await world.pass(485)
    await world.outcome(world.session.interrupt())
    await world.pass(2000)
    expect(world.tui.running).toBe(false)
    expect(world.receipt('a').state).toBe('completed')
  })
})
