/** @module test/unit/cli-delivery.test - queue, answer and command: what is asked of the hub, and what is told. */
import { describe, expect, it } from 'vitest'
import { allCommands } from '../../src/cli/commands/index.js'
import type { Hub } from '../../src/cli/hub-access.js'
import { runProgram } from '../../src/cli/program.js'
import type { QueuedPrompt } from '../../src/protocol/commands.js'
import type { DurableDraft, DurableEvent } from '../../src/protocol/events.js'
import { fakeHub, fakeShell, session } from './cli-fakes.js'

const commands = allCommands([{ id: 'pi', name: 'Pi' }])

async function meow(argv: string[], hub: Hub) {
  const { shell, said } = fakeShell(hub)
  const code = await runProgram(argv, shell, { commands, version: '0' })
  return { code, ...said }
}

const waiting = (messageId: string, over: Partial<QueuedPrompt> = {}): QueuedPrompt => ({
  messageId,
  text: `text of ${messageId}`,
  how: 'queue',
  images: 0,
  reason: null,
  queuedAt: 60_000,
  ...over,
})

describe('queue', () => {
  const queue = [
    waiting('m_1a', { how: 'steer', images: 2, reason: 'waits: a turn runs', text: 'one\n\u001b[2Jtwo' }),
    waiting('m_1b'),
    waiting('m_2'),
  ]

  it('ls is a table in order, or JSON', async () => {
    const { hub } = fakeHub({ queue })
    const { out } = await meow(['queue', 'ls', 'docs'], hub)
    expect(out.split('\n')).toEqual([
      '#  MESSAGE  HOW    IMAGES  AGE  WAITS FOR           TEXT',
      '1  m_1a     steer  2       1m   waits: a turn runs  one two',
      '2  m_1b     queue  0       1m   -                   text of m_1b',
      '3  m_2      queue  0       1m   -                   text of m_2',
      '',
    ])
    const json = await meow(['queue', 'ls', 'docs', '--json'], hub)
    expect(JSON.parse(json.out)).toEqual({ sessionId: 's_1111', queue })
    expect(await meow(['queue', 'ls', 'docs'], fakeHub().hub)).toEqual({
      code: 0,
      out: '',
      err: 'nothing waits\n',
    })
  })

  it('changes, moves and takes out by the start of an id', async () => {
    const { hub, calls } = fakeHub({ queue })
    const lines = [
      ['queue', 'edit', 'docs', 'm_2', 'new'],
      ['queue', 'edit', 'docs', 'm_1b', '-', '--how', 'steer'],
      ['queue', 'move', 'docs', 'm_2', '--first'],
      ['queue', 'move', 'docs', 'm_1a', '--last'],
      ['queue', 'move', 'docs', 'm_2', '--before', 'm_1b'],
      ['queue', 'rm', 'docs', 'm_2'],
    ]
    const told = []
    for (const line of lines) told.push((await meow(line, hub)).out)
    expect(calls).toEqual([
      ['edit', 's_1111', 'm_2', { text: 'new' }],
      ['edit', 's_1111', 'm_1b', { text: 'from stdin\n', how: 'steer' }],
      ['edit', 's_1111', 'm_2', { before: 'm_1a' }],
      ['edit', 's_1111', 'm_1a', { before: null }],
      ['edit', 's_1111', 'm_2', { before: 'm_1b' }],
      ['withdraw', 's_1111', 'm_2'],
    ])
    expect(told).toEqual([
      'm_2 changed\n',
      'm_1b changed\n',
      'm_2 moved\n',
      'm_1a moved\n',
      'm_2 moved\n',
      'm_2 taken out\n',
    ])
  })

  it('never guesses which, and leaves what does not wait to the hub', async () => {
    const { hub, calls } = fakeHub({ queue })
    expect(await meow(['queue', 'rm', 'docs', 'm_1'], hub)).toEqual({
      code: 1,
      out: '',
      err: 'error: "m_1" means more than one message\nhint: say which: m_1a, m_1b\n',
    })
    expect(calls).toEqual([])
    const gone = await meow(['queue', 'rm', 'docs', 'm_9'], hub)
    expect(gone).toMatchObject({ code: 1, err: 'error: there is no message m_9\n' })
    expect(calls).toEqual([['withdraw', 's_1111', 'm_9']])
  })
})

let seq = 0
const event = (draft: DurableDraft): DurableEvent =>
  ({ v: 1, sessionId: 's_1111', id: 'e', ts: 0, seq: ++seq, ...draft }) as DurableEvent
const asked = (approvalId: string, options?: { key: string; label: string }[]): DurableEvent =>
  event({
    type: 'approval.requested',
    source: 'screen',
    approvalId,
    title: 'Run this?',
    detail: 'rm -rf\n\n\u001b[2Jbuild',
    kind: 'permission',
    ...(options === undefined ? {} : { options }),
  })
const resolved = (approvalId: string): DurableEvent =>
  event({ type: 'approval.resolved', source: 'screen', approvalId, verdict: 'answered', by: 'page' })
const OPTIONS = [
  { key: '1', label: 'Yes' },
  { key: 'esc', label: 'No, and say why' },
]

/** A hub whose session waits (`blocked`) after these events. */
function blockedAt(past: DurableEvent[], state: 'blocked' | 'idle' = 'blocked') {
  return fakeHub({ past, sessions: [session({ state, lastSeq: past.at(-1)?.seq ?? 0 })] })
}

describe('answer', () => {
  it('shows the open dialog with its options', async () => {
    const { hub, calls } = blockedAt([asked('a1', OPTIONS), resolved('a1'), asked('a2', OPTIONS)])
    const { code, out } = await meow(['answer', 'docs'], hub)
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual([
      'permission: Run this?',
      '  | rm -rf',
      '  | build',
      '  1    Yes',
      '  esc  No, and say why',
      'answer it: agent-meow answer s_1111 <option>',
      '',
    ])
    const json = JSON.parse((await meow(['answer', 'docs', '--json'], hub)).out)
    expect(json).toMatchObject({ sessionId: 's_1111', approval: { approvalId: 'a2', options: OPTIONS } })
    expect(calls).toEqual([])
  })

  it('chooses by key or by text, and tells what was seen', async () => {
    const { hub, calls } = blockedAt([asked('a2', OPTIONS)])
    expect(await meow(['answer', 'docs', '1'], hub)).toEqual({
      code: 0,
      out: 'answered: Yes\n  it stood there\n  it is gone\n',
      err: '',
    })
    await meow(['answer', 'docs', 'no, AND say why'], hub)
    expect(calls).toEqual([
      ['answer', 's_1111', 'a2', '1'],
      ['answer', 's_1111', 'a2', 'esc'],
    ])
  })

  it('presses nothing for an option that is not there', async () => {
    const { hub, calls } = blockedAt([asked('a2', OPTIONS)])
    expect(await meow(['answer', 'docs', '2'], hub)).toEqual({
      code: 1,
      out: '',
      err: 'error: the dialog has no option "2"\nhint: it has: 1 (Yes), esc (No, and say why)\n',
    })
    expect(calls).toEqual([])
  })

  it('sends a person to the terminal where no answer can be given from outside', async () => {
    const { hub, calls } = blockedAt([asked('a2')])
    expect((await meow(['answer', 'docs'], hub)).out).toContain(
      'answer it in its terminal: agent-meow attach',
    )
    expect((await meow(['answer', 'docs', '1'], hub)).err).toContain('hint: agent-meow attach s_1111')
    expect(calls).toEqual([])
  })

  it('knows that there is none', async () => {
    const { hub, calls } = blockedAt([asked('a1', OPTIONS), resolved('a1')], 'idle')
    expect(await meow(['answer', 'docs'], hub)).toEqual({ code: 0, out: '', err: 'no dialog is open\n' })
    expect(JSON.parse((await meow(['answer', 'docs', '--json'], hub)).out).approval).toBeNull()
    expect(await meow(['answer', 'docs', '1'], hub)).toMatchObject({ code: 1, out: '' })
    expect(calls).toEqual([])
  })

  it('finds the one that opened thousands of events ago', async () => {
    const later = Array.from({ length: 2500 }, () => event({ type: 'model', source: 'rpc', model: 'm' }))
    seq = 0
    const past = [asked('a1', OPTIONS), ...later].map((one, at) => ({ ...one, seq: at + 1 }))
    const { out } = await meow(['answer', 'docs', '--json'], blockedAt(past).hub)
    expect(JSON.parse(out).approval.approvalId).toBe('a1')
  })
})

describe('command', () => {
  it('lists the commands with what they do', async () => {
    const { hub } = fakeHub()
    const { out } = await meow(['command', 'docs'], hub)
    expect(out.split('\n')).toEqual([
      'COMMAND  ARGUMENT        IN A TURN  WHAT IT DOES',
      'compact  [what to keep]  no         shortens the conversation',
      'model    <small|big>     yes        changes the model',
      '',
    ])
    const json = JSON.parse((await meow(['command', 'docs', '--json'], hub)).out)
    expect(json.commands.map(({ name }: { name: string }) => name)).toEqual(['compact', 'model'])
  })

  it('runs one and tells by what it was seen', async () => {
    const { hub, calls } = fakeHub()
    expect(await meow(['command', 'docs', 'compact'], hub)).toEqual({
      code: 0,
      out: 'compact done\n  compact was seen\n',
      err: '',
    })
    await meow(['command', 'docs', 'compact', 'the', 'plan'], hub)
    expect(calls).toEqual([
      ['command', 's_1111', { command: 'compact' }],
      ['command', 's_1111', { command: 'compact', argument: 'the plan' }],
    ])
  })
})
