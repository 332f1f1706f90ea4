/** @module test/web/page-trust - hostile text, the live terminal, narrow screens. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Item } from '../../src/protocol/items.js'
import { FakeHub, type FakeSession } from './fake-hub.js'
import { buildPage, launch, openTab, type Watched } from './page-browser.js'

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
  session = hub.addSession('s1')
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
  await at('composer').waitFor()
}

function add(itemId: string, what: Item): void {
  session.durable({ type: 'item.completed', source: 'transcript', itemId, turnId: null, item: what })
}

const HOSTILE = [
  '<img src=x onerror="window.pwned=1">',
  '<script>window.pwned=1</script>',
  '[click](javascript:window.pwned=1)',
  '[click](data:text/html,<script>1</script>)',
  '![picture](https://evil.example/pixel.png)',
  '<a href="javascript:alert(1)">x</a>',
  '[ok](https://example.com/ "title")',
  '\u202egnp.exe',
  '\u001b]0;title\u0007\u001b[31m',
  '`<svg onload=alert(1)>`',
].join('\n\n')

describe('hostile text', () => {
  it('does nothing in any kind of item', async () => {
    await open()
    const kinds: Item[] = [
      { kind: 'assistant_message', text: HOSTILE },
      { kind: 'user_message', text: HOSTILE, origin: 'terminal' },
      { kind: 'reasoning', text: HOSTILE },
      { kind: 'notice', text: HOSTILE, level: 'error' },
      { kind: 'command', text: HOSTILE },
      { kind: 'compaction', text: HOSTILE },
      { kind: 'plan', text: HOSTILE },
      { kind: 'diff', text: HOSTILE },
      {
        kind: 'tool_call',
        callId: 'c',
        tool: 'edit',
        name: HOSTILE,
        input: { file_path: HOSTILE, old_string: HOSTILE, new_string: HOSTILE },
        status: 'completed',
        output: HOSTILE,
      },
    ]
    kinds.forEach((what, n) => {
      add(`h${n}`, what)
    })
    session.durable({ type: 'gap', source: 'bridge', what: HOSTILE, detail: HOSTILE })
    session.change({ name: HOSTILE, cwd: HOSTILE, model: HOSTILE })
    await item('h8').waitFor()
    await item('h8').locator('.tool-head').click()
    await item('h2').locator('summary').click()
    await item('h5').locator('summary').click()
    await expect.poll(() => at('conversation').textContent()).toContain('Something is missing')
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(
      await page.locator('#root :is(img, script, iframe, object, embed, style, form form)').count(),
    ).toBe(0)
    const links = page.locator('.log a')
    const targets = await links.evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    expect(new Set(targets)).toEqual(new Set(['https://example.com/', 'https://evil.example/pixel.png']))
    for (const link of await links.all()) expect(await link.getAttribute('rel')).toContain('noopener')
    const shown = (await page.locator('#root').textContent()) ?? ''
    expect(shown).toContain('[U+202E]gnp.exe')
    expect(shown).not.toMatch(/[\u001b\u202e]/)
    expect(await page.title()).not.toMatch(/^title/)
  })

  it('of a megabyte in one line leaves the page usable', async () => {
    await open()
    add('big1', { kind: 'assistant_message', text: '*a_'.repeat(350_000) })
    const input = { command: 'y'.repeat(1_000_000) }
    const output = 'x'.repeat(1_000_000)
    const call = { kind: 'tool_call', callId: 'c', tool: 'shell', name: 'Bash', input } as const
    add('big2', { ...call, status: 'completed', output })
    add('big3', { kind: 'assistant_message', text: `${'**_['.repeat(10_000)}` })
    await item('big3').waitFor()
    expect((await item('big2').textContent())?.length).toBeLessThan(10_000)
    await item('big2')
      .getByRole('button', { name: /Show all/ })
      .click()
    await expect.poll(() => item('big2').textContent()).toContain('are not shown')
    const begun = Date.now()
    await at('composer').fill('still here')
    expect(await at('composer').inputValue()).toBe('still here')
    expect(Date.now() - begun).toBeLessThan(5000)
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  })
})

describe('the live terminal', () => {
  const inputs = () =>
    hub.frames.flatMap((frame) =>
      frame.type === 'terminal.input' ? [Buffer.from(frame.data, 'base64').toString()] : [],
    )
  const screen = async () => (await at('terminal').locator('.xterm-rows').textContent()) ?? ''

  it('shows the snapshot and then each byte once', async () => {
    session.terminal.screen = 'snapshot '
    session.terminal.offset = 100
    await open()
    await at('view-split').click()
    await expect.poll(screen).toContain('snapshot')
    hub.tellTerminal(95, 'xxxxxABC')
    hub.tellTerminal(98, 'yyABC')
    hub.tellTerminal(103, 'DEF', 8)
    hub.tellTerminal(103, '\r\nnext')
    await expect.poll(screen).toContain('next')
    expect(await screen()).toMatch(/^snapshot ABC\s*next\s*$/)
    session.terminal.screen = 'a new snapshot'
    session.terminal.offset = 500
    hub.tellTerminal(400, 'after a hole')
    await expect.poll(screen).toContain('a new snapshot')
    expect(await screen()).not.toContain('hole')
    await at('view-conversation').click()
    await expect.poll(() => hub.frames.at(-1)?.type).toBe('terminal.unsubscribe')
  })

  it('takes keys only when a person switches typing on, and never answers a program', async () => {
    await open()
    await at('view-terminal').click()
    await at('terminal').locator('.xterm-rows').waitFor()
    await at('terminal').locator('.xterm-screen').click()
    await page.keyboard.type('ls')
    await at('terminal-typing').click()
    await expect.poll(() => at('terminal').getAttribute('data-typing')).toBe('true')
    const queries = [
      '\u001b[c\u001b[>c\u001b[=c\u001b[5n\u001b[6n\u001b[?6n\u001b[?2026$p\u001b[4$p\u001b[18t\u001b[>q\u001b[?u',
      '\u001b]10;?\u0007\u001b]11;?\u001b\\\u001b]4;1;?\u0007\u001b]12;?\u0007\u001bP$qm\u001b\\\u001bP+q544e\u001b\\',
      '\u001b[?1004h',
      '\u001b]0;hostile title\u0007\u001b]2;hostile title\u0007\u001b]52;c;aGk=\u0007',
      '\u001b]8;;javascript:alert(1)\u001b\\link\u001b]8;;\u001b\\ https://example.com',
      '<img src=x onerror=alert(1)>',
    ].join('')
    hub.tellTerminal(0, queries)
    await expect.poll(screen).toContain('onerror')
    await page.keyboard.type('a')
    await page.keyboard.press('Enter')
    await expect.poll(inputs).toEqual(['a', '\r'])
    expect(await page.title()).not.toContain('hostile')
    await at('terminal')
      .getByText('link')
      .first()
      .click({ force: true, position: { x: 5, y: 5 } })
    await page.keyboard.press('Shift+Escape')
    await expect.poll(() => page.evaluate('document.activeElement.dataset.testid')).toBe('terminal-typing')
    await page.keyboard.press('Enter')
    await expect.poll(() => at('terminal').getAttribute('data-typing')).toBe('false')
    await at('terminal').locator('.xterm-screen').click()
    await page.keyboard.type('zz')
    hub.tellTerminal(Buffer.byteLength(queries), 'end')
    await expect.poll(screen).toContain('end')
    expect(inputs()).toEqual(['a', '\r'])
    expect(hub.frames.some(({ type }) => type.includes('resize'))).toBe(false)
  })

  it('comes back after a broken connection', async () => {
    await open()
    await at('view-split').click()
    await at('terminal').locator('.xterm-rows').waitFor()
    hub.dropConnections()
    session.terminal.screen = 'as it is now'
    await expect.poll(screen, { timeout: 10_000 }).toContain('as it is now')
  })
})

describe('narrow screens and keyboards', () => {
  it('can be read and used at 320 pixels', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    add('a1', {
      kind: 'assistant_message',
      text: `A ${'long'.repeat(60)} word\n\n| a | b |\n|-|-|\n| ${'c'.repeat(80)} | d |`,
    })
    const input = { command: 'cat /a/very/long/path/that/does/not/fit/on/the/screen' }
    const call = { kind: 'tool_call', callId: 'c', tool: 'shell', name: 'Bash', input } as const
    add('c1', { ...call, status: 'completed', output: 'o'.repeat(400) })
    hub.addSession('s2', { name: 'other', createdAt: 0 })
    await open()
    await item('c1').waitFor()
    const fits = () =>
      page.evaluate(
        `document.documentElement.scrollWidth <= 320 && [...document.querySelectorAll('button, textarea, h1')]
          .filter((node) => node.checkVisibility({ visibilityProperty: true }))
          .every((node) => node.getBoundingClientRect().right <= 320)`,
      )
    expect(await fits()).toBe(true)
    expect(await at('session-list').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Sessions' }).click()
    await expect.poll(() => at('session-list').isVisible()).toBe(true)
    await at('session-item').nth(1).click()
    await expect.poll(() => at('session-list').isVisible()).toBe(false)
    expect(await page.locator('h1').textContent()).toBe('other')
    await at('view-terminal').click()
    await at('terminal').locator('.xterm-rows').waitFor()
    expect(await fits()).toBe(true)
    await at('composer').fill('from a phone')
    await at('send').click()
    await expect.poll(() => hub.posts.length).toBe(1)
  })

  it('can be used with the keyboard alone', async () => {
    await open()
    await at('composer').focus()
    await page.keyboard.type('by hand')
    const focused = () => page.evaluate('document.activeElement.dataset.testid')
    for (const next of ['commands', 'add-images', 'send']) {
      await page.keyboard.press('Tab')
      await expect.poll(focused).toBe(next)
    }
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid')
    await page.keyboard.press('Enter')
    await expect.poll(() => hub.posts.length).toBe(1)
    await at('new-session').focus()
    await page.keyboard.press('Enter')
    await at('new-session-dialog').waitFor()
    await page.keyboard.press('Escape')
    await at('new-session-dialog').waitFor({ state: 'detached' })
    expect(await page.getByRole('log').count()).toBe(1)
    expect(await page.getByRole('status').count()).toBeGreaterThan(0)
  })

  it('follow the light or dark wish of the system', async () => {
    await open()
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await background()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await background()).not.toBe(light)
  })
})
