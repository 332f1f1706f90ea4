import { describe, expect, it } from 'vitest'
import { allCommands } from '../../src/cli/commands/index.js'
import type { Hub } from '../../src/cli/hub-access.js'
import { runProgram } from '../../src/cli/program.js'
import type { Shell } from '../../src/cli/shell.js'
import type { DurableDraft, DurableEvent } from '../../src/protocol/events.js'
import { fakeHub, fakeShell, session } from './cli-fakes.js'

const commands = allCommands([{ id: 'pi', name: 'Pi' }])
let seq = 0

const base = { v: 1 as const, sessionId: 's_1111', id: 'e', ts: 0 }
const event = (draft: DurableDraft): DurableEvent => ({ ...base, seq: ++seq, ...draft }) as DurableEvent

async function meow(argv: string[], hub: Hub | null, over: Partial<Shell> = {}) {
  const { shell, said } = fakeShell(hub, over)
  const code = await runProgram(argv, shell, { commands, version: '0' })
  return { code, ...said }
}

describe('run', () => {
  it('sends the environment without our own variables, the folder and the size', async () => {
    const { hub, calls } = fakeHub()
    const argv = ['pi', '--detach', '--cwd', 'sub', '--model', 'm1', '--json', '--', '--thinking', 'high']
    const { code, out } = await meow(argv, hub)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ session: { id: 's_1111' }, url: expect.stringContaining('http') })
    expect(calls[0]).toEqual([
      'create',
      {
        vendor: 'pi',
        cwd: '/here/sub',
        args: ['--thinking', 'high'],
        env: { PATH: '/bin', AGENT_MEOW_PI_BIN: '/bin/pi' },
        backend: 'tmux',
        skipAuthCheck: false,
        cols: 100,
        rows: 30,
        model: 'm1',
      },
    ])
  })

  it('hands the terminal over without the outer tmux, and says how to come back', async () => {
    const { hub } = fakeHub({ sessions: [session({ pid: process.pid, turns: 2, usd: 0.5 })] })
    const handed: unknown[] = []
    const { code, out, err } = await meow(['run', 'pi'], hub, {
      interactive: true,
      env: { TMUX: 'outer', PATH: '/bin' },
      handOver: async (argv, env) => {
        handed.push([argv, env])
        return 0
      },
    })
    expect(code).toBe(0)
    expect(out).toBe('http://127.0.0.1:4747/#pair=c\n')
    expect(handed).toEqual([[['tmux', 'attach'], { PATH: '/bin' }]])
    expect(err).toContain('goes on: 2 turns, $0.5000\nagain: agent-meow attach s_1111')
  })

  it('tells the end of the program in one line', async () => {
    const ended = event({
      type: 'session.ended',
      source: 'bridge',
      reason: 'exited',
      exitCode: 0,
      signal: null,
      detail: null,
    })
    const over = session({ state: 'ended', turns: 1, usd: 0.01, lastOutcome: 'completed' })
    const { hub } = fakeHub({ sessions: [over], past: [ended] })
    const { err } = await meow(['run', 'pi'], hub, { interactive: true })
    expect(err).toContain(
      'pi session s_1111 (docs) ended: exited (exit code 0), last turn completed; 1 turn, $0.0100\n',
    )
  })
})

describe('events', () => {
  const past = [
    event({ type: 'turn.started', source: 'rpc', turnId: 't9' }),
    event({ type: 'model', source: 'rpc', model: 'big' }),
  ]

  it('prints a line each, or JSONL', async () => {
    const { hub } = fakeHub({ past })
    const human = await meow(['events', 'docs'], hub)
    expect(human.out.trimEnd().split('\n')).toHaveLength(2)
    expect(human.out).toMatch(/turn\.started +t9\n/)
    const { out } = await meow(['events', 'docs', '--json', '--since', String(past[0]?.seq)], hub)
    expect(JSON.parse(out)).toMatchObject({ type: 'model', model: 'big' })
  })

  it('--follow ends with Ctrl-C, and says when the hub is gone', async () => {
    const controller = new AbortController()
    const { hub, closeStream } = fakeHub({ past })
    const done = meow(['events', 'docs', '--follow'], hub, { signal: controller.signal })
    setImmediate(() => controller.abort())
    expect((await done).code).toBe(130)
    const lost = meow(['events', 'docs', '--follow'], hub)
    setImmediate(closeStream)
    expect(await lost).toMatchObject({ code: 1, err: 'error: the hub closed the stream\n' })
  })
})

describe('ending', () => {
  it('kill understands all names before it ends anything', async () => {
    const { hub, calls } = fakeHub()
    expect((await meow(['kill', 'docs', 'nope'], hub)).code).toBe(1)
    expect(calls).toEqual([])
    expect(await meow(['kill', 'docs', 's_11'], hub)).toMatchObject({
      code: 0,
      out: 'pi session s_1111 (docs) ended\n',
    })
    expect(calls).toEqual([['kill', 's_1111']])
  })

  it('down asks while sessions live, and --force does not', async () => {
    const { hub, calls } = fakeHub()
    const { code, err } = await meow(['down'], hub)
    expect(code).toBe(64)
    expect(err).toContain('ends: pi session s_1111 (docs), idle')
    expect(err).toContain('hint: agent-meow down --force ends them')
    expect(await meow(['down'], hub, { interactive: true })).toMatchObject({ code: 1 })
    expect(calls).toEqual([])
    const forced = await meow(['down', '--force'], hub)
    expect(forced.code).toBe(0)
    expect(forced.err).toContain('stopped\nended 1 session and the hub\n')
  })

  it('interrupt tells what was seen', async () => {
    const { out } = await meow(['interrupt', 'docs'], fakeHub().hub)
    expect(out).toBe('interrupted turn_1\n  turn ended: interrupted\n')
  })
})

it('ls is a table that a hostile name cannot break', async () => {
  const sessions = [
    session({ name: 'a\u001b]0;x\u0007\nb', usd: 1.5 }),
    session({ id: 's_2', state: 'ended' }),
  ]
  const { out } = await meow(['ls'], fakeHub({ sessions }).hub)
  expect(out.split('\n')).toEqual([
    'ID      NAME  VENDOR  STATE  MODEL  COST   AGE  CWD',
    's_1111  a b   pi      idle   m      $1.50  2m   /work/docs',
    '',
  ])
})
