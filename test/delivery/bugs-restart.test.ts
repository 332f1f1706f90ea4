/** @module test/delivery/bugs-restart - public bug reports about approvals and a connection that was gone, shown with a bridge that was. */
import { afterEach, describe, expect, it } from 'vitest'
import './tui/world.js'
import { Rig } from './tui/rig.js'
import { openCards } from './tui/scenes.js'

let rig: Rig | null = null
afterEach(async () => {
  await rig?.close()
  rig = null
})

/** A dialog with its card, and then no bridge for so long. */
async function left(hook: boolean, awayMs: number): Promise<{ r: Rig; approvalId: string }> {
  const r = await Rig.start({}, { hook, awayMs, deaths: [] })
  rig = r
  r.tui.ask('Run it?', ['Yes', 'No'])
  await r.until(() => openCards(r.events).length > 0, 'the card')
  return { r, approvalId: openCards(r.events)[0]?.approvalId ?? '' }
}

describe.each([{ hook: false }, { hook: true }])(
  'D: approvals over a gap, side channel: $hook',
  ({ hook }) => {
    it('siteboon/claudecodeui#462: the card of a dialog outlives the bridge', async () => {
      const { r, approvalId } = await left(hook, 20_000)
      await r.kill()
      await r.pass(5000)
      expect(openCards(r.events)).toEqual([{ approvalId, title: 'Run it? (1)' }])
      expect(r.session.info().state).toBe('blocked')
      const result = await r.call('answer', (s) => s.answer(approvalId, '2', 'ada'))
      expect(result).toMatchObject({ option: 'No' })
      expect(r.terminal.log.map((e) => e.text)).toEqual(['Run it? (1): No'])
    })

    it('slopus/happy#1035: an answer in the gap is told as not given, and the card stays', async () => {
      const { r, approvalId } = await left(hook, 20_000)
      const old = r.session
      await r.kill()
      // The bridge that is dead takes nothing; what it was told reaches nobody.
      void old.answer(approvalId, '1', 'ada').catch(() => undefined)
      await r.pass(5000)
      expect(r.terminal.log).toEqual([])
      expect(openCards(r.events)).toEqual([{ approvalId, title: 'Run it? (1)' }])
    })

    it('slopus/happy#1035: an answer in the first moment after it is pressed, once the screen is known', async () => {
      const { r, approvalId } = await left(hook, 20)
      await r.kill()
      const result = await r.call('answer', (s) => s.answer(approvalId, '1', 'ada'))
      expect(result).toMatchObject({ option: 'Yes' })
      expect(r.terminal.log.map((e) => e.text)).toEqual(['Run it? (1): Yes'])
    })

    it('a dialog that went in the gap is told as gone, and its answer is pressed into nothing else', async () => {
      const { r, approvalId } = await left(hook, 5000)
      r.terminal.person(Buffer.from('2'))
      await r.kill()
      await r.pass(5000)
      expect(openCards(r.events)).toEqual([])
      r.tui.ask('Delete all?', ['Yes', 'No'])
      await r.until(() => openCards(r.events).length > 0, 'the other card')
      const result = await r.call('answer', (s) => s.answer(approvalId, '1', 'ada'))
      expect(result).toMatchObject({ error: { code: 'conflict' } })
      expect(r.terminal.log.map((e) => e.text)).toEqual(['Run it? (1): No'])
    })
  },
)
