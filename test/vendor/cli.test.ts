/** The command line as a person uses it, on the real programs. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelServer, startModelServer } from '../../src/model-server/index.js'
import type { MeowEvent } from '../../src/protocol/events.js'
import type { SessionInfo } from '../../src/protocol/session.js'
import { CLI_MAIN } from '../support/bridge.js'
import { runCli } from '../support/cli.js'
import { allProcesses } from '../support/processes.js'
import { openTypedTerminal } from '../support/typed-terminal.js'
import { claudeSetup, piSetup, VENDOR_BIN } from '../support/vendor-homes.js'

const SLOW = { timeout: 40_000 }

/** What a process was started with; nothing where it is gone. */
function environment(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}

describe('agent-meow on the command line', () => {
  let root = ''
  let model: ModelServer
  let env: Record<string, string> = {}
  let cwd = ''
  const meow = (...args: string[]) => runCli(args, env, { cwd })
  const listed = async () =>
    (JSON.parse((await meow('ls', '--all', '--json')).stdout) as { sessions: SessionInfo[] }).sessions

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'meow-cli-'))
    model = await startModelServer({ persona: 'plain' })
    const setup = piSetup(root, model.url)
    cwd = setup.cwd
    env = {
      ...setup.env,
      PATH: `${VENDOR_BIN}:${dirname(process.execPath)}:/usr/bin:/bin`,
      AGENT_MEOW_HOME: join(root, 'state'),
      XDG_RUNTIME_DIR: root,
    }
  })
  afterAll(async () => {
    await runCli(['down', '--force'], env)
    await model.close()
    expect(allProcesses().filter((p) => p.command.includes(root))).toEqual([])
    rmSync(root, { recursive: true, force: true })
  })

  it.each(['tmux', 'pty'] as const)(
    'run leaves the person in the TUI itself (%s); detach and attach',
    async (backend) => {
      const name = `by-${backend}`
      const run = await openTypedTerminal(
        [process.execPath, CLI_MAIN, 'run', 'pi', '--name', name, '--backend', backend],
        env,
        cwd,
      )
      try {
        await expect.poll(() => run.text(), SLOW).toContain('scripted-model')
        await run.terminal.type(`MEOW: text seen by ${backend}`)
        await expect.poll(() => run.text(), SLOW).toContain(`MEOW: text seen by ${backend}`)
        await run.terminal.keys(['Enter'])
        await expect.poll(() => run.text(), SLOW).toMatch(new RegExp(`(?<!text )seen by ${backend}`))
        const events = await meow('events', name, '--json')
        const items = events.stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as MeowEvent)
          .flatMap((e) => (e.type === 'item.completed' ? [e.item] : []))
        expect(items).toMatchObject([
          { kind: 'user_message', origin: 'terminal', text: `MEOW: text seen by ${backend}` },
          { kind: 'assistant_message', text: `seen by ${backend}` },
        ])
        await run.terminal.keys(backend === 'tmux' ? ['C-b'] : ['C-]'])
        await run.terminal.type('d')
        expect((await run.exit).code).toBe(0)
        expect(run.text()).toContain('attach')
      } finally {
        await run.close()
      }
      const again = await openTypedTerminal([process.execPath, CLI_MAIN, 'attach', name], env, cwd)
      try {
        await expect.poll(() => again.text(), SLOW).toMatch(new RegExp(`(?<!text )seen by ${backend}`))
      } finally {
        await again.close()
      }
      expect((await listed()).find((s) => s.name === name)).toMatchObject({ state: 'idle', backend })
    },
  )

  it('send --wait prints the answer as it comes, and its exit code tells the outcome', async () => {
    const ok = await meow('send', 'by-tmux', 'MEOW: text the answer', '--wait')
    expect(ok).toMatchObject({ code: 0, stdout: 'the answer\n' })
    const piped = await runCli(['send', 'by-tmux', '-', '--wait'], env, {
      cwd,
      input: 'MEOW: text from stdin',
    })
    expect(piped).toMatchObject({ code: 0, stdout: 'from stdin\n' })
    const failed = await meow('send', 'by-tmux', 'MEOW: error 400 bad request', '--wait')
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain('bad request')
  })

  it('events --follow shows live ones until Ctrl-C; interrupt stops the turn and send says 2', async () => {
    const follow = spawn(process.execPath, [CLI_MAIN, 'events', 'by-tmux', '--follow', '--json'], {
      env,
      cwd,
    })
    const seen: MeowEvent[] = []
    createInterface({ input: follow.stdout }).on('line', (line) => seen.push(JSON.parse(line) as MeowEvent))
    await expect.poll(() => seen.length, SLOW).toBeGreaterThan(0)
    const sending = meow('send', 'by-tmux', 'MEOW: chunks 3;; gate cli;; text unreachable', '--wait')
    await model.gate('cli').reached
    await expect.poll(() => seen.some((e) => e.type === 'item.delta'), SLOW).toBe(true)
    const running = model.requests.at(-1)
    const stopped = await meow('interrupt', 'by-tmux', '--json')
    expect(JSON.parse(stopped.stdout)).toMatchObject({ result: 'interrupted' })
    await running?.ended
    expect(running?.response.finished).toBe('client_closed')
    expect((await sending).code).toBe(2)
    const gone = new Promise<number | null>((resolve) => follow.once('exit', resolve))
    follow.kill('SIGINT')
    expect(await gone).toBe(130)
  })

  it('Ctrl-C while the vendor starts leaves no session and no Pi', async () => {
    const folders = () => readdirSync(join(root, 'state', 'sessions')).length
    /** Every Pi of this root, by what only it was started with: its tools do not inherit it. */
    const pis = () => allProcesses().flatMap(({ pid }) => (isPi(pid) ? [pid] : []))
    const isPi = (pid: number): boolean => {
      const started = environment(pid)
      return started.includes(`HOME=${root}`) && started.includes('AGENT_MEOW_PI_SOCKET=')
    }
    const before = folders()
    const others = pis()
    expect(others).toHaveLength(2)
    const run = await openTypedTerminal(
      [process.execPath, CLI_MAIN, 'run', 'pi', '--name', 'unwanted'],
      env,
      cwd,
    )
    try {
      await expect.poll(folders, { ...SLOW, interval: 10 }).toBe(before + 1)
      await run.terminal.keys(['C-c'])
      expect((await run.exit).code).toBe(130)
    } finally {
      await run.close()
    }
    const state = async () => (await listed()).find((s) => s.name === 'unwanted')?.state ?? 'ended'
    await expect.poll(state, SLOW).toBe('ended')
    await expect.poll(pis, SLOW).toEqual(others)
  })

  it('names that fit nothing or too much are refused with the candidates', async () => {
    const none = await meow('send', 'nobody', 'x')
    expect(none.code).not.toBe(0)
    const many = await meow('send', 's_', 'x')
    expect(many.code).not.toBe(0)
    expect(many.stderr).toContain('by-pty')
  })

  it('doctor says what is there and what mends the rest', async () => {
    const doctor = JSON.parse((await meow('doctor', '--json')).stdout) as unknown
    expect(JSON.stringify(doctor)).toMatch(/"tmux"/)
    const pi = await meow('doctor', 'pi')
    expect(pi).toMatchObject({ code: 0, stdout: expect.stringContaining('1.6.0') })
    const claude = await meow('doctor', 'claude')
    expect(claude.code).toBe(1)
    expect(claude.stdout + claude.stderr).toMatch(/log ?in|ANTHROPIC_API_KEY/)
  })

  it('kill ends the vendor; down ends everything', async () => {
    const pids = (await listed()).flatMap((s) => (s.pid === null ? [] : [s.pid]))
    expect(pids).toHaveLength(2)
    expect((await meow('kill', 'by-pty')).code).toBe(0)
    expect((await meow('down', '--force')).code).toBe(0)
    for (const pid of pids) expect(existsSync(`/proc/${pid}`)).toBe(false)
    expect(allProcesses().filter((p) => p.command.includes(root) && p.command.includes('tmux'))).toEqual([])
    const log = readFileSync(join(root, 'state', 'hub.log'), 'utf8')
    expect(log).not.toContain(readFileSync(join(root, 'state', 'token'), 'utf8').trim())
    expect(log).not.toContain('seen by tmux')
  })

  it('claude: a trust dialog is shown as blocked, and a prompt sent meanwhile is never typed into it', async () => {
    const setup = claudeSetup(root, model.url)
    const untrusted = join(root, 'untrusted')
    const claudeEnv = { ...env, ...setup.env, PATH: env.PATH ?? '' }
    rmSync(untrusted, { recursive: true, force: true })
    mkdirSync(untrusted)
    const run = await runCli(
      ['run', 'claude', '--detach', '--json', '--name', 'careful', '--cwd', untrusted],
      claudeEnv,
    )
    expect(run.code).toBe(0)
    const { session } = JSON.parse(run.stdout) as { session: SessionInfo }
    expect(session).toMatchObject({ state: 'blocked', stateRule: 'claude.dialog.trust' })
    await meow('send', 'careful', 'MEOW: text after the dialog', '--id', 'm1')
    const person = await openTypedTerminal([process.execPath, CLI_MAIN, 'attach', 'careful'], env, cwd)
    try {
      await expect.poll(() => person.text(), SLOW).toContain('Yes, I trust this folder')
      expect(model.requests.some((r) => r.lastUserText.includes('after the dialog'))).toBe(false)
      await person.terminal.keys(['Enter'])
      await expect.poll(() => person.text(), SLOW).toMatch(/(?<!text )after the dialog/)
    } finally {
      await person.close()
    }
    expect(
      model.requests.filter((r) => r.kind === 'turn' && r.lastUserText.includes('after the dialog')),
    ).toHaveLength(1)
  })
})
