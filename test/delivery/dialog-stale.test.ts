/** @module test/delivery/dialog-stale - a key is decided by what the bridge has, not by the newest frame that it has read. */
import { afterEach, describe, expect, it } from 'vitest'
import { World } from './tui/world.js'

let world: World
afterEach(async () => {
  await world?.close()
})
const asked = () => world.told('approval.requested')

describe('a dialog whose bytes are here already, and no frame of them yet', () => {
  it('omnigent#1094: gets no key that was for the one before it', async () => {
    world = await World.start()
    world.tui.ask('Bash: ls', ['Yes', 'No'])
    await world.until(() => asked().length === 1, 'the first')
    const ls = asked()[0]?.approvalId ?? ''
    await world.person('2')
    await world.until(() => !world.tui.asking, 'the first to go')
    world.tui.ask('Bash: rm', ['Yes', 'No'])
    // Bytes are on their way for 1 ms.
    await world.pass(5)
    const result = await world.outcome(world.session.answer(ls, '1', 'ada'))
    expect(world.received('answer')).toEqual(['Bash: ls (1): No'])
    expect(result).toMatchObject({ error: { code: 'conflict' } })
  })
})
