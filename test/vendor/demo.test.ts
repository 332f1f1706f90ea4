/** The demo as a newcomer runs it: one command, a real Pi, a page that works, and nothing left behind. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DurableEvent } from '../../src/protocol/events.js'
import { CLI_MAIN } from '../support/bridge.js'
import { allProcesses } from '../support/processes.js'

interface Announced {
  url: string
  sessionId: string
  home: string
  workspace: string
}

describe('agent-meow demo', () => {
  let root = ''
  let demo: ChildProcess
  let exit: Promise<number | null>
  let said = ''

  /** Starts it with a temp folder of its own and answers its first line. */
  async function begin(...args: string[]): Promise<string> {
    const path = `${dirname(process.execPath)}:/usr/bin:/bin`
    demo = spawn(process.execPath, [CLI_MAIN, 'demo', ...args], {
      env: { PATH: path, HOME: root, TMPDIR: root, XDG_RUNTIME_DIR: root, LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    said = ''
    demo.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
    })
    exit = new Promise((resolve) => demo.once('close', resolve))
    if (!demo.stdout) throw new Error('no output')
    for await (const line of createInterface({ input: demo.stdout })) return line
    throw new Error(`the demo ended without a word: ${said}`)
  }
  const start = async (): Promise<Announced> => JSON.parse(await begin('--json')) as Announced
  const left = () => allProcesses().filter((p) => p.command.includes(root))

  beforeEach(() => {
    // Short: below a long path the demo takes /tmp for its sockets.
    root = mkdtempSync('/tmp/mdt-')
  })
  afterEach(async () => {
    demo.kill('SIGKILL')
    await exit
    // Where a test failed, what it found running is not for the next one.
    for (const { pid } of left()) process.kill(pid, 'SIGKILL')
    rmSync(root, { recursive: true, force: true })
  })

  it('prints a link whose code opens the page once; a typed prompt runs a real tool; Ctrl-C leaves nothing', async () => {
    const { url, sessionId, workspace } = await start()
    const { origin, hash } = new URL(url)
    const code = new URLSearchParams(hash.slice(1)).get('pair')
    const page = await fetch(origin)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<script')
    const json = { 'content-type': 'application/json', origin }
    const pair = () =>
      fetch(`${origin}/v1/pair`, { method: 'POST', headers: json, body: JSON.stringify({ code }) })
    const paired = await pair()
    expect(paired.status).toBe(200)
    const cookie = paired.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await pair()).ok).toBe(false)
    const headers = { ...json, cookie }
    const body = JSON.stringify({ text: 'MEOW: bash echo purr > from-demo.txt;; text It is written.' })
    const sent = await fetch(`${origin}/v1/sessions/${sessionId}/messages`, { method: 'POST', headers, body })
    expect(sent.status).toBe(202)
    await expect.poll(() => existsSync(join(workspace, 'from-demo.txt')), { timeout: 30_000 }).toBe(true)
    const told = async () => {
      const answer = await fetch(`${origin}/v1/sessions/${sessionId}/events`, { headers })
      const { events } = (await answer.json()) as { events: DurableEvent[] }
      return events.some(
        (e) => e.type === 'item.completed' && 'text' in e.item && e.item.text === 'It is written.',
      )
    }
    await expect.poll(told, { timeout: 30_000 }).toBe(true)
    demo.kill('SIGINT')
    expect(await exit).toBe(0)
    expect(left()).toEqual([])
    expect(existsSync(workspace)).toBe(false)
    expect(readdirSync(root).filter((name) => name.includes('meow'))).toEqual([])
  })

  it('whose hub was killed ends the programs that the hub left, says so, and leaves nothing', async () => {
    await begin()
    await expect.poll(() => said, { timeout: 30_000 }).toContain('Ctrl-C here ends all of it')
    const home = /AGENT_MEOW_HOME=(\S+)/.exec(said)?.[1] ?? ''
    const { pid } = JSON.parse(readFileSync(join(home, 'hub.json'), 'utf8')) as { pid: number }
    expect(left().some((p) => p.command.includes('tmux'))).toBe(true)
    process.kill(pid, 'SIGKILL')
    // It notices by itself that its hub is gone.
    expect(await exit).toBe(1)
    expect(left()).toEqual([])
    expect(said).toContain('ended; nothing is left running')
    expect(said).not.toContain('warning')
    expect(readdirSync(root).filter((name) => name.includes('meow'))).toEqual([])
  })

  it('ended while it starts, it leaves nothing either', async () => {
    const starting = start().catch(() => null)
    await expect.poll(() => readdirSync(root).length, { timeout: 30_000, interval: 20 }).toBeGreaterThan(0)
    demo.kill('SIGINT')
    await starting
    expect(await exit).toBe(130)
    expect(left()).toEqual([])
    expect(readdirSync(root).filter((name) => name.includes('meow'))).toEqual([])
  })
})
