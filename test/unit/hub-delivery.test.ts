/** @module test/unit/hub-delivery.test - prompts, answers, commands and typing over the API, and who may do what. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { HubStream, StreamFrame } from '../../src/hub/client.js'
import {
  MAX_IMAGE_BYTES,
  MAX_IMAGES,
  MAX_PROMPT,
  type Scope,
  type SendMessageInput,
} from '../../src/protocol/commands.js'
import type { MeowEvent } from '../../src/protocol/events.js'
import type { FakeSession } from './hub-fake-session.js'
import { eventually, raw, startTestHub, type TestHub, TOKEN } from './hub-harness.js'

let t: TestHub
beforeAll(async () => {
  t = await startTestHub()
})
afterAll(() => t.close())

const call = async (method: string, path: string, body: string) =>
  await raw(
    t.port,
    method,
    path,
    { host: `127.0.0.1:${t.port}`, authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body,
  )

const told = (session: FakeSession): MeowEvent[] => session.journal.read(session.id, 0)

/** Calls with the cookie of a browser that has these scopes. */
function browser(...scopes: Scope[]) {
  const cookie = `meow_${t.port}=${t.hub.pairing.redeem(t.hub.pairing.createCode(new Set(scopes)))}`
  const origin = `http://127.0.0.1:${t.port}`
  const headers = { cookie, origin, 'content-type': 'application/json' }
  return {
    headers: { cookie, origin },
    status: async (method: string, path: string, body?: unknown): Promise<number> => {
      const more = body === undefined ? {} : { body: JSON.stringify(body) }
      return (await fetch(`${origin}${path}`, { method, headers, ...more })).status
    },
  }
}

describe('the queue', () => {
  it('is seen, edited, reordered and left', async () => {
    const session = await t.session()
    const { id } = session
    await t.client.send(id, { text: 'one', messageId: 'a' })
    await t.client.send(id, { text: 'two', messageId: 'b', how: 'steer', images: [{ path: '/x.png' }] })
    await t.client.send(id, { text: 'three', messageId: 'c', how: 'interrupt' })
    expect(session.sent.map(({ how }) => how)).toEqual(['queue', 'steer', 'interrupt'])
    expect(session.sent[1]?.images).toEqual([{ path: '/x.png' }])
    session.prompts.becomes('a', 'queued', { reason: 'waits: a turn runs' })
    expect((await t.client.queue(id)).map((one) => [one.messageId, one.how, one.images, one.reason])).toEqual(
      [
        ['a', 'queue', 0, 'waits: a turn runs'],
        ['b', 'steer', 1, null],
        ['c', 'interrupt', 0, null],
      ],
    )
    expect(await t.client.editQueued(id, 'b', { text: 'zwei', how: 'queue' })).toMatchObject({
      messageId: 'b',
      state: 'queued',
    })
    await t.client.editQueued(id, 'a', { before: null })
    await t.client.editQueued(id, 'c', { before: 'b' })
    expect((await t.client.queue(id)).map(({ messageId, text }) => [messageId, text])).toEqual([
      ['c', 'three'],
      ['b', 'zwei'],
      ['a', 'one'],
    ])
    expect(await t.client.withdraw(id, 'c')).toMatchObject({ messageId: 'c', state: 'failed' })
    expect((await t.client.queue(id)).map(({ messageId }) => messageId)).toEqual(['b', 'a'])
    const edited = told(session).filter((event) => event.type === 'delivery' && event.messageId === 'b')
    expect(edited.at(-1)).toMatchObject({ text: 'zwei', how: 'queue', state: 'queued' })
  })

  it('says what is not there, and what is on its way', async () => {
    const session = await t.session()
    const { id } = session
    await t.client.send(id, { text: 'one', messageId: 'a' })
    await t.client.send(id, { text: 'two', messageId: 'b' })
    session.prompts.becomes('a', 'typed')
    for (const act of [
      () => t.client.editQueued(id, 'a', { text: 'late' }),
      () => t.client.withdraw(id, 'a'),
      () => t.client.editQueued(id, 'b', { before: 'a' }),
    ])
      await expect(act()).rejects.toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining('typed'),
      })
    for (const act of [
      () => t.client.editQueued(id, 'x', { text: 'y' }),
      () => t.client.withdraw(id, 'x'),
      () => t.client.editQueued(id, 'b', { before: 'x' }),
      () => t.client.queue('s_none'),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'not_found' })
    expect((await t.client.queue(id)).map(({ messageId, text }) => [messageId, text])).toEqual([['b', 'two']])
  })

  it('of an ended session is empty, and its receipts say what is undecided', async () => {
    const session = await t.session()
    await t.client.send(session.id, { text: 'one', messageId: 'a' })
    await t.client.send(session.id, { text: 'two', messageId: 'b' })
    session.prompts.becomes('a', 'failed', { reason: 'not seen', undecided: true })
    await session.kill()
    expect(await t.client.queue(session.id)).toEqual([])
    expect(await t.client.commands(session.id)).toEqual([])
    expect(await t.client.receipt(session.id, 'a')).toEqual({
      messageId: 'a',
      state: 'failed',
      reason: 'not seen',
      undecided: true,
    })
    expect(await t.client.receipt(session.id, 'b')).toMatchObject({ state: 'failed' })
    await expect(t.client.withdraw(session.id, 'b')).rejects.toMatchObject({ code: 'conflict' })
  })

  it('takes no change that says nothing that is known', async () => {
    const session = await t.session()
    const path = `/v1/sessions/${session.id}/messages`
    await t.client.send(session.id, { text: 'one', messageId: 'a' })
    for (const [method, at, body, word] of [
      ['PATCH', `${path}/a`, '{"text":""}', 'text'],
      ['PATCH', `${path}/a`, '{"how":"now"}', 'how'],
      ['PATCH', `${path}/a`, '{"place":1}', 'place'],
      ['PATCH', `${path}/a`, '', 'body'],
      ['POST', path, '{"text":"x","how":"later"}', 'how'],
      ['POST', path, '{"text":"x","images":[{"mime":"image/bmp","base64":"AAAA"}]}', 'images.0.mime'],
      ['POST', path, '{"text":"x","images":[{"path":""}]}', 'images.0.path'],
    ] as const) {
      const answer = await call(method, at, body)
      expect([body, answer.status, answer.code]).toEqual([body, 400, 'invalid_argument'])
      expect(answer.text).toContain(word)
    }
    expect(session.sent).toHaveLength(1)
  })
})

describe('sizes', () => {
  const image = { mime: 'image/png', base64: 'A'.repeat(Math.ceil(MAX_IMAGE_BYTES / 3) * 4) } as const

  it('of the longest prompt with the most images pass', async () => {
    const session = await t.session()
    const text = 'x'.repeat(MAX_PROMPT)
    const images = Array.from({ length: MAX_IMAGES }, () => image)
    expect(await t.client.send(session.id, { text, images })).toMatchObject({ state: 'queued' })
    expect(session.sent[0]?.text.length).toBe(MAX_PROMPT)
    expect(session.sent[0]?.images?.length).toBe(MAX_IMAGES)
    // As long as JSON can make a prompt: six bytes a character.
    const escaped = `{"text":"${'\\u2028'.repeat(MAX_PROMPT)}"}`
    expect((await call('POST', `/v1/sessions/${session.id}/messages`, escaped)).status).toBe(202)
    const waits = session.queue()[1]
    expect(waits?.text).toBe('\u2028'.repeat(MAX_PROMPT))
    expect(await t.client.editQueued(session.id, waits?.messageId ?? '', { text })).toMatchObject({
      state: 'queued',
    })
  })

  it('beyond are told as such, with the limit', async () => {
    const session = await t.session()
    const { id } = session
    const over = { code: 'too_large', hint: expect.stringContaining(`${MAX_PROMPT} characters`) }
    const text = 'x'.repeat(MAX_PROMPT + 1)
    const tooMany = Array.from({ length: MAX_IMAGES + 1 }, () => ({ path: '/x.png' }))
    const tooBig = { ...image, base64: `${image.base64}AAAA` }
    const cases: [SendMessageInput, string][] = [
      [{ text }, `${MAX_PROMPT}`],
      [{ text: 'x', images: tooMany }, 'images'],
      [{ text: 'x', images: [tooBig] }, 'images.0.base64'],
    ]
    for (const [message, word] of cases) {
      const sent = t.client.send(id, message)
      await expect(sent).rejects.toMatchObject({ ...over, detail: expect.stringContaining(word) })
    }
    expect(session.sent).toEqual([])
  })

  it('are those of the usual on every other route', async () => {
    const { id } = await t.session()
    const body = JSON.stringify({ command: 'x'.repeat(9_000_000) })
    const answer = await call('POST', `/v1/sessions/${id}/commands`, body)
    expect([answer.status, answer.code]).toEqual([413, 'too_large'])
    const told = t.client.runCommand(id, { command: 'x'.repeat(9_000_000) })
    await expect(told).rejects.toMatchObject({ code: 'too_large', detail: 'the body is over 8388608 bytes' })
  })
})

describe('a dialog', () => {
  const options = [
    { key: '1', label: 'Yes' },
    { key: '2', label: 'No' },
  ]

  it('is answered once, and the journal says by whom', async () => {
    const session = await t.session()
    const { id } = session
    const first = session.vendor.ask('Run it?', options)
    await expect(t.client.answer(id, first, '3')).rejects.toMatchObject({ code: 'invalid_argument' })
    await expect(t.client.answer(id, 'approval_x', '1')).rejects.toMatchObject({ code: 'not_found' })
    expect(await t.client.answer(id, first, '2')).toEqual({
      approvalId: first,
      option: 'No',
      evidence: ['it stood there', 'it is gone'],
    })
    await expect(t.client.answer(id, first, '1')).rejects.toMatchObject({ code: 'conflict' })
    const second = session.vendor.ask('And this?', options)
    const page = browser('view', 'approve')
    expect(await page.status('POST', `/v1/sessions/${id}/approvals/${second}`, { option: '1' })).toBe(200)
    const answers = told(session).filter((event) => event.type === 'approval.resolved')
    expect(answers).toMatchObject([
      { approvalId: first, by: 'cli', option: 'No' },
      { approvalId: second, by: 'page', option: 'Yes' },
    ])
  })
})

describe('a command', () => {
  it('is listed, run, and refused with the reason', async () => {
    const session = await t.session()
    const { id } = session
    expect((await t.client.commands(id)).map(({ name }) => name)).toEqual(['compact', 'model'])
    expect(await t.client.runCommand(id, { command: 'model', argument: 'big' })).toEqual({
      command: 'model',
      argument: 'big',
      evidence: ['model was seen'],
    })
    await expect(t.client.runCommand(id, { command: 'nope' })).rejects.toMatchObject({ code: 'unsupported' })
    await expect(t.client.runCommand(id, { command: 'model' })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    const long = { command: 'model', argument: 'x'.repeat(10_001) }
    await expect(t.client.runCommand(id, long)).rejects.toMatchObject({ code: 'too_large' })
    const states = told(session).flatMap((event) => (event.type === 'session.command' ? [event.state] : []))
    expect(states).toEqual(['started', 'done'])
  })
})

describe('scopes', () => {
  it('view sees and changes nothing; type does not answer; approve does not type', async () => {
    const session = await t.session()
    const at = `/v1/sessions/${session.id}`
    await t.client.send(session.id, { text: 'one', messageId: 'a' })
    const dialog = session.vendor.ask('Run it?', [{ key: '1', label: 'Yes' }])
    const reads: [string, string, unknown?][] = [
      ['GET', `${at}/queue`],
      ['GET', `${at}/commands`],
      ['GET', `${at}/messages/a`],
    ]
    const types: [string, string, unknown?][] = [
      ['POST', `${at}/messages`, { text: 'x' }],
      ['PATCH', `${at}/messages/a`, { text: 'y' }],
      ['DELETE', `${at}/messages/a`],
      ['POST', `${at}/commands`, { command: 'compact' }],
      ['POST', `${at}/interrupt`],
    ]
    const answers: [string, string, unknown?][] = [['POST', `${at}/approvals/${dialog}`, { option: '1' }]]
    const statuses = async (scopes: Scope[], calls: [string, string, unknown?][]): Promise<number[]> =>
      await Promise.all(calls.map((one) => browser(...scopes).status(...one)))
    const before = told(session).length
    expect(await statuses(['view'], reads)).toEqual([200, 200, 200])
    for (const scopes of [['view'], ['view', 'approve']] as Scope[][])
      expect(await statuses(scopes, types)).toEqual([403, 403, 403, 403, 403])
    for (const scopes of [['view'], ['view', 'type'], ['spawn', 'type']] as Scope[][])
      expect(await statuses(scopes, answers)).toEqual([403])
    expect(await statuses(['type'], reads)).toEqual([403, 403, 403])
    expect(told(session)).toHaveLength(before)
    for (const one of types) expect(await browser('type').status(...one)).toBeLessThan(300)
    expect(await statuses(['approve'], answers)).toEqual([200])
  })

  it('a change with a cookie and no Origin is refused', async () => {
    const session = await t.session()
    await t.client.send(session.id, { text: 'one', messageId: 'a' })
    const { cookie } = browser('view', 'type').headers
    const headers = { host: `127.0.0.1:${t.port}`, cookie, 'content-type': 'application/json' }
    const path = `/v1/sessions/${session.id}/messages/a`
    expect((await raw(t.port, 'PATCH', path, headers, '{"text":"x"}')).status).toBe(403)
    expect(session.queue()[0]?.text).toBe('one')
  })
})

describe('typing', () => {
  type Typed = Extract<MeowEvent, { type: 'session.typing' }>
  const typed = (frames: readonly StreamFrame[]): Typed[] =>
    frames
      .flatMap((frame) => (frame.type === 'events' ? frame.events : []))
      .filter((event): event is Typed => event.type === 'session.typing')

  async function follow(id: string): Promise<{ stream: HubStream; frames: StreamFrame[] }> {
    const stream = await t.client.stream()
    const frames: StreamFrame[] = []
    void (async () => {
      for await (const frame of stream) frames.push(frame)
    })().catch(() => undefined)
    stream.send({ type: 'session.subscribe', sessionId: id })
    await eventually('the snapshot', () => frames.some(({ type }) => type === 'session.snapshot'))
    return { stream, frames }
  }

  it('is told to the others under a name of the connection, and ends with it', async () => {
    const session = await t.session()
    const [one, two, other] = [await follow(session.id), await follow(session.id), await follow(session.id)]
    const active = { type: 'typing', sessionId: session.id, active: true } as const
    one.stream.send(active)
    await eventually('the first', () => typed(other.frames).length === 1)
    two.stream.send(active)
    two.stream.send({ ...active, active: false })
    await eventually('the second', () => typed(other.frames).length === 3)
    one.stream.close()
    await eventually('the end of the first', () => typed(other.frames).length === 4)
    const [first, second] = [typed(other.frames)[0]?.client, typed(other.frames)[1]?.client]
    expect(first).toMatch(/^cli-\d+$/)
    expect(second).not.toBe(first)
    expect(typed(other.frames).map(({ client, active }) => [client, active])).toEqual([
      [first, true],
      [second, true],
      [second, false],
      [first, false],
    ])
    // Nobody is told of their own; the second one has stopped before it leaves, and says nothing then.
    expect(typed(two.frames).map(({ client }) => client)).toEqual([first, first])
    two.stream.close()
    other.stream.send(active)
    other.stream.send({ type: 'session.unsubscribe', sessionId: session.id })
    other.stream.close()
    await eventually('all gone', () => session.listeners === 2)
    expect(session.typists.slice(-2)).toEqual([
      [expect.any(String), true],
      [expect.any(String), false],
    ])
  })

  it('needs the scope type and a session that lives', async () => {
    const session = await t.session()
    const { headers } = browser('view', 'approve')
    const socket = new WebSocket(`ws://127.0.0.1:${t.port}/v1/stream`, { headers })
    const answers: { error?: { code: string } }[] = []
    socket.on('message', (data) => answers.push(JSON.parse(String(data))))
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send(JSON.stringify({ type: 'typing', sessionId: session.id, active: true }))
    await eventually('the refusal', () => answers.length === 1)
    expect(answers[0]?.error?.code).toBe('forbidden')
    expect(session.typists).toEqual([])
    socket.terminate()
    const { stream, frames } = await follow(session.id)
    stream.send({ type: 'typing', sessionId: session.id, active: true })
    await eventually('the word of it', () => session.typists.length === 1)
    await session.kill()
    // What was said while it lived may be taken back; nothing new is said of it.
    stream.send({ type: 'typing', sessionId: session.id, active: false })
    stream.send({ type: 'typing', sessionId: session.id, active: true })
    await eventually('the error', () => frames.some(({ type }) => type === 'error'))
    expect(frames.flatMap((frame) => (frame.type === 'error' ? [frame.error.code] : []))).toEqual([
      'conflict',
    ])
    stream.close()
  })
})
