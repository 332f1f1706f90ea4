/** @module test/delivery/real - the same program under the real hosts: tmux, and a pty of ours. */
import { afterEach, describe, expect, it } from 'vitest'
import { type RealWorld, startReal } from './tui/real.js'
import type { TuiScript } from './tui/script.js'

let world: RealWorld | null = null
afterEach(async () => {
  await world?.close()
  world = null
})
const start = async (backend: 'tmux' | 'pty', given: Partial<TuiScript>) => {
  world = await startReal(backend, given)
  return world
}
const prompts = (w: RealWorld) => w.log().flatMap((e) => (e.kind === 'prompt' ? [e.text] : []))

describe.each(['tmux', 'pty'] as const)('under %s', (backend) => {
  it('prompts of every shape arrive once, in order, with their very text', async () => {
    const w = await start(backend, { turnMs: 60, swallowEnters: 1, echoMs: 10, animateMs: 20, bootMs: 300 })
    const texts = [
      'one',
      'two\nlines\n\nwith a gap',
      '/slash',
      '!bang',
      'at the end @src',
      '日本語 🙂 é',
      'x'.repeat(3000),
      Array.from({ length: 50 }, (_, n) => `line ${n}`).join('\n'),
      'quotes \' " ` $HOME ; # {} %1 \\',
      'one',
    ]
    for (const [n, text] of texts.entries()) await w.session.send({ messageId: `m${n}`, text })
    const receipts = await w.settled(...texts.map((_, n) => `m${n}`))
    expect(prompts(w)).toEqual(texts)
    expect(receipts.map((r) => r.state)).toEqual(texts.map(() => 'completed'))
  })

  it('a turn is stopped for a prompt', async () => {
    const w = await start(backend, { turnMs: 100_000 })
    await w.session.send({ messageId: 'a', text: 'long work' })
    await w.until(() => w.session.info().state === 'running', 'the turn')
    await w.session.send({ messageId: 'b', text: 'instead', how: 'interrupt' })
    await w.until(() => w.session.receipt('b')?.state === 'started', 'the other turn')
    expect(w.session.receipt('a')).toMatchObject({ state: 'completed', reason: 'interrupted' })
    expect(prompts(w)).toEqual(['long work', 'instead'])
  })

  it('a dialog between the paste and Enter gets no Enter; its answer is pressed once', async () => {
    const dialogs = [{ on: 'paste' as const, nth: 1, title: 'Trust it?', options: ['Yes', 'No'] }]
    const w = await start(backend, { dialogs, turnMs: 50 })
    await w.session.send({ messageId: 'a', text: 'the text' })
    const asked = () => w.events.flatMap((e) => (e.type === 'approval.requested' ? [e.approvalId] : []))[0]
    await w.until(() => asked() !== undefined, 'the dialog')
    await w.session.answer(asked() ?? '', '2', 'ada')
    const [a] = await w.settled('a')
    expect(w.log().filter((e) => e.kind === 'answer')).toMatchObject([{ text: 'Trust it? (1): No' }])
    expect(prompts(w)).toHaveLength(a?.state === 'completed' ? 1 : 0)
  })
  it("oh-my-codex#2265: no text goes into another session's terminal, whichever of the two ends", async () => {
    const first = await start(backend, { turnMs: 60 })
    const second = await startReal(backend, { turnMs: 60 }, first)
    try {
      await Promise.all([
        first.session.send({ messageId: 'a', text: 'for the first' }),
        second.session.send({ messageId: 'a', text: 'for the second' }),
      ])
      await Promise.all([first.settled('a'), second.settled('a')])
      // Its terminal goes while a prompt for it is on its way.
      await first.session.send({ messageId: 'b', text: 'too late' })
      await first.session.kill()
      await second.session.send({ messageId: 'b', text: 'again for the second' })
      await second.settled('b')
      expect(prompts(first)[0]).toBe('for the first')
      expect(prompts(second)).toEqual(['for the second', 'again for the second'])
    } finally {
      await second.close()
    }
  })
})
