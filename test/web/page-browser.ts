/** @module test/web/page-browser - builds the page once, opens it in Chromium, and watches what it must never do. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { build } from 'vite'

const CONFIG = fileURLToPath(new URL('../../src/web/vite.config.ts', import.meta.url))
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The page as it is in the sources now, in a folder of its own. */
export async function buildPage(): Promise<{ root: string; remove: () => void }> {
  const root = mkdtempSync(join(tmpdir(), 'meow-page-'))
  await build({ configFile: CONFIG, logLevel: 'error', build: { outDir: root, emptyOutDir: true } })
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}

export function launch(): Promise<Browser> {
  const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    existsSync,
  )
  if (executablePath === undefined) throw new Error('no Chromium: install the package `chromium`')
  return chromium.launch({ executablePath, args: ARGS })
}

/** What a page did that no page of ours may do. */
export interface Watched {
  readonly page: Page
  /** Errors, policy violations, dialogs, new windows, requests to others. */
  readonly faults: string[]
}

/** A tab of its own, with a cookie jar of its own. */
export async function openTab(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => faults.push(`window: ${popup.url()}`))
  page.on('console', (message) => {
    const text = message.text()
    if (/Content Security Policy|Refused to/i.test(text)) faults.push(`policy: ${text}`)
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) faults.push(`request: ${request.url()}`)
  })
  return { page, faults }
}
