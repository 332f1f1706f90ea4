/** How a session ends when nobody asked the bridge for it: by the vendor's own way out, and by a crash. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bridge, startBridge } from '../support/bridge.js'
import { claudeSetup, piSetup, type VendorSetup } from '../support/vendor-homes.js'

/** What a person types to leave. */
const WAY_OUT = { claude: '/exit', pi: '/quit' }
const VENDORS = { claude: claudeSetup, pi: piSetup }

describe.each(Object.keys(VENDORS) as (keyof typeof VENDORS)[])('%s', (vendor) => {
  let bridge: Bridge
  let setup: VendorSetup

  beforeAll(async () => {
    bridge = await startBridge()
    setup = VENDORS[vendor](bridge.root, bridge.model.url)
  })
  afterAll(async () => await bridge?.close())

  it('leaves by its own command: told as exited, and nothing of it is left', async () => {
    const session = await bridge.api.create({ vendor, cwd: setup.cwd, env: setup.env })
    const watch = await bridge.api.observe(session.id)
    watch.type(session.id, WAY_OUT[vendor])
    await expect.poll(() => bridge.api.screen(session.id), { timeout: 20_000 }).toContain(WAY_OUT[vendor])
    const ended = watch.until('the session ends', (e) => e.type === 'session.ended', 40_000)
    // A completion popup may take the first Enter.
    for (let n = 0; n < 3 && (await bridge.api.session(session.id)).state !== 'ended'; n += 1) {
      await bridge.api
        .call('POST', `/v1/sessions/${session.id}/keys`, { keys: ['Enter'] })
        .catch(() => undefined)
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 3000))])
    }
    expect(await ended).toMatchObject({ reason: 'exited', exitCode: 0, signal: null })
    expect(existsSync(`/proc/${session.pid}`)).toBe(false)
    watch.close()
  })

  it('is killed in the middle of a turn: turn and message say that it failed, once', async () => {
    const session = await bridge.api.create({ vendor, cwd: setup.cwd, env: setup.env })
    const watch = await bridge.api.observe(session.id)
    await bridge.api.send(session.id, 'MEOW: chunks 3;; gate crash;; text unreachable', 'm1')
    await bridge.api.send(session.id, 'MEOW: text never sent', 'm2')
    await bridge.model.gate('crash').reached
    await watch.until('a delta', (e) => e.type === 'item.delta', 20_000)
    process.kill(session.pid ?? 0, 'SIGKILL')
    expect(await watch.until('the session ends', (e) => e.type === 'session.ended', 30_000)).toMatchObject({
      reason: 'exited',
      signal: 'SIGKILL',
    })
    const told = watch.events
    expect(told.filter((e) => e.type === 'turn.completed')).toMatchObject([{ outcome: 'failed' }])
    const last = (id: string) => told.filter((e) => e.type === 'delivery' && e.messageId === id).at(-1)
    expect(last('m1')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('its end was not seen'),
    })
    expect(last('m2')).toMatchObject({ state: 'failed', reason: expect.stringContaining('was not sent') })
    expect(bridge.model.requests.some((r) => r.lastUserText.includes('never sent'))).toBe(false)
    watch.close()
  })
})
