/** @module test/delivery/crash-slow - the bridge is killed right after a paste, and the program shows it when the next one is there. */
import { afterEach, describe, expect, it } from 'vitest'
import './tui/world.js'
import { Rig } from './tui/rig.js'

let rig: Rig | null = null
afterEach(async () => {
  await rig?.close()
  rig = null
})

describe.each([{ hook: false }, { hook: true }])(
  'a paste that is shown late, side channel: $hook',
  ({ hook }) => {
    it('is not glued to the next prompt, and keeps none of them from being sent', async () => {
      const r = await Rig.start({ echoMs: 600 }, { hook, awayMs: 20, deaths: [3] })
      rig = r
      r.mortal()
      const over = (id: string) => ['completed', 'failed'].includes(r.receipt(id)?.state ?? '')
      await r.call('send a', (s) => s.send({ messageId: 'a', text: 'first' }))
      await r.until(() => over('a'), 'the end of a')
      expect(r.died).toEqual(['paste'])
      await r.call('send b', (s) => s.send({ messageId: 'b', text: 'second' }))
      await r.until(() => over('b'), 'the end of b')
      expect(r.receipt('b')).toMatchObject({ state: 'completed' })
      expect(r.tui.draft).toBe('')
      expect(r.terminal.log.filter((e) => e.text === 'first').length).toBeLessThanOrEqual(1)
    })
  },
)
