/** @module test/delivery/commands - session commands are run once and verified by their effect. */
import { afterEach, describe, expect, it } from 'vitest'
import { World } from './tui/world.js'

let world: World
afterEach(async () => {
  await world?.close()
})
const run = (command: string, argument?: string) =>
  world.outcome(world.session.runCommand({ command, ...(argument === undefined ? {} : { argument }) }))
const told = () => world.told('session.command').map((e) => [e.command, e.state])

describe('a session command', () => {
  it('is done when its effect was seen', async () => {
    world = await World.start()
    expect(await run('clear')).toMatchObject({ value: { command: 'clear', argument: null } })
    expect(await run('model', 'two')).toMatchObject({
      value: { evidence: expect.arrayContaining(['the model is two']) },
    })
    expect(world.received('command')).toEqual(['/clear', '/model two'])
    expect(told()).toEqual([
      ['clear', 'started'],
      ['clear', 'done'],
      ['model', 'started'],
      ['model', 'done'],
    ])
  })

  it('answers its own confirmation, also when that comes late', async () => {
    world = await World.start({ confirmMs: 1900 })
    expect(await run('model', 'two')).toMatchObject({ value: { argument: 'two' } })
    expect(world.received('answer')).toEqual(['Switch model? (1): Yes'])
  })

  it('fails when its effect is not seen', async () => {
    world = await World.start({ confirmMs: 60_000 })
    expect(await run('model', 'two')).toMatchObject({ error: { code: 'delivery_failed' } })
    expect(told()).toEqual([
      ['model', 'started'],
      ['model', 'failed'],
    ])
  })

  it('is refused while a turn runs, a dialog is up, or a draft stands in the box', async () => {
    world = await World.start({ turnMs: 2000 })
    await world.send('a', 'work')
    await world.until(() => world.receipt('a').state === 'started', 'its turn')
    expect(await run('clear')).toMatchObject({ error: { code: 'conflict' } })
    await world.settled('a')
    await world.until(() => world.session.info().state === 'idle', 'idle')
    await world.person('draft')
    await world.pass(100)
    expect(await run('clear')).toMatchObject({ error: { code: 'draft_present' } })
    await world.person('\x15')
    await world.pass(100)
    world.tui.ask('Run?', ['Yes', 'No'])
    await world.pass(100)
    expect(await run('clear')).toMatchObject({ error: { code: 'blocked' } })
    expect(world.received('command')).toEqual([])
    expect(world.received('answer')).toEqual([])
  })

  it('with a bad argument, or of another name, is refused and types nothing', async () => {
    world = await World.start()
    expect(await run('dance')).toMatchObject({ error: { code: 'unsupported' } })
    expect(await run('model')).toMatchObject({ error: { code: 'invalid_argument' } })
    expect(await run('clear', 'now')).toMatchObject({ error: { code: 'invalid_argument' } })
    expect(await run('model', 'two\n/exit')).toMatchObject({ error: { code: 'invalid_argument' } })
    expect(told()).toEqual([])
    expect(world.log).toEqual([])
  })

  it('that ends the program is done when it has ended', async () => {
    world = await World.start()
    expect(await run('exit')).toMatchObject({ value: { command: 'exit' } })
    await world.until(() => world.told('session.ended').length === 1, 'the end')
    expect(world.told('session.ended')).toMatchObject([{ reason: 'exited', exitCode: 0 }])
  })

  it('of the program is typed as it is when asked, and the dialog it opens becomes a card', async () => {
    world = await World.start()
    expect(await run('slash', '/help')).toMatchObject({ value: { argument: '/help' } })
    await world.until(() => world.told('approval.requested').length === 1, 'its card')
    expect(world.told('approval.requested')).toMatchObject([
      { title: 'Help (1)', options: [{ key: '1', label: 'Close' }] },
    ])
    await world.send('a', 'later')
    await world.pass(1000)
    expect(world.receipt('a').state).toBe('queued')
    await world.outcome(
      world.session.answer(world.told('approval.requested')[0]?.approvalId ?? '', '1', 'ada'),
    )
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['later'])
  })

  it('never mixes with a prompt: what came first is over before the next is typed', async () => {
    world = await World.start({ echoMs: 100 })
    const sent = world.send('a', 'a prompt')
    const ran = world.session.runCommand({ command: 'clear' }).catch(() => 'refused')
    await sent
    await world.outcome(ran)
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['a prompt'])
    expect(world.log.every((e) => ['a prompt', '/clear'].includes(e.text))).toBe(true)
  })
})

describe('a prompt that looks like a command', () => {
  it.each([
    '/clear',
    '/exit now',
    '!rm -rf /',
    '#memo',
    'see @src',
    '@',
    '/',
    '\\',
    '1',
    'y',
    '?',
    '//',
    'end \\',
  ])('is sent as text: %s', async (text) => {
    world = await World.start()
    await world.send('a', text)
    await world.settled('a')
    expect(world.received('prompt')).toEqual([text])
    expect(world.log).toHaveLength(1)
  })
})
