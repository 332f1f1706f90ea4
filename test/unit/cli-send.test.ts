/** @module test/unit/cli-send.test - what a person sends: how, with what, and what they see of it. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allCommands } from '../../src/cli/commands/index.js'
import type { Hub } from '../../src/cli/hub-access.js'
import { runProgram } from '../../src/cli/program.js'
import type { Shell } from '../../src/cli/shell.js'
import type {
  DeliveryState,
  DurableDraft,
  DurableEvent,
  LiveDraft,
  MeowEvent,
} from '../../src/protocol/events.js'
import { fakeHub, fakeShell } from './cli-fakes.js'

const commands = allCommands([{ id: 'pi', name: 'Pi' }])
let seq = 0

const base = { v: 1 as const, sessionId: 's_1111', id: 'e', ts: 0 }
const event = (draft: DurableDraft): DurableEvent => ({ ...base, seq: ++seq, ...draft }) as DurableEvent
const live = (draft: LiveDraft): MeowEvent => ({ ...base, ...draft }) as MeowEvent
const receipt = (state: DeliveryState, reason: string | null = null, undecided?: true): DurableEvent =>
  event({
    type: 'delivery',
    source: 'bridge',
    messageId: 'job',
    state,
    reason,
    ...(undecided ? { undecided } : {}),
  })

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

  it('reads - from stdin and keeps it whole; --id is --message-id', async () => {
    const { hub, calls } = fakeHub()
    await meow(['send', 'docs', '-', '--message-id', 'job:1'], hub)
    await meow(['send', 'docs', '-', '--id', 'job:1'], hub)
    const sent = ['send', 's_1111', { text: 'from stdin\n', messageId: 'job:1' }]
    expect(calls).toEqual([sent, sent])
  })

  it('says how it is to arrive', async () => {
    const { hub, calls } = fakeHub()
    await meow(['send', 'docs', 'a', '--steer'], hub)
    await meow(['send', 'docs', 'b', '--interrupt'], hub)
    expect(calls.map(([, , message]) => message)).toEqual([
      { text: 'a', how: 'steer' },
      { text: 'b', how: 'interrupt' },
    ])
    expect(await meow(['send', 'docs', 'c', '--steer', '--interrupt'], hub)).toMatchObject({
      code: 64,
      err: 'error: --steer and --interrupt exclude each other\n',
    })
    expect(calls).toHaveLength(2)
  })

  it('refuses a prompt that is too long before it is sent', async () => {
    const { hub, calls } = fakeHub()
    const { code, err } = await meow(['send', 'docs', '-'], hub, {
      readStdin: async () => 'x'.repeat(1_000_001),
    })
    expect(code).toBe(1)
    expect(err).toContain(
      'error: the prompt has 1000001 characters; 1000000 is the most\nhint: put it into a file',
    )
    expect(calls).toEqual([])
  })
})

describe('send --image', () => {
  let cwd: string
  const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')
  const jpeg = Buffer.from('\xff\xd8\xffrest', 'latin1')
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), 'meow-img-'))
    writeFileSync(join(cwd, 'a.png'), png)
    writeFileSync(join(cwd, 'lies.png'), jpeg)
    writeFileSync(join(cwd, 'text.png'), 'no image')
    writeFileSync(join(cwd, 'big.png'), png)
    truncateSync(join(cwd, 'big.png'), 5_000_001)
  })
  afterAll(() => rmSync(cwd, { recursive: true }))

  it('reads files here and sends what they are, not what they are called', async () => {
    const { hub, calls } = fakeHub()
    await meow(['send', 'docs', '--image', 'a.png', '--image', join(cwd, 'lies.png'), 'look'], hub, { cwd })
    expect(calls).toEqual([
      [
        'send',
        's_1111',
        {
          text: 'look',
          images: [
            { mime: 'image/png', base64: png.toString('base64') },
            { mime: 'image/jpeg', base64: jpeg.toString('base64') },
          ],
        },
      ],
    ])
  })

  it.each([
    [['big.png'], 1, 'error: big.png has 5000001 bytes; 5000000 is the most\nhint: make it smaller'],
    [['text.png'], 1, 'error: text.png is no image of a kind that is taken\nhint: PNG, JPEG'],
    [['none.png'], 1, 'error: there is no file none.png'],
    [['.'], 1, 'error: there is no file .'],
    [Array.from({ length: 11 }, () => 'a.png'), 64, 'error: a prompt takes 10 images at most, not 11'],
  ])('refuses %j before anything is sent', async (files, code, message) => {
    const { hub, calls } = fakeHub()
    const argv = ['send', 'docs', 'look', ...files.flatMap((file) => ['--image', file])]
    const result = await meow(argv, hub, { cwd })
    expect(result.code).toBe(code)
    expect(result.err).toContain(message)
    expect(calls).toEqual([])
  })
})

describe('send --wait', () => {
  it.each([
    ['completed', 0, ''],
    ['interrupted', 2, 'the turn was interrupted: why\n'],
    ['failed', 1, 'the turn failed: why\n'],
  ] as const)('streams the text without control characters; %s exits %i', async (outcome, code, err) => {
    const { hub } = fakeHub({ script: turn('job', outcome), receipt: { state: 'completed', reason: null } })
    expect(await meow(['send', 'docs', 'hi', '--wait', '--id', 'job'], hub)).toEqual({
      code,
      out: 'Hello there\n',
      err: `job queued\njob completed\n${err}`,
    })
  })

  it('shows each receipt as it moves, once', async () => {
    const script = [
      receipt('queued', 'waits: a turn runs'),
      receipt('queued', 'waits: a turn runs'),
      event({ type: 'session.state', source: 'screen', state: 'blocked', rule: 'r', evidence: [] }),
      receipt('typed'),
      receipt('accepted'),
      ...turn('job', 'completed'),
      receipt('started'),
    ]
    // The turn's end comes before what would still be told of it.
    script.splice(-2, 0, ...script.splice(-1))
    const { hub } = fakeHub({ script, receipt: { state: 'completed', reason: null } })
    const { err } = await meow(['send', 'docs', 'hi', '--wait', '--id', 'job'], hub)
    expect(err.split('\n')).toEqual([
      'job queued',
      'job queued: waits: a turn runs',
      'a dialog is open; answer it: agent-meow answer s_1111',
      'job typed',
      'job accepted',
      'job started',
      'job completed',
      '',
    ])
  })

  it.each([
    ['accepted', 'job accepted'],
    ['started', 'job started'],
  ])('=%s returns when that is so', async (state, last) => {
    const script = [receipt('queued'), receipt('typed'), receipt('accepted'), receipt('started')]
    const newest = state === 'accepted' ? 'accepted' : 'started'
    const { hub } = fakeHub({ script, receipt: { state: newest, reason: null } })
    const { code, out, err } = await meow(['send', 'docs', 'hi', `--wait=${state}`, '--id', 'job'], hub)
    expect({ code, out }).toEqual({ code: 0, out: `${last}\n` })
    expect(err.includes('job started')).toBe(state === 'started')
  })

  it('may stand before the prompt', async () => {
    const { hub, calls } = fakeHub({ script: turn('job', 'completed') })
    expect((await meow(['send', '--id', 'job', 'docs', '--wait', 'hi'], hub)).code).toBe(0)
    expect(calls).toEqual([['send', 's_1111', { text: 'hi', messageId: 'job' }]])
    const wrong = await meow(['send', 'docs', 'hi', '--wait=typed'], hub)
    expect(wrong).toMatchObject({
      code: 64,
      err: 'error: --wait takes accepted, started, completed, not "typed"\n',
    })
    expect((await meow(['send', 'docs', '--wait', 'started'], hub)).err).toContain("argument 'text'")
  })

  it('--json is one document', async () => {
    const done = { state: 'completed', reason: null } as const
    const { hub } = fakeHub({ script: turn('job', 'completed'), receipt: done })
    const { out, err } = await meow(['send', 'docs', 'hi', '--wait', '--json', '--id', 'job'], hub)
    expect(err).toBe('')
    expect(JSON.parse(out)).toMatchObject({
      messageId: 'job',
      outcome: 'completed',
      turnId: 't',
      receipt: { messageId: 'job', ...done },
    })
  })

  it('knows a delivery that failed', async () => {
    const script = [receipt('failed', 'no')]
    for (const wait of ['--wait', '--wait=started']) {
      const { hub } = fakeHub({ script, receipt: { state: 'failed', reason: 'no' } })
      const { code, err } = await meow(['send', 'docs', 'hi', wait, '--id', 'job'], hub)
      expect(code).toBe(1)
      expect(err).toContain('job failed: no\n')
      expect(err).not.toContain('may have arrived')
    }
  })

  it('says of one that is undecided what to do, with an exit code of its own', async () => {
    const newest = { state: 'failed', reason: 'not seen', undecided: true } as const
    for (const wait of ['--wait', '--wait=accepted']) {
      const { hub } = fakeHub({ script: [receipt('failed', 'not seen', true)], receipt: newest })
      const { code, err } = await meow(['send', 'docs', 'hi', wait, '--id', 'job'], hub)
      expect(code).toBe(3)
      expect(err).toContain(
        'job failed (undecided): not seen\nit may have arrived: look at the session, then send it again with another id or drop it\n',
      )
      const json = await meow(['send', 'docs', 'hi', wait, '--json', '--id', 'job'], hub)
      expect([json.code, json.err, json.out.includes('"undecided":true')]).toEqual([3, '', true])
    }
  })

  it('ends with the program', async () => {
    const ended = event({
      type: 'session.ended',
      source: 'bridge',
      reason: 'exited',
      exitCode: 0,
      signal: null,
      detail: null,
    })
    const { hub } = fakeHub({
      script: [receipt('typed'), ended],
      receipt: { state: 'failed', reason: 'the program ended' },
    })
    const { code, err } = await meow(['send', 'docs', 'hi', '--wait=started', '--id', 'job'], hub)
    expect(code).toBe(1)
    expect(err).toContain('job failed: the program ended\n')
  })

  it('ignores the turns of others', async () => {
    const { hub } = fakeHub({ script: [...turn('other', 'failed'), ...turn('job', 'completed')] })
    const { code, out } = await meow(['send', 'docs', 'hi', '--wait', '--id', 'job'], hub)
    expect({ code, out }).toEqual({ code: 0, out: 'Hello there\n' })
  })

  it('knows the end of a turn whose prompt was never told as an item', async () => {
    const script = [
      event({
        type: 'turn.completed',
        source: 'rpc',
        turnId: 't',
        outcome: 'interrupted',
        detail: null,
        usage: null,
      }),
      receipt('completed', 'interrupted'),
    ]
    const { hub } = fakeHub({ script, receipt: { state: 'completed', reason: 'interrupted' } })
    expect((await meow(['send', 'docs', 'hi', '--wait', '--id', 'job'], hub)).code).toBe(2)
  })

  it('--timeout bounds it and says what is left', async () => {
    const { hub } = fakeHub()
    const { code, err } = await meow(['send', 'docs', 'hi', '--wait', '--timeout', '1', '--id', 'job'], hub)
    expect(code).toBe(1)
    expect(err).toContain(
      'error: the turn did not end within 1 s\nhint: the prompt stays queued; take it out: agent-meow queue rm s_1111 job\n',
    )
  })

  it.each([
    [[], 'the prompt stays queued; take it out: agent-meow queue rm s_1111 job'],
    [['typed'], 'the prompt is on its way (typed); when its turn runs, agent-meow interrupt s_1111 stops it'],
    [['typed', 'accepted', 'started'], 'it goes on; agent-meow interrupt s_1111 stops it'],
  ] as const)('Ctrl-C after %j leaves with 130 and says what is left', async (states, left) => {
    const controller = new AbortController()
    const { hub } = fakeHub({ script: states.map((state) => receipt(state)) })
    const said: string[] = []
    const done = meow(['send', 'docs', 'hi', '--wait', '--id', 'job'], hub, {
      signal: controller.signal,
      tell: (line) => {
        said.push(line)
        if (said.length === states.length + 1) controller.abort()
      },
    })
    expect((await done).code).toBe(130)
    expect(said.at(-1)).toBe(left)
  })
})
