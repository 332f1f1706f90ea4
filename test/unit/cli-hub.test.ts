/** @module test/unit/cli-hub.test - the commands against a real hub: what they ask for, it has. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allCommands } from '../../src/cli/commands/index.js'
import { runProgram } from '../../src/cli/program.js'
import type { DeliveryState } from '../../src/protocol/events.js'
import { fakeShell } from './cli-fakes.js'
import type { FakeSession } from './hub-fake-session.js'
import { eventually, startTestHub, type TestHub } from './hub-harness.js'

const commands = allCommands([])
let t: TestHub
let session: FakeSession
beforeAll(async () => {
  t = await startTestHub()
  session = await t.session()
})
afterAll(() => t.close())

async function meow(argv: string[], signal?: AbortSignal) {
  const { shell, said } = fakeShell(t.client, signal === undefined ? {} : { signal })
  const code = await runProgram(argv, shell, { commands, version: '0' })
  return { code, ...said }
}

it('send shows what becomes of a prompt, and a repeated one is not sent again', async () => {
  const done = meow(['send', session.id, 'hi', '--wait=started', '--message-id', 'job'])
  await eventually('the prompt', () => session.queue().length === 1)
  session.prompts.becomes('job', 'queued', { reason: 'waits: a turn runs' })
  for (const state of ['typed', 'accepted', 'started'] as DeliveryState[])
    session.prompts.becomes('job', state)
  expect(await done).toEqual({
    code: 0,
    out: 'job started\n',
    err: 'job queued\njob queued: waits: a turn runs\njob typed\njob accepted\njob started\n',
  })
  expect(await meow(['send', session.id, 'hi', '--message-id', 'job'])).toMatchObject({
    out: 'job started\n',
  })
  expect(await meow(['send', session.id, 'hi', '--wait=accepted', '--message-id', 'job'])).toMatchObject({
    code: 0,
  })
  expect(session.prompts.list()).toEqual([])
})

it('Ctrl-C leaves it queued, as it says, and queue takes it out', async () => {
  const controller = new AbortController()
  const done = meow(['send', session.id, 'later', '--wait', '--id', 'left'], controller.signal)
  await eventually('the prompt', () => session.queue().length === 1)
  controller.abort()
  const { code, err } = await done
  expect(code).toBe(130)
  const line = /take it out: agent-meow (.*)\n/.exec(err)?.[1] ?? ''
  expect((await meow(['queue', 'ls', session.id])).out).toContain('left')
  expect(await meow(line.split(' '))).toEqual({ code: 0, out: 'left taken out\n', err: '' })
  expect(session.queue()).toEqual([])
  expect(await meow(line.split(' '))).toEqual({
    code: 1,
    out: '',
    err: 'error: the message does not wait any more: it is failed\n',
  })
})

it('answer finds the dialog and answers that one', async () => {
  const options = [
    { key: '1', label: 'Yes' },
    { key: '2', label: 'No' },
  ]
  session.vendor.ask('Before?', options)
  expect((await meow(['answer', session.id, 'yes'])).code).toBe(0)
  expect((await meow(['answer', session.id])).err).toBe('no dialog is open\n')
  session.vendor.ask('Now?', options)
  expect((await meow(['answer', session.id])).out).toContain('permission: Now?')
  expect((await meow(['answer', session.id, '2'])).out).toBe('answered: No\n  it stood there\n  it is gone\n')
  expect((await meow(['events', session.id])).out).toMatch(/approval\.resolved +answered by cli: No\n/)
})

it('command lists and runs; interrupt says what it saw', async () => {
  expect((await meow(['command', session.id])).out).toContain('<small|big>')
  expect((await meow(['command', session.id, 'model', 'big'])).out).toBe('model done\n  model was seen\n')
  expect(await meow(['command', session.id, 'model'])).toMatchObject({
    code: 1,
    err: 'error: model needs model\n',
  })
  expect((await meow(['interrupt', session.id])).out).toBe('nothing was running\n  no turn open\n')
})
