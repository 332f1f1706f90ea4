/** @module test/unit/hub-gate.test - who gets in: over real HTTP and real upgrades, and the pure function beside. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gate } from '../../src/hub/gate.js'
import { API, type Route } from '../../src/protocol/api.js'
import type { FakeSession } from './hub-fake-session.js'
import { raw, startTestHub, type TestHub, TOKEN, upgrade } from './hub-harness.js'

let t: TestHub
let session: FakeSession
let host: string
let cookie: string
const bearer = { authorization: `Bearer ${TOKEN}` }
const json = { 'content-type': 'application/json' }

beforeAll(async () => {
  t = await startTestHub()
  session = await t.session()
  host = `127.0.0.1:${t.port}`
  const { code } = await t.client.createPairing()
  const paired = await raw(
    t.port,
    'POST',
    '/v1/pair',
    { host, origin: `http://${host}`, ...json },
    JSON.stringify({ code }),
  )
  cookie = (paired.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
  expect(cookie).toMatch(/^meow_\d+=[\w-]{43}$/)
})
afterAll(() => t.close())

describe('Host', () => {
  it('takes the three names of this hub and no other', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      expect((await raw(t.port, 'GET', '/v1/info', { ...bearer, host: `${name}:${t.port}` })).status).toBe(
        200,
      )
    }
    const wrong = [
      'evil.example',
      `evil.example:${t.port}`,
      '127.0.0.1',
      `127.0.0.1:${t.port + 1}`,
      `0.0.0.0:${t.port}`,
      `127.0.0.1.nip.io:${t.port}`,
      `LOCALHOST:${t.port}`,
    ]
    for (const name of wrong) {
      for (const path of ['/v1/info', '/', '/assets/x.js', '/v1/pair', '/v1/openapi.json']) {
        const answer = await raw(t.port, 'GET', path, { ...bearer, cookie, host: name })
        expect([name, path, answer.status, answer.code]).toEqual([name, path, 403, 'forbidden'])
      }
    }
  })

  it('refuses an upgrade for a rebound name even with a good token', async () => {
    expect(
      await upgrade(t.port, '/v1/stream', {
        Host: `evil.example:${t.port}`,
        Authorization: `Bearer ${TOKEN}`,
      }),
    ).toContain('403')
  })
})

describe('token', () => {
  it('is needed on every route but pairing', async () => {
    for (const route of Object.values(API) as Route[]) {
      const path = route.path.replace(':id', session.id).replace(':messageId', 'm_1')
      const headers = { host, origin: `http://${host}`, ...(route.method === 'GET' ? {} : json) }
      for (const wrong of [
        {},
        { authorization: 'Bearer nope' },
        { authorization: `Basic ${TOKEN}` },
        { cookie: `meow_${t.port}=nope` },
        { cookie: `meow_${t.port}=${TOKEN}` },
      ]) {
        const answer = await raw(
          t.port,
          route.method,
          path,
          { ...headers, ...wrong },
          route.method === 'GET' ? undefined : '{}',
        )
        const expected =
          route.scope === 'none' && !('authorization' in wrong && wrong.authorization.startsWith('Bearer'))
            ? 400
            : 401
        expect([route.method, path, wrong, answer.status]).toEqual([route.method, path, wrong, expected])
      }
    }
    expect(session.killed).toBe(0)
    expect(t.shutdowns()).toBe(0)
  })

  it('in the query is not read', async () => {
    for (const name of ['token', 'access_token', 'authorization']) {
      expect((await raw(t.port, 'GET', `/v1/info?${name}=${TOKEN}`, { host })).status).toBe(401)
      expect(await upgrade(t.port, `/v1/stream?${name}=${TOKEN}`, { Host: host })).toContain('403')
      expect(
        await upgrade(t.port, `/v1/stream?${name}=${TOKEN}`, { Host: host, Origin: `http://${host}` }),
      ).toContain('401')
    }
  })

  it('in two headers is refused', async () => {
    const headers = {
      'content-type': ['x'],
      authorization: [`Bearer ${TOKEN}`, 'Bearer other'],
      host: [host],
    }
    const config = { port: t.port, token: TOKEN, hookToken: () => undefined, cookieScopes: () => null }
    expect(gate({ method: 'GET', url: '/v1/info', headers, upgrade: false }, config)).toMatchObject({
      allow: false,
      status: 400,
    })
  })
})

describe('other sites', () => {
  const origins = [
    'http://evil.example',
    'null',
    'https://127.0.0.1',
    'http://127.0.0.1',
    'http://localhost:1',
    'file://',
  ]

  it('are refused by Origin, whatever they hold', async () => {
    for (const origin of [
      ...origins,
      `https://127.0.0.1:${t.port}`,
      `http://127.0.0.1:${t.port}.evil.example`,
    ]) {
      for (const proof of [bearer, { cookie }]) {
        expect((await raw(t.port, 'GET', '/v1/sessions', { host, origin, ...proof })).status).toBe(403)
        expect(
          (await raw(t.port, 'POST', `/v1/sessions/${session.id}/interrupt`, { host, origin, ...proof }))
            .status,
        ).toBe(403)
      }
      expect(await upgrade(t.port, '/v1/stream', { Host: host, Origin: origin, Cookie: cookie })).toContain(
        '403',
      )
    }
  })

  it('are refused by Sec-Fetch-Site, but may link to the page', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const headers = { host, 'sec-fetch-site': site }
      expect((await raw(t.port, 'GET', '/v1/sessions', { ...headers, cookie })).status).toBe(403)
      expect(
        (await raw(t.port, 'GET', '/v1/sessions', { ...headers, cookie, 'sec-fetch-mode': 'navigate' }))
          .status,
      ).toBe(403)
      expect((await raw(t.port, 'GET', '/', { ...headers, 'sec-fetch-mode': 'no-cors' })).status).toBe(403)
      expect((await raw(t.port, 'GET', '/', { ...headers, 'sec-fetch-mode': 'navigate' })).status).toBe(200)
    }
    expect(
      (await raw(t.port, 'GET', '/v1/sessions', { host, cookie, 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(200)
  })

  it('get no CORS headers, and no answer to a preflight', async () => {
    const preflight = await raw(t.port, 'OPTIONS', '/v1/sessions', {
      host,
      origin: `http://${host}`,
      'access-control-request-method': 'POST',
    })
    expect(preflight.status).toBe(405)
    const good = await raw(t.port, 'GET', '/v1/info', { host, origin: `http://${host}`, ...bearer })
    for (const answer of [preflight, good]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
})

describe('a cookie', () => {
  it('reads without an Origin and changes nothing without one', async () => {
    expect((await raw(t.port, 'GET', '/v1/sessions', { host, cookie })).status).toBe(200)
    for (const [method, path] of [
      ['POST', `/v1/sessions/${session.id}/interrupt`],
      ['DELETE', `/v1/sessions/${session.id}`],
      ['POST', '/v1/shutdown'],
    ] as const) {
      expect((await raw(t.port, method, path, { host, cookie })).status).toBe(403)
    }
    expect(session.killed).toBe(0)
    expect(
      (
        await raw(t.port, 'POST', `/v1/sessions/${session.id}/interrupt`, {
          host,
          cookie,
          origin: `http://localhost:${t.port}`,
        })
      ).status,
    ).toBe(200)
    expect(await upgrade(t.port, '/v1/stream', { Host: host, Cookie: cookie })).toContain('403')
    expect(
      await upgrade(t.port, '/v1/stream', { Host: host, Cookie: cookie, Origin: `http://${host}` }),
    ).toContain('101')
  })

  it('is found among others of the same name', async () => {
    const mixed = `a=b; meow_${t.port}=tossed; ${cookie}`
    expect((await raw(t.port, 'GET', '/v1/sessions', { host, cookie: mixed })).status).toBe(200)
  })
})

describe('a hook token', () => {
  it('is good for its session and nothing else', async () => {
    const { token, url } = session.deps.hook
    const path = new URL(url).pathname
    const other = await t.session()
    const hook = { host, authorization: `Bearer ${token}`, ...json }
    const good = await raw(t.port, 'POST', path, hook, '{"a":1}')
    expect([good.status, good.text]).toEqual([200, '{"seen":{"a":1}}'])
    expect((await raw(t.port, 'POST', `/v1/sessions/${other.id}/hook`, hook, '{}')).status).toBe(401)
    expect((await raw(t.port, 'POST', '/v1/sessions/s_none/hook', hook, '{}')).status).toBe(401)
    for (const route of Object.values(API) as Route[]) {
      if (route.scope === 'hook') continue
      const elsewhere = route.path.replace(':id', session.id).replace(':messageId', 'm')
      expect(
        (await raw(t.port, route.method, elsewhere, hook, route.method === 'GET' ? undefined : '{}')).status,
      ).toBe(401)
    }
    expect(await upgrade(t.port, '/v1/stream', { Host: host, Authorization: `Bearer ${token}` })).toContain(
      '401',
    )
    // And the other way: the token of the install is no hook token.
    expect((await raw(t.port, 'POST', path, { host, ...bearer, ...json }, '{}')).status).toBe(401)
    expect(session.hooks).toEqual([{ a: 1 }])
    await other.kill()
    expect(
      (
        await raw(
          t.port,
          'POST',
          `/v1/sessions/${other.id}/hook`,
          { host, authorization: `Bearer ${other.deps.hook.token}`, ...json },
          '{}',
        )
      ).status,
    ).toBe(401)
  })
})

describe('bodies', () => {
  it('must be JSON: the types a form can send are refused', async () => {
    const path = `/v1/sessions/${session.id}/messages`
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonp',
      '',
    ]) {
      const headers = {
        host,
        origin: `http://${host}`,
        cookie,
        ...(type === '' ? {} : { 'content-type': type }),
      }
      expect((await raw(t.port, 'POST', path, headers, '{"text":"rm -rf"}')).status).toBe(415)
    }
    expect(session.sent).toEqual([])
    const good = await raw(
      t.port,
      'POST',
      path,
      { host, cookie, origin: `http://${host}`, 'content-type': 'application/json; charset=utf-8' },
      '{"text":"hi"}',
    )
    expect(good.status).toBe(202)
  })
})

describe('paths', () => {
  it('have one reading', async () => {
    const tricks = [
      '//v1/info',
      '/V1/info',
      '/v1//info',
      '/%76%31/info',
      '/v1%2finfo',
      '/./v1/info',
      '/x/../v1/info',
      '/v1/info/',
      '/v1/%69nfo',
      '\\v1\\info',
      `http://127.0.0.1:${t.port}/v1/info`,
      '/v1/info%00',
      '/v1/info#x',
      '*',
    ]
    for (const path of tricks) {
      // With no token at all: nothing of the API may answer.
      const answer = await raw(t.port, 'GET', path, { host })
      expect([path, [400, 404].includes(answer.status), answer.text.includes('"version"')]).toEqual([
        path,
        true,
        false,
      ])
      const withToken = await raw(t.port, 'GET', path, { host, ...bearer })
      expect([path, withToken.status === 200]).toEqual([path, false])
    }
  })

  it('of the page need no token and reach no other file', async () => {
    expect((await raw(t.port, 'GET', '/', { host })).status).toBe(200)
    for (const path of ['/package.json', '/../package.json', '/..%2f..%2fetc/passwd', '/etc/passwd']) {
      expect([400, 404]).toContain((await raw(t.port, 'GET', path, { host })).status)
    }
    expect((await raw(t.port, 'POST', '/', { host, origin: `http://${host}` })).status).toBe(405)
  })
})

it('puts the security headers on every answer', async () => {
  const answers = [
    await raw(t.port, 'GET', '/', { host }),
    await raw(t.port, 'GET', '/nothing', { host }),
    await raw(t.port, 'GET', '/v1/info', { host, ...bearer }),
    await raw(t.port, 'GET', '/v1/info', { host }),
    await raw(t.port, 'GET', '/v1/info', { host: 'evil' }),
    await raw(t.port, 'GET', '/v1/sessions/none', { host, ...bearer }),
  ]
  for (const { headers } of answers) {
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).not.toMatch(/script-src|unsafe-eval/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
  }
  for (const { headers } of answers.slice(2)) expect(headers['cache-control']).toBe('no-store')
})

it('logs no token', () => {
  expect(t.logged.join('\n')).not.toContain(TOKEN)
})
