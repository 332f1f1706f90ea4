/** Every way in which a start can fail: a clear error that says what to do, exit code not 0, nothing left running. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../support/cli.js'
import { allProcesses } from '../support/processes.js'
import { claudeSetup, piSetup, VENDOR_BIN } from '../support/vendor-homes.js'

/** Nobody listens there: a vendor that gets so far finds no model. */
const NO_MODEL = 'http://127.0.0.1:9'

let root = ''
let env: Record<string, string> = {}
/** What ran before the test: a person may have an agent open elsewhere. */
let before = new Set<number>()

beforeEach(() => {
  before = new Set(allProcesses().map((p) => p.pid))
  root = mkdtempSync(join(tmpdir(), 'meow-fail-'))
  env = {
    HOME: root,
    PATH: `${VENDOR_BIN}:${dirname(process.execPath)}:/usr/bin:/bin`,
    LANG: 'C.UTF-8',
    TMPDIR: root,
    AGENT_MEOW_HOME: join(root, 'state'),
    XDG_RUNTIME_DIR: root,
  }
})
afterEach(async () => {
  await runCli(['down', '--force'], env)
  expect(allProcesses().filter((p) => p.command.includes(root))).toEqual([])
  rmSync(root, { recursive: true, force: true })
})

/** Runs it both ways; the error must be told to people and to programs, and no session may live. */
async function refused(args: readonly string[], code: string): Promise<string> {
  const text = await runCli(args, env, { cwd: root })
  expect(text.code, text.stdout + text.stderr).toBeGreaterThan(0)
  expect(text.stderr).toMatch(/^error: /m)
  expect(text.stderr).toMatch(/^hint: /m)
  expect(text.stderr).not.toMatch(/at .*\.js:\d+/)
  const json = await runCli([...args, '--json'], env, { cwd: root })
  expect(json.code).toBeGreaterThan(0)
  const { error } = JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '') as { error: { code: string } }
  expect(error.code).toBe(code)
  return text.stderr
}

/** No vendor's program and no terminal of a session is left; the hub alone may live on. */
function nothingStarted(): void {
  const left = allProcesses().filter(
    (p) =>
      !before.has(p.pid) &&
      (p.command.includes(root) || /(?:^|\/)(?:claude|pi)(?:\s|$|\.exe)/.test(p.command)),
  )
  expect(left.filter((p) => !p.command.includes('hub/main.js') && !p.command.startsWith('tmux'))).toEqual([])
}

describe('a start that cannot work', () => {
  it.each(['claude', 'pi'])('%s without credentials', async (vendor) => {
    const message = await refused(['run', vendor, '--detach', '--cwd', root], 'vendor_auth_missing')
    expect(message).toMatch(/no credentials/)
    expect(message).toMatch(/hint: .*(?:log ?in|API_KEY)/i)
    nothingStarted()
  })

  it('a vendor that is not installed', async () => {
    env.PATH = `${dirname(process.execPath)}:/usr/bin:/bin`
    const message = await refused(['run', 'claude', '--detach', '--cwd', root], 'vendor_missing')
    expect(message).toContain('npm install -g @anthropic-ai/claude-code')
  })

  it('a vendor that nobody knows', async () => {
    const message = await refused(['run', 'cloude', '--detach'], 'vendor_unknown')
    expect(message).toContain('claude')
  })

  it('a folder that is not there', async () => {
    const setup = claudeSetup(root, NO_MODEL)
    env = { ...env, ...setup.env, HOME: setup.env.HOME ?? root }
    const run = await runCli(['run', 'claude', '--detach', '--cwd', join(root, 'nowhere')], env)
    expect(run.code).toBeGreaterThan(0)
    expect(run.stderr).toContain('nowhere')
    nothingStarted()
  })

  it('no tmux', async () => {
    const bin = join(root, 'bin')
    mkdirSync(bin)
    symlinkSync(process.execPath, join(bin, 'node'))
    const setup = piSetup(root, NO_MODEL)
    env = { ...env, ...setup.env, PATH: `${VENDOR_BIN}:${bin}` }
    const message = await refused(['run', 'pi', '--detach', '--cwd', root], 'tmux_missing')
    expect(message).toMatch(/install.*tmux/)
    expect(message).toContain('--backend pty')
    nothingStarted()
  })

  it('a port that another program has', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    try {
      const message = await refused(['up', '--port', `${port}`], 'port_taken')
      expect(message).toContain(`${port}`)
      expect(
        allProcesses().filter((p) => p.command.includes('hub/main.js') && p.command.includes(root)),
      ).toEqual([])
    } finally {
      other.close()
    }
  })

  it('a state folder that cannot be written', async () => {
    writeFileSync(join(root, 'a-file'), '')
    env.AGENT_MEOW_HOME = join(root, 'a-file', 'state')
    const message = await refused(['up'], 'state_unwritable')
    expect(message).toContain('AGENT_MEOW_HOME')
    env.AGENT_MEOW_HOME = join(root, 'state')
  })

  it('a vendor that dies at its start: its own last words are in the error', async () => {
    const bin = join(root, 'dying')
    writeFileSync(
      bin,
      '#!/bin/sh\n[ "$1" = --version ] && { echo 9.9.9; exit 0; }\necho "license server unreachable"\nexit 3\n',
    )
    chmodSync(bin, 0o755)
    env = { ...env, AGENT_MEOW_CLAUDE_BIN: bin, ANTHROPIC_API_KEY: 'dummy' }
    const message = await refused(['run', 'claude', '--detach', '--cwd', root], 'vendor_start_failed')
    expect(message).toContain('license server unreachable')
    const listed = JSON.parse((await runCli(['ls', '--all', '--json'], env)).stdout) as {
      sessions: { state: string }[]
    }
    expect(listed.sessions.every((s) => s.state === 'ended')).toBe(true)
  })
})
