/** @module test/unit/hub-pairing.test - codes are good once and for a while; cookies outlive the hub, their text does not. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ALL_SCOPES } from '../../src/hub/gate.js'
import { CODE_MS, COOKIE_MS, Pairing } from '../../src/hub/pairing.js'
import { packageRoot } from '../../src/hub/version.js'
import { raw, startTestHub } from './hub-harness.js'

function pairing() {
  const at = { now: 1_000_000 }
  const kept: { text: string | null } = { text: null }
  const store = {
    load: () => kept.text,
    save: (text: string) => {
      kept.text = text
    },
  }
  const open = () => new Pairing({ store, now: () => at.now })
  return { at, kept, open, first: open() }
}

describe('a code', () => {
  it('is good once', () => {
    const { first } = pairing()
    const code = first.createCode(ALL_SCOPES)
    expect(first.scopesOf(first.redeem(code))).toEqual(ALL_SCOPES)
    expect(() => first.redeem(code)).toThrow('wrong, used or too old')
  })

  it('is good for ten minutes and not a moment longer', () => {
    const { first, at } = pairing()
    const [early, late] = [first.createCode(ALL_SCOPES), first.createCode(ALL_SCOPES)]
    at.now += CODE_MS - 1
    first.redeem(early)
    at.now += 1
    expect(() => first.redeem(late)).toThrow('too old')
  })

  it('gives the scopes that it was made with', () => {
    const { first } = pairing()
    expect(first.scopesOf(first.redeem(first.createCode(new Set(['view']))))).toEqual(new Set(['view']))
  })

  it('cannot be tried for long, nor can right ones then', () => {
    const { first, at } = pairing()
    const code = first.createCode(ALL_SCOPES)
    for (let i = 0; i < 10; i += 1) expect(() => first.redeem(`guess ${i}`)).toThrow('wrong')
    expect(() => first.redeem(code)).toThrow('too many')
    at.now += 60_001
    first.redeem(code)
  })

  it('is one of few: the oldest goes', () => {
    const { first } = pairing()
    const codes = Array.from({ length: 21 }, () => first.createCode(ALL_SCOPES))
    expect(() => first.redeem(codes[0] ?? '')).toThrow('wrong')
    first.redeem(codes[1] ?? '')
    first.redeem(codes[20] ?? '')
  })
})

describe('a cookie', () => {
  it('outlives the hub, ends after its time, and is nowhere in the file', () => {
    const { first, open, kept, at } = pairing()
    const code = first.createCode(ALL_SCOPES)
    const cookie = first.redeem(code)
    expect(kept.text).not.toContain(cookie)
    expect(kept.text).not.toContain(code)
    expect(open().scopesOf(cookie)).toEqual(ALL_SCOPES)
    expect(open().scopesOf(`${cookie}x`)).toBeNull()
    at.now += COOKIE_MS
    expect(open().scopesOf(cookie)).toBeNull()
  })

  it('is one of few, and a damaged file pairs nobody', () => {
    const { first, open, kept } = pairing()
    const cookies = Array.from({ length: 101 }, () => first.redeem(first.createCode(ALL_SCOPES)))
    expect(first.scopesOf(cookies[0] ?? '')).toBeNull()
    expect(open().scopesOf(cookies[100] ?? '')).toEqual(ALL_SCOPES)
    kept.text = '{"browsers": 7}'
    expect(open().scopesOf(cookies[100] ?? '')).toBeNull()
  })
})

it('over HTTP: the code of the fragment becomes a cookie that scripts and other sites do not get', async () => {
  const t = await startTestHub()
  try {
    const { code, url } = await t.client.createPairing()
    expect(url).toBe(`http://127.0.0.1:${t.port}/#pair=${code}`)
    const origin = `http://127.0.0.1:${t.port}`
    const headers = { host: `127.0.0.1:${t.port}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ code })
    // Another site cannot spend it, with or without a name.
    expect(
      (await raw(t.port, 'POST', '/v1/pair', { ...headers, origin: 'http://evil.example' }, body)).status,
    ).toBe(403)
    expect((await raw(t.port, 'POST', '/v1/pair', headers, body)).status).toBe(403)
    const paired = await raw(t.port, 'POST', '/v1/pair', { ...headers, origin }, body)
    expect(paired.status).toBe(200)
    const cookie = paired.headers['set-cookie']?.[0] ?? ''
    expect(cookie).toMatch(
      new RegExp(`^meow_${t.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=\\d+$`),
    )
    expect(paired.text).toBe('{"ok":true}')
    expect((await raw(t.port, 'POST', '/v1/pair', { ...headers, origin }, body)).code).toBe('unauthorized')
    const value = cookie.split(';')[0] ?? ''
    expect((await raw(t.port, 'GET', '/v1/info', { host: headers.host, cookie: value })).status).toBe(200)
    expect(t.logged.join('\n')).not.toContain(code)
  } finally {
    await t.close()
  }
})

it('hints name commands that there are', () => {
  const root = packageRoot()
  const commands = new Set(readdirSync(join(root, 'src/cli/commands')).map((name) => name.replace('.ts', '')))
  const hub = join(root, 'src/hub')
  const named = readdirSync(hub, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(join(hub, name), 'utf8').matchAll(/agent-meow ([a-z]+)(?= |['`.\n])/g),
    ])
    .flatMap(([, name = '']) => (['is', 'listens'].includes(name) ? [] : [name]))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !commands.has(name))).toEqual([])
})
