/** The page in real Chromium, against the real hub and the real TUIs. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SessionInfo } from '../../src/protocol/session.js'
import { type Bridge, startBridge } from '../support/bridge.js'
import { claudeSetup, piSetup } from '../support/vendor-homes.js'
import { launch, openTab, type Watched } from './page-browser.js'

const VENDORS = { claude: claudeSetup, pi: piSetup }

describe.each(Object.keys(VENDORS) as (keyof typeof VENDORS)[])('the page drives %s', (vendor) => {
  let bridge: Bridge
  let browser: Browser
  let tab: Watched
  let page: Page
  let session: SessionInfo
  const item = (kind: string) => page.locator(`[data-testid=item][data-kind=${kind}]`)
  const composer = () => page.getByTestId('composer')
  const lastRequest = () => bridge.model.requests.filter((r) => r.kind === 'turn').at(-1)

  async function send(text: string): Promise<void> {
    await composer().fill(text)
    await page.getByTestId('send').click()
  }

  beforeAll(async () => {
    bridge = await startBridge()
    const setup = VENDORS[vendor](bridge.root, bridge.model.url)
    session = await bridge.api.create({ vendor, cwd: setup.cwd, env: setup.env })
    browser = await launch()
    tab = await openTab(browser, bridge.url)
    page = tab.page
    page.setDefaultTimeout(30_000)
    const { url } = await bridge.api.call<{ url: string }>('POST', '/v1/pairings')
    await page.goto(url)
    await page.getByTestId('session-item').filter({ hasText: session.name }).click()
  })
  afterAll(async () => {
    await browser?.close()
    await bridge?.close()
  })

  it('pairs by the link once, and the link leaves no code behind', async () => {
    await page.getByTestId('state').filter({ hasText: /idle/i }).waitFor()
    expect(page.url()).not.toContain('pair=')
    const stranger = await openTab(browser, bridge.url)
    await stranger.page.goto(bridge.url)
    await stranger.page.getByTestId('access').waitFor()
    expect(await stranger.page.getByTestId('session-item').count()).toBe(0)
    await stranger.page.context().close()
  })

  it('sends a prompt and shows the answer while it is written', async () => {
    await send('MEOW: chunks 5;; gate held;; text \\nThe end.')
    await bridge.model.gate('held').reached
    await item('assistant_message').filter({ hasText: 'line 0001 of 5' }).waitFor()
    expect(lastRequest()?.response.finished).toBeNull()
    expect(await page.getByText('The end.', { exact: true }).count()).toBe(0)
  })

  it('loses nothing when it is reloaded in the middle of the stream', async () => {
    await page.reload()
    await item('assistant_message').filter({ hasText: 'line 0001 of 5' }).waitFor()
    expect(await item('user_message').count()).toBe(1)
    bridge.model.gate('held').release()
    await item('assistant_message').filter({ hasText: 'The end.' }).waitFor()
    await page.getByTestId('turn').waitFor()
    expect(await item('assistant_message').count()).toBe(1)
    const text = await item('assistant_message').innerText()
    for (let n = 1; n <= 5; n += 1) expect(text.match(new RegExp(`line 000${n} of 5`, 'g'))).toHaveLength(1)
  })

  it('shows the live screen of the terminal beside the conversation', async () => {
    await page.getByTestId('view-split').click()
    await expect
      .poll(async () => (await page.getByTestId('terminal').innerText()).replaceAll('\u00a0', ' '), {
        timeout: 20_000,
      })
      .toContain('line 0003 of 5')
  })

  it('interrupts: the model loses its client and the turn says so', async () => {
    await send('MEOW: chunks 3;; gate stop;; text unreachable')
    await bridge.model.gate('stop').reached
    const running = lastRequest()
    await page.getByTestId('interrupt').click()
    await running?.ended
    expect(running?.response.finished).toBe('client_closed')
    await page.locator('[data-testid=turn][data-outcome=interrupted]').waitFor()
    await send('MEOW: usage 900000 50000 0 0;; text Back again.')
    await item('assistant_message').filter({ hasText: 'Back again.' }).waitFor()
  })

  it('shows the cost of the session as the API tells it', async () => {
    await expect
      .poll(
        async () => {
          const { usd } = await bridge.api.session(session.id)
          const shown = Number((await page.getByTestId('cost').innerText()).replace(/[^0-9.]/g, ''))
          return usd !== null && usd > 0.5 && Math.abs(shown - usd) <= 0.01
        },
        { timeout: 20_000 },
      )
      .toBe(true)
  })

  it('did nothing that a page of ours may not do', () => {
    expect(tab.faults).toEqual([])
  })
})
