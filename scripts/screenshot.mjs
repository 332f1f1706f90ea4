#!/usr/bin/env node
/**
 * @module scripts/screenshot - takes the README's picture: the page of a running demo, in headless Chromium.
 *
 * `node scripts/screenshot.mjs [docs/page.png]`, after `npm run demo` or `npm test` has set everything up.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from 'playwright-core'
import { ROOT } from './setup.mjs'

const WAIT_MS = 60_000
const out = process.argv[2] ?? join(ROOT, 'docs', 'page.png')
const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
)
if (executablePath === undefined) throw new Error('no Chromium: install the package `chromium`')

const program = join(ROOT, 'dist', 'src', 'cli', 'main.js')
const demo = spawn(process.execPath, [program, 'demo', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
const ended = new Promise((resolve) => demo.once('exit', resolve))
try {
  const { url } = await firstLine()
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1720, height: 940 }, deviceScaleFactor: 1 })
    page.setDefaultTimeout(WAIT_MS)
    await page.goto(url)
    await page.getByTestId('turn').first().waitFor()
    for (const prompt of ['list files, please', 'write a file called plan.md']) {
      const turns = await page.getByTestId('turn').count()
      await page.getByTestId('composer').fill(prompt)
      await page.getByTestId('send').click()
      await page.getByTestId('turn').nth(turns).waitFor()
    }
    await page.getByTestId('view-split').click()
    await page.locator('[data-testid=terminal] .xterm-rows').first().waitFor()
    await page.waitForFunction(() => document.querySelector('.xterm-rows')?.textContent?.includes('plan.md'))
    await page.screenshot({ path: out })
    process.stdout.write(`${out}\n`)
  } finally {
    await browser.close()
  }
} finally {
  demo.kill('SIGINT')
  await ended
}

/** @returns {Promise<{url: string}>} */
async function firstLine() {
  if (demo.stdout === null) throw new Error('the demo has no output')
  for await (const line of createInterface({ input: demo.stdout })) return JSON.parse(line)
  throw new Error('the demo ended without a word')
}
