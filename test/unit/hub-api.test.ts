/** @module test/unit/hub-api.test - every route: what it takes, what it answers, what it says when it cannot. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HubClient } from '../../src/hub/client.js'
import { makeOpenApi } from '../../src/hub/openapi.js'
import { packageRoot, packageVersion } from '../../src/hub/version.js'
import { openJournal } from '../../src/journal/sqlite-journal.js'
import { API, type Route } from '../../src/protocol/api.js'
import { ERROR_CODES } from '../../src/protocol/errors.js'
import { raw, startTestHub, type TestHub, TOKEN, tempFolder } from './hub-harness.js'

let t: TestHub
beforeAll(async () => {
  t = await startTestHub()
})
afterAll(() => t.close())

const post = async (path: string, body: string) =>
  await raw(
    t.port,
    'POST',
    path,
    { host: `127.0.0.1:${t.port}`, authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body,
  )

describe('calls', () => {
  it('reach the session and come back', async () => {
    const session = await t.session()
    const { id } = session
    expect(await t.client.info()).toMatchObject({
      version: '9.9.9',
      port: t.port,
      pid: process.pid,
      home: t.home,
    })
    expect((await t.client.sessions())[0]?.id).toBe(id)
    expect((await t.client.session(id)).state).toBe('idle')
    expect(await t.client.send(id, { text: 'hi', messageId: 'a:b.c-d_1' })).toEqual({
      messageId: 'a:b.c-d_1',
      state: 'queued',
      reason: null,
    })
    expect((await t.client.receipt(id, 'a:b.c-d_1')).state).toBe('queued')
    expect(await t.client.interrupt(id)).toMatchObject({ result: 'idle' })
    await t.client.keys(id, ['Enter', 'Up'])
    await t.client.resize(id, { cols: 90, rows: 25 })
    session.draw('one\ntwo')
    expect(await t.client.terminal(id)).toEqual({ cols: 90, rows: 25, offset: 7, lines: ['one', 'two'] })
    expect(await t.client.attach(id)).toEqual({ argv: ['tmux', 'attach'], env: {} })
    session.tell('x', 'y', 'z')
    // The receipt of the prompt came first.
    expect(await t.client.events(id, { since: 2, limit: 1 })).toMatchObject({
      events: [{ seq: 3 }],
      lastSeq: 4,
    })
    expect(await t.client.vendors()).toEqual([])
    expect((await t.client.kill(id)).state).toBe('ended')
    expect([session.sent.length, session.pressed, session.killed]).toEqual([1, [['Enter', 'Up']], 1])
    // Ended: it is still told of, and takes nothing more.
    expect((await t.client.session(id)).state).toBe('ended')
    expect((await t.client.events(id)).events.at(-1)?.type).toBe('session.ended')
    expect((await t.client.kill(id)).state).toBe('ended')
    expect(session.killed).toBe(1)
    await expect(t.client.send(id, { text: 'late' })).rejects.toMatchObject({ code: 'conflict' })
    await expect(t.client.terminal(id)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('give the receipts of an ended session from the journal', async () => {
    const session = await t.session()
    const envelope = {
      v: 1,
      sessionId: session.id,
      ts: 1,
      source: 'bridge',
      type: 'delivery',
      messageId: 'm_9',
    } as const
    session.journal.append(session.id, [
      { ...envelope, id: 'a', state: 'queued', reason: null, text: 'hi' },
      { ...envelope, id: 'b', state: 'failed', reason: 'ended' },
    ])
    await session.kill()
    expect(await t.client.receipt(session.id, 'm_9')).toEqual({
      messageId: 'm_9',
      state: 'failed',
      reason: 'ended',
    })
    await expect(t.client.receipt(session.id, 'm_8')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('with bad values say which', async () => {
    const { id } = await t.session()
    const cases: [string, string, string][] = [
      [`/v1/sessions/${id}/messages`, '{"text":""}', 'text'],
      [`/v1/sessions/${id}/messages`, '{"text":"a","extra":1}', 'extra'],
      [`/v1/sessions/${id}/messages`, '{"text":"a","messageId":"a b"}', 'messageId'],
      [`/v1/sessions/${id}/messages`, 'not json', 'not JSON'],
      [`/v1/sessions/${id}/messages`, '', 'body'],
      [`/v1/sessions/${id}/resize`, '{"cols":1,"rows":1}', 'cols'],
      [`/v1/sessions/${id}/keys`, '{"keys":["Nope"]}', 'Nope'],
      ['/v1/sessions', '{"vendor":"x"}', 'cwd'],
    ]
    for (const [path, body, word] of cases) {
      const answer = await post(path, body)
      expect([path, body, answer.status, answer.code]).toEqual([path, body, 400, 'invalid_argument'])
      expect(answer.text).toContain(word)
    }
    const headers = { host: `127.0.0.1:${t.port}`, authorization: `Bearer ${TOKEN}` }
    expect((await raw(t.port, 'GET', `/v1/sessions/${id}/events?since=-1`, headers)).status).toBe(400)
    expect((await raw(t.port, 'GET', `/v1/sessions/${id}/events?limit=99999`, headers)).status).toBe(400)
  })

  it('about what is not there are answered 404', async () => {
    await expect(t.client.session('s_none')).rejects.toMatchObject({ code: 'not_found' })
    const calls = [
      () => t.client.kill('s_none'),
      () => t.client.events('s_none'),
      () => t.client.send('s_none', { text: 'x' }),
      () => t.client.receipt('s_none', 'm'),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'not_found' })
    expect(
      (
        await raw(t.port, 'GET', '/v1/nope', {
          host: `127.0.0.1:${t.port}`,
          authorization: `Bearer ${TOKEN}`,
        })
      ).code,
    ).toBe('not_found')
  })

  it('with too much are refused before it is read', async () => {
    const hub = await startTestHub({ bodyBytes: 1_000 })
    try {
      const session = await hub.session()
      const headers = {
        host: `127.0.0.1:${hub.port}`,
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
      }
      const path = `/v1/sessions/${session.id}/messages`
      const text = JSON.stringify({ text: 'x'.repeat(2_000) })
      expect((await raw(hub.port, 'POST', path, headers, text)).code).toBe('too_large')
      const chunked = await raw(hub.port, 'POST', path, { ...headers, 'transfer-encoding': 'chunked' }, text)
      expect([chunked.status, chunked.code]).toEqual([413, 'too_large'])
      expect(session.sent).toEqual([])
    } finally {
      await hub.close()
    }
  })

  it('that fail inside are told without their insides, and logged without what they quote', async () => {
    const hub = await startTestHub({
      vendors: async () => {
        throw new SyntaxError('Unexpected token in "my secret prompt"')
      },
    })
    try {
      await expect(hub.client.vendors()).rejects.toMatchObject({ code: 'internal' })
      expect(hub.logged.join('\n')).toContain('SyntaxError')
      expect(hub.logged.join('\n')).not.toContain('secret')
    } finally {
      await hub.close()
    }
  })
})

describe('launches', () => {
  it('that fail tell why and leave nothing', async () => {
    await expect(t.client.createSession({ vendor: 'broken', cwd: '/' })).rejects.toMatchObject({
      code: 'vendor_missing',
      hint: 'install it',
    })
    expect((await t.client.sessions()).filter(({ vendor }) => vendor === 'broken')).toEqual([])
    await expect(t.client.createSession({ vendor: 'fails-late', cwd: '/' })).rejects.toMatchObject({
      code: 'vendor_start_failed',
    })
    // It was journalled already: then it is there as ended, with the reason.
    const failed = (await t.client.sessions()).find(({ vendor }) => vendor === 'fails-late')
    expect(failed).toMatchObject({
      state: 'ended',
      stateRule: 'session.start_failed',
      stateEvidence: ['ended at once'],
    })
    expect((await t.client.events(failed?.id ?? '')).events.at(-1)).toMatchObject({
      type: 'session.ended',
      reason: 'start_failed',
    })
    expect((await t.client.info()).sessions).toBe(t.hub.registry.liveCount)
  })

  it('are served from the moment they have a terminal', async () => {
    const hub = await startTestHub()
    try {
      const created = hub.client.createSession({ vendor: 'slow', cwd: '/' })
      while (hub.fakes.length === 0) await new Promise((resolve) => setImmediate(resolve))
      const [session] = hub.fakes
      expect((await hub.client.sessions())[0]).toMatchObject({ id: session?.id, state: 'starting' })
      const { url, token } = session?.deps.hook ?? { url: '', token: '' }
      const hook = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"event":"SessionStart"}',
      })
      expect(await hook.json()).toEqual({ seen: { event: 'SessionStart' } })
      await hub.client.keys(session?.id ?? '', ['Enter'])
      hub.release()
      expect((await created).state).toBe('idle')
    } finally {
      await hub.close()
    }
  })

  it('hold back a hook until the session is known, and a kill ends them', async () => {
    const hub = await startTestHub()
    try {
      const created = hub.client.createSession({ vendor: 'late', cwd: '/' })
      while (hub.hub.registry.liveCount === 0) await new Promise((resolve) => setImmediate(resolve))
      const id = hub.hub.registry.list()[0]?.id ?? ''
      await expect(hub.client.send(id, { text: 'early' })).rejects.toMatchObject({
        code: 'conflict',
        retryable: true,
      })
      const hook = hub.hub.registry.hook(id, { n: 1 })
      const killed = hub.hub.registry.kill(id)
      hub.release()
      expect(await hook).toEqual({ seen: { n: 1 } })
      await expect(created).rejects.toMatchObject({ code: 'vendor_start_failed' })
      expect((await killed).state).toBe('ended')
      expect(hub.fakes[0]?.killed).toBe(1)
      expect(hub.hub.registry.liveCount).toBe(0)
    } finally {
      await hub.close()
    }
  })

  it('are bounded in number', async () => {
    const hub = await startTestHub({ maxLive: 2 })
    try {
      const first = await hub.session()
      await hub.session()
      await expect(hub.session()).rejects.toMatchObject({ code: 'conflict', retryable: true })
      first.end()
      await hub.session()
    } finally {
      await hub.close()
    }
  })
})

describe('the end', () => {
  it('is asked for over the API and takes every session with it', async () => {
    const hub = await startTestHub()
    const sessions = [await hub.session(), await hub.session()]
    await hub.client.shutdown()
    expect(hub.shutdowns()).toBe(1)
    const stream = await hub.client.stream()
    await hub.close()
    expect(sessions.map(({ killed }) => killed)).toEqual([1, 1])
    for await (const frame of stream) throw new Error(`a frame after the end: ${frame.type}`)
    await expect(hub.client.info()).rejects.toMatchObject({ code: 'hub_unreachable', hint: 'agent-meow up' })
  })

  it('of a hub without a word is told by the next one', async () => {
    const folder = tempFolder()
    const path = join(folder, 'journal.db')
    const before = openJournal(path)
    const first = await startTestHub({ journal: before })
    const lost = await first.session()
    const ended = await first.session()
    lost.tell('working')
    await ended.kill()
    before.close()
    const after = openJournal(path)
    const second = await startTestHub({ journal: after })
    try {
      expect(await second.client.session(lost.id)).toMatchObject({
        state: 'ended',
        stateRule: 'session.lost',
        lastSeq: 2,
      })
      expect((await second.client.events(lost.id)).events.map(({ type }) => type)).toEqual([
        'item.completed',
        'session.ended',
      ])
      expect(
        (await second.client.events(ended.id)).events.filter(({ type }) => type === 'session.ended'),
      ).toHaveLength(1)
      // And only once, however often a hub starts.
      const third = await startTestHub({ journal: after })
      expect((await third.client.session(lost.id)).lastSeq).toBe(2)
      await third.close()
    } finally {
      await second.close()
      after.close()
      await first.hub.close(100).catch(() => undefined)
      fs.rmSync(folder, { recursive: true, force: true })
      fs.rmSync(first.home, { recursive: true, force: true })
    }
  })
})

describe('the page', () => {
  it('is the built files, as they were at the start', async () => {
    const root = tempFolder()
    fs.mkdirSync(join(root, 'assets'))
    fs.writeFileSync(join(root, 'index.html'), '<p>page</p>')
    fs.writeFileSync(join(root, 'assets', 'a-1.js'), 'x')
    fs.symlinkSync('/etc/hostname', join(root, 'link.txt'))
    const hub = await startTestHub({ webRoot: root })
    try {
      const headers = { host: `127.0.0.1:${hub.port}` }
      expect(await raw(hub.port, 'GET', '/', headers)).toMatchObject({ status: 200, text: '<p>page</p>' })
      const script = await raw(hub.port, 'GET', '/assets/a-1.js?v=1', headers)
      expect([script.headers['content-type'], script.headers['cache-control']]).toEqual([
        'text/javascript; charset=utf-8',
        expect.stringContaining('immutable'),
      ])
      expect((await raw(hub.port, 'HEAD', '/', headers)).status).toBe(200)
      fs.writeFileSync(join(root, 'later.html'), 'x')
      for (const path of ['/later.html', '/link.txt', '/assets', '/assets/']) {
        expect([path, [400, 404].includes((await raw(hub.port, 'GET', path, headers)).status)]).toEqual([
          path,
          true,
        ])
      }
    } finally {
      await hub.close()
      fs.rmSync(root, { recursive: true })
    }
  })
})

describe('openapi', () => {
  const committed = join(packageRoot(), 'docs', 'openapi.json')

  it('in docs/ is the one that the code makes (else: npm run build && node scripts/openapi.mjs)', () => {
    expect(JSON.parse(fs.readFileSync(committed, 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(makeOpenApi(packageVersion()))),
    )
  })

  it('names every route, refers to nothing that is not there, and is served', async () => {
    const document = makeOpenApi('9.9.9')
    const text = JSON.stringify(document)
    for (const route of Object.values(API) as Route[]) expect(text).toContain(JSON.stringify(route.summary))
    for (const code of Object.keys(ERROR_CODES)) expect(text).toContain(code)
    const schemas = (document.components as { schemas: Record<string, unknown> }).schemas
    const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? '')
    expect(refs.length).toBeGreaterThan(20)
    for (const ref of refs) expect(Object.keys(schemas)).toContain(ref.replace('#/components/schemas/', ''))
    expect(await t.client.openapi()).toEqual(JSON.parse(text))
  })
})

it('a client is told that nobody listens', async () => {
  const client = new HubClient({ url: 'http://127.0.0.1:9', token: TOKEN })
  await expect(client.sessions()).rejects.toMatchObject({ code: 'hub_unreachable', retryable: true })
  await expect(client.stream()).rejects.toMatchObject({ code: 'hub_unreachable' })
  const wrong = new HubClient({ url: t.client.url, token: 'wrong' })
  await expect(wrong.sessions()).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(wrong.stream()).rejects.toMatchObject({ code: 'unauthorized' })
})
