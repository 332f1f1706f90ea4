import { describe, expect, it } from 'vitest'
import { allCommands } from '../../src/cli/commands/index.js'
import type { Hub } from '../../src/cli/hub-access.js'
import { runProgram } from '../../src/cli/program.js'
import type { Shell } from '../../src/cli/shell.js'
import type { DurableDraft, DurableEvent, LiveDraft, MeowEvent } from '../../src/protocol/events.js'
import { fakeHub, fakeShell, session } from './cli-fakes.js'

const commands = allCommands([{ id: 'pi', name: 'Pi' }])
let seq = 0

const base = { v: 1 as const, sessionId: 's_1111', id: 'e', ts: 0 }
const event = (draft: DurableDraft): DurableEvent => ({ ...base, seq: ++seq, ...draft }) as DurableEvent
const live = (draft: LiveDraft): MeowEvent => ({ ...base, ...draft }) as MeowEvent

async function meow(argv: string[], hub: Hub | null, over: Partial<Shell> = {}) {
  const { shell, said } = fakeShell(hub, over)
  const code = await runProgram(argv, shell, { commands, version: '0' })
  return { code, ...said }
}

/** What a session tells of one turn with the message `id`. */
function turn(id: string, outcome: 'completed' | 'interrupted' | 'failed'): MeowEvent[] {
  const text = (itemId: string, delta: string, offset: number): MeowEvent =>
    live({ type: 'item.delta', source: 'rpc', itemId, turnId: 't', kind: 'assistant_message', offset, delta })
  const user = { kind: 'user_message' as const, text: 'hi', origin: 'bridge' as const, messageId: id }
  const done = { kind: 'assistant_message' as const, text: 'Hello\u001b[31m there' }
  return [
    event({ type: 'turn.started', source: 'rpc', turnId: 't' }),
    event({ type: 'item.completed', source: 'rpc', itemId: 'i1', turnId: 't', item: user }),
    text('i2', 'Hel', 0),
    text('i2', 'lo', 3),
    event({ type: 'item.completed', source: 'rpc', itemId: 'i2', turnId: 't', item: done }),
    event({ type: 'turn.completed', source: 'rpc', turnId: 't', outcome, detail: 'why', usage: null }),
  ]
}

describe('send', () => {
  it('prints the receipt of a queued message', async () => {
    const { hub, calls } = fakeHub()
    expect(await meow(['send', 'docs', 'hi'], hub)).toEqual({ code: 0, out: 'm_1 queued\n', err: '' })
    expect(calls).toEqual([['send', 's_1111', { text: 'hi' }]])
  })

  it('reads - from stdin and keeps it whole', async () => {
    const { hub, calls } = fakeHub()
    await meow(['send', 'docs', '-', '--id', 'job:1'], hub)
    expect(calls).toEqual([['send', 's_1111', { text: 'from stdin\n', messageId: 'job:1' }]])
  })

  it.each([
    ['completed', 0, ''],
    ['interrupted', 2, 'the turn was interrupted: why\n'],
    ['failed', 1, 'the turn failed: why\n'],
  ] as const)(
    '--wait streams the text without control characters; %s exits %i',
    async (outcome, code, err) => {
      const { hub } = fakeHub({ script: turn('job', outcome) })
      expect(await meow(['send', 'docs', 'hi', '--wait', '--id', 'job'], hub)).toEqual({
        code,
        out: 'Hello there\n',
        err,
      })
    },
  )

  it('--wait --json is one document', async () => {
    const { hub } = fakeHub({ script: turn('job', 'completed') })
    const { out } = await meow(['send', 'docs', 'hi', '--wait', '--json', '--id', 'job'], hub)
    expect(JSON.parse(out)).toMatchObject({ messageId: 'job', outcome: 'completed', turnId: 't' })
  })

  it('--wait knows a delivery that failed, and a session that ended', async () => {
    const failed = event({
      type: 'delivery',
      source: 'bridge',
      messageId: 'job',
      state: 'failed',
      reason: 'no',
    })
    const { hub } = fakeHub({ script: [failed] })
    const result = await meow(['send', 'docs', 'hi', '--wait', '--id', 'job'], hub)
    expect(result).toEqual({ code: 1, out: '', err: 'the turn failed: no\n' })
  })

  it('--wait ignores the turns of others', async () => {
    const { hub } = fakeHub({ script: [...turn('other', 'failed'), ...turn('job', 'completed')] })
    const { code, out } = await meow(['send', 'docs', 'hi', '--wait', '--id', 'job'], hub)
    expect({ code, out }).toEqual({ code: 0, out: 'Hello there\n' })
  })

  it('--timeout bounds the wait and says that the turn goes on', async () => {
    const { hub } = fakeHub()
    const { code, err } = await meow(['send', 'docs', 'hi', '--wait', '--timeout', '1'], hub)
    expect(code).toBe(1)
    expect(err).toContain('error: the turn did not end within 1 s\nhint: it goes on;')
  })

  it('Ctrl-C leaves with 130', async () => {
    const controller = new AbortController()
    const { hub } = fakeHub()
    const done = meow(['send', 'docs', 'hi', '--wait'], hub, { signal: controller.signal })
    controller.abort()
    expect((await done).code).toBe(130)
  })
})

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
    expect(out).toBe('interrupted turn_1 (turn ended: interrupted)\n')
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
