/** @module test/web/page-recordings - recordings in the built page, in a real browser, from a real hub. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { replayText } from '../../src/hub/replay-job.js'
import type { RecordingInfo } from '../../src/protocol/session.js'
import type { Recorder } from '../../src/session/handle.js'
import { saveRecording } from '../../src/session/recording-catalog.js'
import type { CastEvent } from '../../src/terminal/index.js'
import { castText } from '../replay/cast-text.js'
import { painterReader } from '../replay/painter.js'
import { random, record } from '../replay/recorded.js'
import { recording } from '../unit/cli-fakes.js'
import { startTestHub, type TestHub } from '../unit/hub-harness.js'
import { buildPage, launch, openTab, type Watched } from './page-browser.js'

let built: Awaited<ReturnType<typeof buildPage>>
let browser: Browser
let hub: TestHub
let tab: Watched
let page: Page
/** What the page said to its console as an error, and sent over its stream. */
let complaints: string[]
let sent: string[]

const HOSTILE = '<img src=x onerror="window.pwned=1">'
const SAID = [
  { kind: 'user_message', text: 'first question' },
  { kind: 'assistant_message', text: `First answer ${HOSTILE}` },
  { kind: 'user_message', text: 'second question' },
  { kind: 'tool_call', text: 'list(.)\nREADME' },
  { kind: 'assistant_message', text: 'Second answer, the last one.' },
] as const
/** What a terminal would answer, a title, a link, the clipboard. */
const ASKS =
  '\u001b[c\u001b[6n\u001b[?2026$p\u001b]11;?\u0007\u001b]0;evil title\u0007\u001b]52;c;ZXZpbA==\u0007\u001b]8;;https://evil.example\u0007'

/** Two turns in 2.5 s, a new size with the last screen, and a minute in which nothing happens. */
function events(): CastEvent[] {
  const { events: drawn } = record('ink', SAID, random(7), { resizes: false, cut: false })
  const end = drawn.at(-1)?.at ?? 0
  return [
    { at: 0, kind: 'o', data: ASKS },
    ...drawn,
    { at: end + 100, kind: 'r', data: '90x20' },
    { at: end + 60_000, kind: 'm', data: 'a chapter' },
  ]
}

function listed(over: Partial<RecordingInfo> = {}, text = castText(events())): RecordingInfo {
  const { name = 's_7-1' } = over
  const file = join(hub.home, `${name}.cast`)
  const times = { startedAt: 1_700_000_000_000, endedAt: 1_700_000_062_000 }
  const info = recording({
    vendor: 'painter',
    vendorVersion: '1.0',
    name,
    file,
    state: 'stopped',
    ...times,
    ...over,
  })
  fs.writeFileSync(file, text)
  saveRecording(join(hub.home, 'recordings'), info)
  return info
}

beforeAll(async () => {
  built = await buildPage()
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  built.remove()
})
beforeEach(async () => {
  hub = await startTestHub({
    webRoot: built.root,
    replay: (job) => replayText(job, { readers: [painterReader], adapters: [] }),
  })
  fs.mkdirSync(join(hub.home, 'recordings'))
  await open({})
})
afterEach(async () => {
  expect([...tab.faults, ...complaints]).toEqual([])
  await page.context().close()
  await hub.close()
})

async function open(options: Parameters<typeof openTab>[2]): Promise<void> {
  await page?.context().close()
  tab = await openTab(browser, hub.hub.url, options)
  page = tab.page
  complaints = []
  sent = []
  page.on('console', (message) => {
    // A browser that is not paired yet is told so by a status, which is an error in the console.
    if (message.type() === 'error' && !message.text().includes('401')) complaints.push(message.text())
  })
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
}

/** Waits for a value; the bound only fails the test. */
const poll = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: 10_000 })
const at = (testId: string): Locator => page.getByTestId(testId)
const items = () => at('item').count()
const screen = async () => (await at('player-terminal').innerText()).replaceAll('\u00a0', ' ')
const seconds = async () => Number(/t=([\d.]+)/.exec(page.url())?.[1] ?? Number.NaN)

async function pair(): Promise<void> {
  const { url } = await hub.client.createPairing()
  await page.goto(url)
  await at('connection').and(page.locator('[data-status=open]')).waitFor({ state: 'attached' })
}

/** The player with a loaded recording at the time that the address names. */
async function play(hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to
  }, hash)
  await poll(() => at('player-toggle').isEnabled()).toBe(true)
  await at('player-terminal').and(page.locator('[data-caught-up=true]')).waitFor()
}

describe('a recording', () => {
  it('is listed, and plays with its conversation beside it; back there is less of both', async () => {
    listed()
    await pair()
    const chunks: string[] = []
    page.on('request', (request) => chunks.push(request.url()))
    await at('recordings').click()
    const row = at('recording-item')
    expect(await row.innerText()).toMatch(/s_7-1\s+1:02\s+painter 1\.0\s+.*2023/)
    expect(chunks.some((url) => url.includes('PlayerView'))).toBe(false)
    await row.click()
    await page.waitForURL('**/#/recordings/s_7-1')
    expect(await row.getAttribute('aria-current')).toBe('page')
    await at('conversation').waitFor()
    await poll(async () => [await items(), await at('player-time').innerText()]).toEqual([0, '0:00 / 1:02'])

    await at('player-speed').selectOption('8')
    await at('player-toggle').click()
    await at('player-toggle').filter({ hasText: 'Play' }).waitFor()
    await poll(screen).toContain('Second answer, the last one.')
    // The screen has the size that the recording told, and nothing of it became a part of the page.
    await poll(() => page.locator('.xterm-rows > div').count()).toBe(20)
    await poll(() => at('player-time').innerText()).toBe('1:02 / 1:02')
    await poll(() => at('conversation').innerText()).toContain('Second answer, the last one.')
    await poll(items).toBe(5)
    await poll(() => at('conversation').innerText()).toContain(HOSTILE)

    // Back by a mark on the bar, then to its beginning: the screen and the conversation of those times.
    await at('player-marker').nth(1).click()
    await poll(items).toBe(3)
    await poll(screen).toContain('second question')
    await poll(screen).toContain('First answer')
    await poll(screen).not.toContain('Second answer')
    await poll(() => page.locator('.xterm-rows > div').count()).toBe(24)
    await at('player-seek').press('Home')
    await poll(items).toBe(0)
    await poll(screen).not.toContain('answer')
    await poll(screen).toContain('Painter 1.0')
  })

  it('answers nothing that its program asks, and sets nothing of the page', async () => {
    listed()
    await pair()
    await play('#/recordings/s_7-1?t=62')
    await poll(screen).toContain('Second answer')
    await at('player-terminal').click()
    await page.keyboard.type('typed')
    expect(sent.filter((frame) => frame.includes('terminal.input'))).toEqual([])
    expect(await page.title()).toBe('s_7-1 · agent-meow')
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false)
    expect(await page.locator('.player a[href*="evil"], .player img').count()).toBe(0)
  })

  it('opens at the time of its address, tells it when a person goes elsewhere, and obeys the keyboard', async () => {
    listed()
    await pair()
    await play('#/recordings/s_7-1?t=2')
    await poll(items).toBe(2)
    await poll(() => at('player-time').innerText()).toBe('0:02 / 1:02')
    await page.keyboard.press(']')
    await poll(seconds).toBe(2.3)
    await page.keyboard.press('[')
    await poll(seconds).toBe(1.1)
    await page.keyboard.press('ArrowLeft')
    await poll(seconds).toBe(0)
    await page.keyboard.press('Space')
    await at('player-toggle').filter({ hasText: 'Pause' }).waitFor()
    await page.keyboard.press('Space')
    await at('player-toggle').filter({ hasText: 'Play' }).waitFor()
    // A link to another time in the same recording, then back to where it was.
    await page.evaluate(() => {
      location.hash = '#/recordings/s_7-1?t=60'
    })
    await poll(items).toBe(5)
  })

  it('has its long pauses cut unless a person wants them', async () => {
    listed()
    await pair()
    await play('#/recordings/s_7-1')
    const length = () => at('player-seek').getAttribute('max').then(Number)
    expect(await length()).toBeLessThan(6)
    expect(await at('player-pauses').getAttribute('aria-checked')).toBe('true')
    await at('player-pauses').click()
    expect(await length()).toBeGreaterThan(60)
  })

  it('of an unknown program shows its terminal, and says why there is no conversation', async () => {
    listed({ name: 's_8-1', vendor: 'stranger' }, castText(events(), { vendor: 'stranger' }))
    await pair()
    await play('#/recordings/s_8-1?t=62')
    await poll(screen).toContain('Second answer')
    expect(await at('replay-note').innerText()).toContain('nothing here reads the screens of stranger')
    await poll(items).toBe(0)
    expect(await at('player-marker').count()).toBe(0)
  })

  it('that is none says so', async () => {
    listed({ name: 's_9-1' }, 'no cast')
    await pair()
    await page.evaluate(() => {
      location.hash = '#/recordings/s_9-1'
    })
    await poll(() => at('player-terminal').innerText()).toContain('no header')
  })

  it('fits a phone: terminal above, conversation below, controls in sight', async () => {
    await open({ viewport: { width: 390, height: 780 } })
    listed()
    await pair()
    await play('#/recordings/s_7-1?t=62')
    await poll(items).toBe(5)
    const box = async (locator: Locator) =>
      (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const terminal = await box(at('player-terminal'))
    const conversation = await box(at('conversation-scroller'))
    const controls = await box(at('player-speed'))
    expect(terminal.y + terminal.height).toBeLessThanOrEqual(conversation.y + 2)
    expect(Math.min(terminal.height, conversation.height)).toBeGreaterThan(150)
    expect(controls.y + controls.height).toBeLessThanOrEqual(780)
    expect(controls.x + controls.width).toBeLessThanOrEqual(390)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})

describe('a session', () => {
  it('is recorded from its page, and the recording is there to be played', async () => {
    const fake = await hub.session()
    let now: RecordingInfo | null = null
    const name = `${fake.id}-1`
    const recorder: Recorder = {
      current: () => now,
      start: async () => {
        now = listed({ name, sessionId: fake.id, state: 'recording', endedAt: null })
        return now
      },
      stop: async () => {
        now = null
        return listed({ name, sessionId: fake.id })
      },
    }
    Object.assign(fake, { recorder })
    await pair()
    await at('record').click()
    await at('record').filter({ hasText: 'Stop recording' }).click()
    await at('play-made').click()
    await page.waitForURL(`**/#/recordings/${name}`)
    await poll(() => at('player-toggle').isEnabled()).toBe(true)
    await page.goBack()
    await at('record')
      .filter({ hasText: /^Record$/ })
      .waitFor()
  })
})
