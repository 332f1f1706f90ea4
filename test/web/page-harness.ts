/** @module test/web/page-harness - a fake hub, one session and a paired tab for each test; what a tab must never do. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { FakeHub, type FakeSession } from './fake-hub.js'
import { buildPage, launch, openTab, type Watched } from './page-browser.js'

export const DESKTOP = { name: 'desktop', viewport: { width: 1280, height: 800 } } as const
export const PHONE = { name: '390 pixels', viewport: { width: 390, height: 844 } } as const
export const SIZES = [DESKTOP, PHONE]

export type Size = (typeof SIZES)[number]

/** What a test acts on; only good while one runs. */
export class Harness {
  readonly #now: { hub?: FakeHub; session?: FakeSession; page?: Page; browser?: Browser } = {}
  readonly #tabs: Watched[] = []

  get hub(): FakeHub {
    return there(this.#now.hub)
  }

  get session(): FakeSession {
    return there(this.#now.session)
  }

  get page(): Page {
    return there(this.#now.page)
  }

  get browser(): Browser {
    return there(this.#now.browser)
  }

  set(fields: { hub?: FakeHub; session?: FakeSession; page?: Page; browser?: Browser }): void {
    Object.assign(this.#now, fields)
  }

  /** A further tab of another browser profile, paired and open on the session. */
  async tab(size: Size = DESKTOP): Promise<Page> {
    const tab = await openTab(this.browser, this.hub.origin, { viewport: size.viewport })
    this.#tabs.push(tab)
    return tab.page
  }

  async open(page = this.page): Promise<void> {
    await page.goto(this.hub.link())
    await expect.poll(() => page.getByTestId('connection').getAttribute('data-status')).toBe('open')
    await page.getByTestId('composer').waitFor()
  }

  readonly at = (testId: string, page = this.page): Locator => page.getByTestId(testId)

  button(name: string | RegExp, page = this.page): Locator {
    return page.getByRole('button', { name, exact: typeof name === 'string' })
  }

  async shows(locator: Locator, text: string | RegExp): Promise<void> {
    await expect
      .poll(() => locator.textContent().then((found) => found?.trim() ?? ''), { timeout: 10_000 })
      .toMatch(text)
  }

  /** Begins a turn. */
  run(): void {
    this.session.durable({ type: 'turn.started', source: 'screen', turnId: 't1' })
    this.session.setState('running')
  }

  /** The receipt of a message, told by the hub. */
  receipt(messageId: string, fields: Partial<Delivered>): void {
    const told = { messageId, state: 'queued', reason: null, ...fields } as const
    this.session.durable({ type: 'delivery', source: 'bridge', ...told })
  }

  /** The newest that the hub was sent as messages. */
  posted(): { text: string; how: string; messageId: string } | undefined {
    return this.hub.posts.at(-1)
  }

  async close(size: Size): Promise<void> {
    for (const { page, faults } of this.#tabs.splice(0)) {
      expect(faults).toEqual([])
      expect(await page.evaluate(FITS), `fits at ${size.name}`).toBe(true)
      await page.context().close()
    }
    await this.hub.stop()
  }
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('no test runs')
  return value
}

type Delivered = Omit<
  Extract<FakeSession['events'][number], { type: 'delivery' }>,
  'type' | 'seq' | 'v' | 'id' | 'ts' | 'source' | 'sessionId' | 'messageId'
>

/** Nothing that a person can press is beyond the right edge, and the page itself does not scroll sideways. */
const FITS = `document.documentElement.scrollWidth <= innerWidth &&
  [...document.querySelectorAll('button, textarea, select')]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }))
    .every((node) => node.getBoundingClientRect().right <= innerWidth + 1)`

/** Sets up everything around each test of a file or of a `describe`. */
export function usePage(size: Size): Harness {
  const harness = new Harness()
  let built: Awaited<ReturnType<typeof buildPage>>
  beforeAll(async () => {
    built = await buildPage()
    harness.set({ browser: await launch() })
  })
  afterAll(async () => {
    await harness.browser.close()
    built.remove()
  })
  beforeEach(async () => {
    const hub = await FakeHub.start(built.root)
    harness.set({ hub, session: hub.addSession('s1', { name: 'first', createdAt: 1000 }) })
    harness.set({ page: await harness.tab(size) })
  })
  afterEach(async () => {
    await harness.close(size)
  })
  return harness
}
