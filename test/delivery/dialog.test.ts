/** @module test/delivery/dialog - no text while a dialog is up; an answer is pressed once, on the very dialog. */
import { afterEach, describe, expect, it } from 'vitest'
import type { AnswerResult } from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import { World } from './tui/world.js'

let world: World
afterEach(async () => {
  await world?.close()
})

const asked = () => world.told('approval.requested')
const open = async (title = 'Run ls?', options = ['Yes', 'Yes, always', 'No']) => {
  world.tui.ask(title, options)
  const n = asked().length
  await world.until(() => asked().length > n, 'the dialog to be told')
  const id = asked().at(-1)?.approvalId
  if (!id) throw new Error('no approval')
  return id
}
const answer = async (id: string, option: string): Promise<AnswerResult | string> => {
  const outcome = await world.outcome(world.session.answer(id, option, 'ada'))
  if ('value' in outcome) return outcome.value
  return outcome.error instanceof MeowError ? outcome.error.code : String(outcome.error)
}

describe.each([{ hook: false }, { hook: true }])('while a dialog is up, hook: $hook', (options) => {
  it('nothing is typed; the message goes when it is gone', async () => {
    world = await World.start({}, options)
    const id = await open()
    await world.send('a', '1 for the money')
    await world.pass(30_000)
    expect(world.receipt('a')).toMatchObject({ state: 'queued', reason: expect.stringContaining('dialog') })
    expect(world.log).toEqual([])
    expect(await answer(id, '3')).toMatchObject({ option: 'No' })
    await world.settled('a')
    expect(world.received('answer')).toEqual(['Run ls? (1): No'])
    expect(world.received('prompt')).toEqual(['1 for the money'])
  })

  it('a dialog of a turn keeps it open, and the turn goes on afterwards', async () => {
    const dialogs = [{ on: 'turn' as const, nth: 1, title: 'Run rm?', options: ['Yes', 'No'] }]
    world = await World.start({ dialogs }, options)
    await world.send('a', 'clean up')
    await world.until(() => asked().length === 1, 'the dialog')
    await world.send('b', 'thanks')
    await world.send('s', 'steered', { how: 'steer' })
    await world.pass(5000)
    expect(world.receipt('s').state).toBe('queued')
    expect(await answer(asked()[0]?.approvalId ?? '', '1')).toMatchObject({ option: 'Yes' })
    await world.settled('a', 'b', 's')
    expect(world.received('answer')).toEqual(['Run rm? (1): Yes'])
    expect(world.received('prompt').sort()).toEqual(['clean up', 'steered', 'thanks'])
  })

  it('that opened between the paste and Enter gets no Enter', async () => {
    const dialogs = [{ on: 'paste' as const, nth: 1, title: 'Trust it?', options: ['Yes', 'No'] }]
    world = await World.start({ dialogs }, options)
    await world.send('a', 'the text')
    await world.pass(20_000)
    expect(world.log).toEqual([])
    expect(world.tui.asking).toBe(true)
    await answer(asked()[0]?.approvalId ?? '', '2')
    await world.pass(60_000)
    const a = world.receipt('a')
    const times = world.received('prompt').filter((t) => t === 'the text').length
    expect(times).toBe(a.state === 'completed' ? 1 : 0)
    expect(world.received('answer')).toEqual(['Trust it? (1): No'])
  })

  it('that opened in the place of a submission gets no second Enter', async () => {
    const dialogs = [{ on: 'submit' as const, nth: 1, title: 'Trust it?', options: ['Yes', 'No'] }]
    world = await World.start({ dialogs }, options)
    await world.send('a', 'the text')
    await world.pass(30_000)
    expect(world.log).toEqual([])
    expect(world.tui.asking).toBe(true)
    expect(world.receipt('a').state).toBe('failed')
  })
})

describe('an answer', () => {
  it('chooses by what the dialog says, wherever the selection stands', async () => {
    world = await World.start()
    const id = await open()
    await world.person('\x1b[B\x1b[B')
    await world.pass(200)
    expect(await answer(id, '2')).toMatchObject({ option: 'Yes, always' })
    expect(world.received('answer')).toEqual(['Run ls? (1): Yes, always'])
    expect(world.told('approval.resolved')).toMatchObject([{ by: 'ada', option: 'Yes, always' }])
  })

  it('is pressed once, however deaf the dialog is', async () => {
    world = await World.start({ deafDialogKeys: 1 })
    const id = await open()
    expect(await answer(id, '1')).toBe('delivery_failed')
    expect(world.log).toEqual([])
    expect(world.tui.asking).toBe(true)
    // A person may answer again: that is another press.
    expect(await answer(id, '1')).toMatchObject({ option: 'Yes' })
    expect(world.received('answer')).toEqual(['Run ls? (1): Yes'])
  })

  it('waits for a dialog that goes late, and presses nothing more', async () => {
    world = await World.start({ dialogLagMs: 2500 })
    const id = await open()
    expect(await answer(id, '1')).toMatchObject({ option: 'Yes' })
    expect(world.received('answer')).toHaveLength(1)
  })

  it('to a dialog that is gone, or to another, is a conflict and presses nothing', async () => {
    world = await World.start()
    const first = await open('Run ls?')
    await world.person('\x1b')
    await world.until(() => world.told('approval.resolved').length === 1, 'it to be gone')
    expect(await answer(first, '1')).toBe('conflict')
    await open('Run rm?')
    expect(await answer(first, '1')).toBe('conflict')
    expect(world.tui.asking).toBe(true)
    expect(world.received('answer')).toEqual(['Run ls? (1): cancelled'])
  })

  it('by two people at once is pressed once', async () => {
    world = await World.start()
    const id = await open()
    const both = Promise.allSettled([
      world.session.answer(id, '1', 'ada'),
      world.session.answer(id, '3', 'bob'),
    ])
    await world.outcome(both)
    const settled = await both
    expect(settled.filter((s) => s.status === 'fulfilled')).toHaveLength(1)
    expect(world.received('answer')).toEqual(['Run ls? (1): Yes'])
    expect(world.told('approval.resolved')).toMatchObject([{ by: 'ada', option: 'Yes' }])
  })

  it('with an option that is not there is refused', async () => {
    world = await World.start()
    const id = await open()
    expect(await answer(id, '7')).toBe('invalid_argument')
    expect(await answer('approval_nobody', '1')).not.toMatchObject({ option: 'Yes' })
    expect(world.log).toEqual([])
  })

  it('in the terminal is told as such', async () => {
    world = await World.start()
    await open()
    await world.person('2')
    await world.until(() => world.told('approval.resolved').length === 1, 'it to be gone')
    expect(world.told('approval.resolved')).toMatchObject([{ by: 'terminal', verdict: 'answered' }])
  })

  it('a dialog at the start hands the session over as blocked, and prompts wait for it', async () => {
    const dialogs = [{ on: 'boot' as const, nth: 1, title: 'Trust this folder?', options: ['Yes', 'No'] }]
    world = await World.start({ dialogs })
    await world.until(() => asked().length === 1, 'the dialog')
    await world.send('a', 'hello')
    await world.pass(100_000)
    expect(world.log).toEqual([])
    expect(await answer(asked()[0]?.approvalId ?? '', '1')).toMatchObject({ option: 'Yes' })
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['hello'])
  })
})
