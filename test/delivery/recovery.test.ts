/** kill -9 of the hub around a delivery, with the real programs: each message arrives once, or nobody claims that it did. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DurableEvent } from '../../src/protocol/events.js'
import type { SessionInfo } from '../../src/protocol/session.js'
import { itemsOf } from '../support/api.js'
import { type Bridge, startBridge } from '../support/bridge.js'
import { claudeSetup, piSetup } from '../support/vendor-homes.js'

const VENDORS = { claude: claudeSetup, pi: piSetup }
type Vendor = keyof typeof VENDORS

/** Moments of a delivery at which the hub is killed, by the newest event of the message. */
const MOMENTS: readonly { readonly name: string; readonly at: (e: DurableEvent) => boolean }[] = [
  { name: 'queued', at: (e) => e.type === 'delivery' && e.state === 'queued' && e.text !== undefined },
  { name: 'being handed over', at: (e) => e.type === 'delivery' && e.attempt !== undefined },
  { name: 'typed', at: (e) => e.type === 'delivery' && e.state === 'typed' },
  { name: 'accepted', at: (e) => e.type === 'delivery' && e.state === 'accepted' },
  { name: 'started', at: (e) => e.type === 'delivery' && e.state === 'started' },
]

describe.each(Object.keys(VENDORS) as Vendor[])('%s', (vendor) => {
  let bridge: Bridge
  let session: SessionInfo
  /** How often the model was asked with this very text as its newest prompt. */
  const arrived = (text: string) => {
    const bodies = bridge.model.requests.filter((r) => r.kind === 'turn').map((r) => JSON.stringify(r.body))
    // Each request carries the whole history: the newest one has every prompt once.
    return (bodies.at(-1) ?? '').split(text).length - 1
  }

  beforeAll(async () => {
    bridge = await startBridge()
    const setup = VENDORS[vendor](bridge.root, bridge.model.url)
    session = await bridge.api.create({ vendor, cwd: setup.cwd, env: setup.env })
  })
  afterAll(async () => {
    await bridge?.close()
  })

  it('goes on with the same process, its conversation and its screen', async () => {
    const watch = await bridge.api.observe(session.id)
    await bridge.api.send(session.id, 'first words before the crash')
    await watch.turnEnd()
    watch.close()
    const before = await bridge.api.events(session.id)
    await bridge.kill9()
    await bridge.restart()
    const again = await bridge.api.session(session.id)
    expect(again).toMatchObject({ pid: session.pid, endedAt: null })
    const after = await bridge.api.observe(session.id)
    const from = after.events.length
    await bridge.api.send(session.id, 'second words after the crash')
    await after.turnEnd(from)
    const events = await bridge.api.events(session.id)
    // Dense, and nothing of the first turn was told again.
    expect(events.map((e) => e.seq)).toEqual(events.map((_, n) => n + 1))
    expect(events.slice(0, before.length)).toEqual(before)
    const prompts = itemsOf(events).flatMap((i) => (i.kind === 'user_message' ? [i.text] : []))
    expect(prompts).toEqual(['first words before the crash', 'second words after the crash'])
    expect(await bridge.api.screen(session.id)).toContain('second words after the crash')
    after.close()
  })

  it.each(MOMENTS)('killed when it was $name', async ({ name, at }) => {
    const messageId = `m-${name.replaceAll(' ', '-')}`
    const text = `words ${name} ${Date.now()}`
    const watch = await bridge.api.observe(session.id)
    const from = watch.events.length
    await bridge.api.send(session.id, text, messageId)
    const mine = (e: DurableEvent) => e.type === 'delivery' && e.messageId === messageId && at(e)
    await watch.until(`the message is ${name}`, (e) => 'seq' in e && mine(e), 30_000, from)
    await bridge.kill9()
    watch.close()
    await bridge.restart()
    const after = await bridge.api.observe(session.id)
    const final = await after.until<Extract<DurableEvent, { type: 'delivery' }>>(
      'a final receipt',
      (e) =>
        e.type === 'delivery' &&
        e.messageId === messageId &&
        (e.state === 'completed' || e.state === 'failed'),
    )
    if (final.state === 'completed') expect(arrived(text)).toBe(1)
    else {
      expect(final.undecided, final.reason ?? '').toBe(true)
      expect(arrived(text)).toBeLessThanOrEqual(1)
    }
    const told = itemsOf(await bridge.api.events(session.id)).filter(
      (i) => i.kind === 'user_message' && i.text === text,
    )
    expect(told.length).toBe(arrived(text))
    // And the session still takes prompts.
    const next = after.events.length
    await bridge.api.send(session.id, `after ${name}`)
    await after.turnEnd(next)
    after.close()
  })
})
