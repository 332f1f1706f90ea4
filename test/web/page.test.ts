/** @module test/web/page - the built page in a real browser, against a scripted hub. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MeowError } from '../../src/protocol/errors.js'
import { FakeHub, type FakeSession, vendor } from './fake-hub.js'
import { buildPage, launch, openTab, type Watched } from './page-browser.js'
import { usage } from './page-script.js'

let built: Awaited<ReturnType<typeof buildPage>>
let browser: Browser
let hub: FakeHub
let session: FakeSession
let tab: Watched
let page: Page

beforeAll(async () => {
  built = await buildPage()
  browser = await launch()
})

afterAll(async () => {
  await browser.close()
  built.remove()
})

beforeEach(async () => {
  hub = await FakeHub.start(built.root)
  session = hub.addSession('s1', { name: 'first', createdAt: 1000 })
  tab = await openTab(browser, hub.origin)
  page = tab.page
})

afterEach(async () => {
  expect(tab.faults).toEqual([])
  await page.context().close()
  await hub.stop()
})

const at = (testId: string): Locator => page.getByTestId(testId)
const item = (itemId: string): Locator => page.locator(`[data-item-id="${itemId}"]`)

async function open(): Promise<void> {
  await page.goto(hub.link())
  await until(at('connection'), 'data-status', 'open')
  await at('composer').waitFor()
}

/** Waits for an attribute's value. */
async function until(locator: Locator, name: string, value: string): Promise<void> {
  await expect.poll(() => locator.getAttribute(name), { timeout: 10_000 }).toBe(value)
}

async function shows(locator: Locator, text: string | RegExp): Promise<void> {
  await expect
    .poll(() => locator.textContent().then((found) => found?.trim() ?? ''), { timeout: 10_000 })
    .toMatch(text)
}

function start(itemId: string, turnId = 't1'): void {
  session.durable({ type: 'turn.started', source: 'screen', turnId })
  session.setState('running')
  const made = { kind: 'assistant_message', text: '' } as const
  session.durable({ type: 'item.started', source: 'rpc', itemId, turnId, kind: made.kind, item: made })
}

function complete(itemId: string, text: string): void {
  const done = { kind: 'assistant_message', text } as const
  session.durable({ type: 'item.completed', source: 'transcript', itemId, turnId: 't1', item: done })
}

describe('pairing', () => {
  it('takes the code out of the address bar and keeps the browser known', async () => {
    await open()
    expect(page.url()).toBe(`${hub.origin}/#/s/s1`)
    await page.reload()
    await at('composer').waitFor()
    expect(page.url()).toBe(`${hub.origin}/#/s/s1`)
  })

  it('says what to do without a cookie, or with a code that is used up', async () => {
    await page.goto(hub.origin)
    await shows(at('access'), /not paired.*agent-meow up/s)
    const link = hub.link()
    const other = await openTab(browser, hub.origin)
    await other.page.goto(link)
    await other.page.getByTestId('composer').waitFor()
    await other.page.context().close()
    await page.goto('about:blank')
    await page.goto(link)
    await shows(at('access'), /did not work: the code is used up.*agent-meow up/s)
    expect(page.url()).not.toContain('pair')
    // A fresh link in the same tab only changes the fragment.
    await page.goto(hub.link())
    await at('composer').waitFor()
  })
})

describe('sessions', () => {
  it('are listed newest first, with state, model and cost', async () => {
    hub.addSession('s2', {
      name: 'second',
      createdAt: 2000,
      state: 'blocked',
      tokens: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
      usd: 0.5,
    })
    await open()
    await expect.poll(() => at('session-item').count()).toBe(2)
    await shows(at('session-item').nth(0), /second.*blocked.*claude-sonnet-4-5.*\$0\.50/s)
    await shows(at('session-item').nth(1), /first.*idle/s)
    await shows(at('cost'), /^\$0\.50$/)
    await shows(at('tokens'), '15 tokens')
    expect(page.url()).toContain('/s/s2')
    await at('session-item').nth(1).click()
    expect(page.url()).toContain('/s/s1')
    await shows(at('cost'), 'no usage yet')
    session.change({ tokens: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 } })
    await shows(at('cost'), 'price unknown')
    await page.goBack()
    await shows(page.locator('h1'), 'second')
  })

  it('are started from the form; a refusal shows its hint', async () => {
    hub.vendors = [vendor('none', { binary: null }), vendor('claude'), vendor('codex')]
    hub.refuseCreate = new MeowError('vendor_auth_missing', 'claude is not logged in', {
      hint: 'run claude login',
    })
    await open()
    await at('new-session').click()
    const dialog = at('new-session-dialog')
    await expect.poll(() => dialog.locator('select').inputValue()).toBe('claude')
    expect(await dialog.locator('option[value=none]').isDisabled()).toBe(true)
    await dialog.locator('input[name=cwd]').fill('/srv/app')
    await dialog.locator('input[name=model]').fill('opus')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await shows(at('fault'), /not logged in.*run claude login/)
    hub.refuseCreate = null
    await dialog.getByRole('button', { name: 'Start' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(hub.created.at(-1)).toMatchObject({ vendor: 'claude', cwd: '/srv/app', model: 'opus' })
    await expect.poll(() => page.url()).toContain('/s/made2')
  })

  it('are ended after a question, and take no more prompts then', async () => {
    await open()
    await at('end-session').click()
    await page.getByRole('button', { name: 'Keep it' }).click()
    expect(hub.killed).toEqual([])
    await at('end-session').click()
    await at('end-confirm').click()
    await shows(at('state'), 'ended')
    expect(hub.killed).toEqual(['s1'])
    expect(await at('composer').isDisabled()).toBe(true)
    await shows(at('conversation'), 'The session was ended')
  })
})

describe('conversation', () => {
  it('shows text before it is completed, then the completed text in its place', async () => {
    await open()
    start('a1')
    session.delta('a1', 'Hello **wor')
    await shows(item('a1'), /Hello \*\*wor/)
    await until(item('a1'), 'data-status', 'running')
    session.delta('a1', 'ld**')
    await expect.poll(() => item('a1').locator('strong').textContent()).toBe('world')
    complete('a1', 'Hello *there*')
    await until(item('a1'), 'data-status', 'completed')
    await shows(item('a1'), /^Hello there$/)
    const turn = { turnId: 't1', outcome: 'interrupted', detail: null, usage: usage(1200, null) } as const
    session.durable({ type: 'turn.completed', source: 'screen', ...turn })
    await shows(at('turn'), /Interrupted.*1\.2k tokens.*price unknown/)
  })

  it('shows tool calls with their status, output folded', async () => {
    await open()
    const input = { command: 'seq 30' }
    const call = { kind: 'tool_call', callId: 'c', tool: 'shell', name: 'Bash', input } as const
    const ids = { itemId: 'c1', turnId: null }
    const running = { ...call, status: 'running' } as const
    session.durable({ type: 'item.started', source: 'hook', ...ids, kind: 'tool_call', item: running })
    session.live({ type: 'tool.output', source: 'screen', ...ids, text: 'so far', omitted: 12 })
    await shows(item('c1'), /Bash.*seq 30.*running.*12 characters before this.*so far/s)
    const output = Array.from({ length: 30 }, (_, n) => `line ${n + 1}`).join('\n')
    const done = { ...call, status: 'failed', output } as const
    session.durable({ type: 'item.completed', source: 'transcript', ...ids, item: done })
    await until(item('c1'), 'data-status', 'failed')
    await shows(item('c1'), /line 12/)
    expect(await item('c1').textContent()).not.toContain('line 13')
    await item('c1').getByRole('button', { name: 'Show all (30 lines)' }).click()
    await shows(item('c1'), /line 30/)
  })

  it('follows growing text only for a person who is at its end', async () => {
    await open()
    for (let n = 0; n < 40; n += 1) complete(`p${n}`, `Paragraph ${n}\n\nwith two lines`)
    await item('p39').waitFor()
    const scroller = at('conversation-scroller')
    const distance = () => scroller.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)
    await expect.poll(distance).toBeLessThan(2)
    start('a1')
    session.delta('a1', 'one\n\n'.repeat(30))
    await shows(item('a1'), 'one')
    await expect.poll(distance).toBeLessThan(2)
    await scroller.hover()
    await page.mouse.wheel(0, -300)
    const top = () => scroller.evaluate((box) => box.scrollTop)
    await expect.poll(distance).toBeGreaterThan(200)
    let before = -1
    // The browser glides to where the wheel points.
    await expect
      .poll(async () => {
        const last = before
        before = await top()
        return before - last
      })
      .toBe(0)
    session.delta('a1', 'two\n\n'.repeat(30))
    await shows(item('a1'), 'two')
    expect(await top()).toBe(before)
    await page.getByRole('button', { name: '↓ Latest' }).click()
    await expect.poll(distance).toBeLessThan(2)
  })

  it('loses nothing over a reload in the middle of the text', async () => {
    await open()
    start('a1')
    session.delta('a1', 'first ')
    await shows(item('a1'), 'first')
    await page.reload()
    session.delta('a1', 'second ')
    await shows(item('a1'), /^first second$/)
    session.delta('a1', 'third')
    await shows(item('a1'), /^first second third$/)
    await until(item('a1'), 'data-status', 'running')
  })

  it('catches up after a broken connection, from where it stood', async () => {
    await open()
    start('a1')
    session.delta('a1', 'before ')
    await shows(item('a1'), 'before')
    const since = session.events.length
    hub.accepting = false
    hub.dropConnections()
    await until(at('connection'), 'data-status', 'reconnecting')
    session.delta('a1', 'meanwhile ')
    complete('a2', 'A second one')
    hub.accepting = true
    await until(at('connection'), 'data-status', 'open')
    await shows(item('a2'), 'A second one')
    session.delta('a1', 'after')
    await shows(item('a1'), /^before meanwhile after$/)
    const subscribed = hub.frames.filter((frame) => frame.type === 'session.subscribe')
    expect(subscribed.at(-1)).toEqual({ type: 'session.subscribe', sessionId: 's1', since })
    expect(await at('item').count()).toBe(2)
  })

  it('notices an event that never came', async () => {
    await open()
    complete('a1', 'one')
    await shows(item('a1'), 'one')
    const done = { kind: 'assistant_message', text: 'lost on the way' } as const
    session.durable(
      { type: 'item.completed', source: 'transcript', itemId: 'a2', turnId: null, item: done },
      { lost: true },
    )
    complete('a3', 'three')
    await shows(item('a2'), 'lost on the way')
    await shows(item('a3'), 'three')
    expect(await at('item').count()).toBe(3)
  })
})

describe('prompts', () => {
  it('are sent once, with a receipt until they are part of the conversation', async () => {
    await open()
    await at('composer').fill('first line')
    await at('composer').press('Shift+Enter')
    await at('composer').pressSequentially('second line')
    await at('composer').press('Enter')
    await shows(at('pending'), /first line\nsecond line.*queued/s)
    await expect.poll(() => at('composer').inputValue()).toBe('')
    const [post] = hub.posts
    expect(hub.posts).toHaveLength(1)
    expect(post?.text).toBe('first line\nsecond line')
    const messageId = post?.messageId ?? ''
    session.durable({ type: 'delivery', source: 'bridge', messageId, state: 'accepted', reason: null })
    await until(at('pending'), 'data-state', 'accepted')
    const said = { kind: 'user_message', text: post?.text ?? '', origin: 'bridge', messageId } as const
    session.durable({ type: 'item.completed', source: 'transcript', itemId: 'u1', turnId: 't1', item: said })
    await shows(item('u1'), 'second line')
    await at('pending').waitFor({ state: 'detached' })
  })

  it('are tried again with the same id when the network fails, and still typed once', async () => {
    await open()
    hub.delivery.sabotage = ['before', 'after']
    await at('composer').fill('only once')
    await at('send').click()
    await expect.poll(() => at('composer').inputValue()).toBe('')
    expect(hub.posts.length).toBeGreaterThanOrEqual(2)
    expect(new Set(hub.posts.map(({ messageId }) => messageId)).size).toBe(1)
    expect(hub.messages.size).toBe(1)
    await expect.poll(() => at('pending').count()).toBe(1)
  })

  it('stay in the composer when they are refused, with the hint', async () => {
    await open()
    const refuse = new MeowError('too_large', 'the message is too long', { hint: 'send it in parts' })
    hub.delivery.sabotage = [{ refuse }]
    await at('composer').fill('keep me')
    await at('send').click()
    await shows(at('fault'), /too long.*send it in parts/)
    expect(await at('composer').inputValue()).toBe('keep me')
    await page.reload()
    await expect.poll(() => at('composer').inputValue()).toBe('keep me')
    await at('send').click()
    await expect.poll(() => at('composer').inputValue()).toBe('')
    expect(new Set(hub.posts.map(({ messageId }) => messageId)).size).toBe(2)
  })

  it('that were not delivered say why and can be put back', async () => {
    await open()
    const failed = {
      messageId: 'm1',
      state: 'failed',
      reason: 'a dialog is open',
      text: 'lost prompt',
    } as const
    session.durable({ type: 'delivery', source: 'bridge', ...failed })
    await shows(at('failed-delivery'), /lost prompt.*a dialog is open/s)
    await page.getByRole('button', { name: 'Put back' }).click()
    expect(await at('composer').inputValue()).toBe('lost prompt')
  })

  it('are kept per session while they are written', async () => {
    hub.addSession('s2', { name: 'second', createdAt: 2000 })
    await open()
    await at('composer').fill('for the second')
    await at('session-item').nth(1).click()
    await shows(page.locator('h1'), 'first')
    expect(await at('composer').inputValue()).toBe('')
    await at('session-item').nth(0).click()
    await expect.poll(() => at('composer').inputValue()).toBe('for the second')
  })

  it('can be interrupted while they run, and only then', async () => {
    await open()
    expect(await at('interrupt').isDisabled()).toBe(true)
    start('a1')
    await expect.poll(() => at('interrupt').isEnabled()).toBe(true)
    await at('interrupt').click()
    await shows(at('interrupt-outcome'), 'Interrupted; seen: the spinner left the screen')
    expect(hub.interrupted).toEqual(['s1'])
    session.setState('idle')
    await expect.poll(() => at('interrupt').isDisabled()).toBe(true)
  })
})
