/** Secrets go, columns and moments stay: over chunks, colours, cells and lines. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cast, CastEvent } from '../../src/terminal/cast/cast.js'
import { Redactor, redactText, redactValue } from '../../src/terminal/cast/redact.js'
import { Secrets } from '../../src/terminal/cast/secrets.js'
import { openTail } from '../../src/terminal/cast/sequences.js'
import { patchCast, verifyRedacted } from '../../src/terminal/cast/verify-cast.js'
import { Screen } from '../../src/terminal/index.js'

const KEY = 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx'
const PASSWORD = 'correct horse / battery'
const secrets = new Secrets({
  env: { HOME: '/home/alice', MY_TOKEN: 'tok.en+with/odd=chars', DB_PASSWORD: PASSWORD, MAX_TOKENS: '32000' },
  user: 'alice',
})

function redacted(pieces: readonly string[], stream = 'o'): string[] {
  const told: string[] = []
  const redactor = new Redactor<number>(secrets, (n, text) => {
    expect(n).toBe(told.length)
    told.push(text ?? '')
  })
  for (const [n, text] of pieces.entries()) redactor.push(n, stream, text)
  redactor.flush()
  return told
}

const SECRETS = [
  KEY,
  `ghp_${'a1B2'.repeat(9)}`,
  `github_pat_${'x_9'.repeat(10)}`,
  'AKIAIOSFODNN7EXAMPLE',
  'xoxb-1234567890-abcdef',
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${'s'.repeat(20)}`,
  'tok.en+with/odd=chars',
  PASSWORD,
]

describe('what is a secret', () => {
  it.each(SECRETS)('%s', (secret) => {
    const text = redactText(secrets, `key: ${secret} end`)
    expect(text).toBe(`key: ${'*'.repeat(secret.length)} end`)
  })

  it('is the token behind Bearer, and the folder and name of the user in paths', () => {
    expect(redactText(secrets, 'Authorization: Bearer abcdefghijklmnopqrst')).toBe(
      `Authorization: Bearer ${'*'.repeat(20)}`,
    )
    expect(redactText(secrets, '/home/alice/work /Users/bob/x /tmp/alice/y -home-alice-work')).toBe(
      '/home/user_/work /Users/use/x /tmp/user_/y -home-user_-work',
    )
    expect(redactText(secrets, 'alice /tmp/alicetown')).toBe('alice /tmp/alicetown')
  })

  it.each([
    ['C:\\Users\\bob\\x', 'C:\\Users\\use\\x'],
    ['"c:\\\\users\\\\barbara\\\\x"', '"c:\\\\users\\\\user___\\\\x"'],
    ['C:/Users/bob/x /mnt/c/Users/bob', 'C:/Users/use/x /mnt/c/Users/use'],
    ['?f=%2Fhome%2Fbarbara%2Fx', '?f=%2Fhome%2Fuser___%2Fx'],
    ['file%3A%2F%2F%2fUsers%2fbarbara&x', 'file%3A%2F%2F%2fUsers%2fuser___&x'],
    ['%2Fhome%2Fren%C3%A9e%2Fx', '%2Fhome%2Fuser______%2Fx'],
    ['/var/home/bob /export/home/bob', '/var/home/use /export/home/use'],
    ['file:///home/bob (/home/bob)', 'file:///home/use (/home/use)'],
  ])('is a name where systems keep their users: %s', (text, wanted) => {
    expect(redactText(secrets, text)).toBe(wanted)
    expect(redacted([...text]).join('')).toBe(wanted)
  })

  it.each([
    'src/home/page.ts',
    'https://a.example/home/settings?x=a%2Fhome%2Fpage',
    'C:\\Program Files\\Users',
    '/tmp/homes/x /tmp/x/Users/y',
  ])('is no folder inside of a path that is called as those: %s', (text) => {
    expect(redactText(secrets, text)).toBe(text)
  })

  it.each<[string, string, string]>([
    ['/tmp/x/home', '/tmp/x/home/work/a.ts', '/home/user_/work/a.ts'],
    ['/tmp/x/home', '/tmp/x/home.', '/home/user_.'],
    ['/tmp/x/home', '/tmp/x/home.d /tmp/x/homes /a/tmp/x/home', ''],
    ['/tmp/x/home', '-tmp-x-home--cache', '-home-user_--cache'],
    ['/tmp/x/home', '--tmp-x-home a-tmp-x-home', ''],
    ['/tmp/x/home', '%2Ftmp%2fx%2Fhome%2Fwork', '%2Fhome%2Fuser___%2Fwork'],
    ['/home', '/home /home/ --home x-home', ''],
    ['/', '/ /usr //x', ''],
    ['/root', '/root /root/x', '/home /home/x'],
    ['/root', '/rootfs /root.d /root@x /srv/root --root -root a%2Froot', ''],
    ['/d/alice', '/d/alice/x', '/home/us/x'],
  ])('of a home %s only whole parts of a path: %s', (home, text, wanted) => {
    const own = new Secrets({ env: { HOME: home } })
    expect(redactText(own, text)).toBe(wanted === '' ? text : wanted)
  })

  it('may begin at the end of a text, whatever is joined to it with dots', () => {
    const open = (text: string): string => text.slice(secrets.openAt(text))
    expect(open('a eyJhb.eyJzd.s-_')).toBe('eyJhb.eyJzd.s-_')
    expect(open('a.b-eyJ.ey')).toBe('ey')
    expect(open('x.eyJhb.')).toBe('eyJhb.')
    expect(open('eyJhb. -eyJ')).toBe('')
    // One that is no beginning is passed over in one go: a step back for each would be far too long.
    expect(open(`${'eyJ.'.repeat(2 ** 18)} `)).toBe('')
  })

  it('is no number of a setting, no short word, and no part of a longer one', () => {
    const text = 'limit 32000; task-force-of-many-people; sk-short; eyJ; risk-assessment-of-everything-here'
    expect(redactText(secrets, text)).toBe(text)
  })

  it('is a long part of a known value, too: programs show keys shortened', () => {
    const own = new Secrets({ env: { X_API_KEY: 'abcdefghijklmnopqrstuvwxyz0123' } })
    expect(redactText(own, 'abcdefghijklmn... and ...stuvwxyz0123')).toBe(
      '**************... and ...************',
    )
  })

  it('keeps the cells of wide characters', () => {
    const own = new Secrets({ env: { HOME: '/home/山田', X_SECRET: '秘密の合言葉' } })
    expect(redactText(own, '[/home/山田/x] [秘密の合言葉]')).toBe('[/home/user/x] [************]')
  })

  it('is found in every text of a JSON value', () => {
    expect(redactValue(secrets, { a: [KEY, 1, null], b: { c: `x${PASSWORD}` } })).toEqual({
      a: ['*'.repeat(KEY.length), 1, null],
      b: { c: `x${'*'.repeat(PASSWORD.length)}` },
    })
  })
})

describe('Redactor', () => {
  it('finds every secret whatever the chunks and colours, and each piece keeps its cells', () => {
    const cut = fc.array(fc.nat({ max: 400 }), { maxLength: 30 })
    const words = fc.array(
      fc.oneof(
        fc.constantFrom(...SECRETS, '/home/alice/x', 's', 'plain text', '│ box │'),
        fc.string({ maxLength: 5 }),
      ),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(words, cut, cut, (parts, chunks, colours) => {
        const plain = parts.join('\r\n').replaceAll('\u001b', '')
        let text = ''
        const pieces: string[] = []
        for (const [i, char] of Array.from(plain).entries()) {
          if (chunks.includes(i)) {
            pieces.push(text)
            text = ''
          }
          text += `${colours.includes(i) ? '\u001b[38;5;9m' : ''}${char}`
        }
        pieces.push(text)
        const told = redacted(pieces)
        const bare = told.join('').replaceAll('\u001b[38;5;9m', '')
        for (const secret of SECRETS) expect(bare).not.toContain(secret)
        expect(bare).not.toContain('/home/alice')
        expect(told.map((one) => one.length)).toEqual(pieces.map((one) => one.length))
        expect(bare.split('\r\n')).toHaveLength(plain.split('\r\n').length)
      }),
      { numRuns: 300 },
    )
  })

  it('changes nothing else', () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 }).filter((s) => redactText(secrets, s) === s)
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (pieces) => {
        if (redactText(secrets, pieces.join('')) === pieces.join('')) expect(redacted(pieces)).toEqual(pieces)
      }),
    )
  })

  it('lets pieces wait only while their end may be a beginning, and tells them in order', () => {
    const told: string[] = []
    const redactor = new Redactor<string>(secrets, (value) => told.push(value))
    redactor.push('1', 'o', 'hello world. ')
    expect(told).toEqual(['1'])
    redactor.push('2', 'o', 'sk-')
    redactor.push('marker', '', null)
    redactor.push('3', 'o', 'ant')
    expect(told).toEqual(['1'])
    redactor.push('4', 'o', ' is a prefix')
    expect(told).toEqual(['1', '2', 'marker', '3', '4'])
    expect(redactor.counts).toEqual({})
  })

  it('is bounded: what is too long to wait is decided, and the rest of it goes, too', () => {
    const pieces = Array.from({ length: 400 }, (_, i) => (i === 0 ? 'sk-' : 'a'.repeat(100)))
    const told: string[] = []
    let most = 0
    const redactor = new Redactor<number>(secrets, (_n, text) => told.push(text ?? ''))
    for (const [n, text] of pieces.entries()) {
      redactor.push(n, 'o', text)
      most = Math.max(most, n + 1 - told.length)
    }
    redactor.push(400, 'o', ' end')
    expect(most).toBeLessThan(200)
    expect(told.join('')).toBe(`${'*'.repeat(39_903)} end`)
  })

  it('knows streams from each other: input between two halves of output does not hide it', () => {
    const told: string[] = []
    const redactor = new Redactor<string>(secrets, (_value, text) => told.push(text ?? ''))
    redactor.push('a', 'o', KEY.slice(0, 10))
    redactor.push('b', 'i', 'y')
    redactor.push('c', 'o', `${KEY.slice(10)} `)
    redactor.flush()
    expect(told).toEqual(['*'.repeat(10), 'y', `${'*'.repeat(KEY.length - 10)} `])
  })
})

describe('the screen of a recording', () => {
  const cast = (...datas: string[]): Cast => ({
    header: { version: 3, cols: 60, rows: 10 },
    events: datas.map((data, i): CastEvent => ({ at: i * 10, kind: 'o', data })),
    cut: false,
  })
  const shown = (one: Cast): string[] => {
    const screen = new Screen({ cols: 60, rows: 10 })
    for (const { data } of one.events) screen.write(Buffer.from(data))
    const rows = Array.from({ length: 10 }, (_, y) => screen.text(y))
    screen.dispose()
    return rows
  }

  it('shows a key that was drawn cell by cell, and it is taken out of the events that drew it', async () => {
    const drawn = cast(
      '\u001b[2J',
      ...Array.from(KEY, (char, i) => `\u001b[5;${i + 3}H\u001b[1m${char}`),
      '\u001b[H',
    )
    expect((await verifyRedacted(drawn, secrets)).map(({ rule }) => rule)).toContain('sk-')
    const patched = await patchCast(drawn, secrets)
    if (patched === null) throw new Error('too long')
    expect(await verifyRedacted(patched, secrets)).toEqual([])
    expect(shown(patched)[4]).toBe(`  ${'*'.repeat(KEY.length)}`)
    expect(patched.events.map(({ at }) => at)).toEqual(drawn.events.map(({ at }) => at))
  })

  it('shows a known value that a box broke over lines and scrolled', async () => {
    const value = 'tok.en+with/odd=chars'
    const drawn = cast(
      '\u001b[10;1H',
      `│ ${value.slice(0, 9)} │\r\n│ ${value.slice(9)} │\r\nmore`,
      '\r\n\r\n',
    )
    expect(await verifyRedacted(drawn, secrets)).not.toEqual([])
    const patched = await patchCast(drawn, secrets)
    if (patched === null) throw new Error('too long')
    expect(await verifyRedacted(patched, secrets)).toEqual([])
    expect(shown(patched).join('\n')).toContain('│ ********* │\n│ ************ │\nmore')
  })

  it.each([
    ['scrolls by', `\r\n${'more\r\n'.repeat(40)}`],
    ['is erased', '\u001b[2Jgone'],
    ['is left behind on the other screen', '\u001b[?1049hother'],
  ])('shows what the very event that drew it %s', async (_, after) => {
    const value = 'tok.en+with/odd=chars'
    const drawn = cast('\u001b[H', `│ ${value.slice(0, 9)} │\r\n│ ${value.slice(9)} │${after}`)
    expect(await verifyRedacted(drawn, secrets)).not.toEqual([])
    const patched = await patchCast(drawn, secrets)
    if (patched === null) throw new Error('too long')
    expect(await verifyRedacted(patched, secrets)).toEqual([])
    expect(patched.events.map(({ data }) => data).join('')).not.toContain(value.slice(9))
  })

  it('is clean after the stream was redacted, and then nothing is changed', async () => {
    const clean = cast(...redacted([`one ${KEY}\r\n`, '/home/alice/x']))
    expect(await verifyRedacted(clean, secrets)).toEqual([])
    expect((await patchCast(clean, secrets))?.events).toEqual(clean.events)
  })
})

describe('openTail', () => {
  it.each([
    ['plain', 5],
    ['a\u001b[31mb', 7],
    ['a\u001b[3', 1],
    ['a\u001b]0;title', 1],
    ['a\u001b', 1],
    ['aé'.slice(0, 1), 1],
  ])('%j', (text, at) => {
    expect(openTail(Buffer.from(text))).toBe(at)
  })

  it('begins at a character that is cut', () => {
    expect(openTail(Buffer.from('a日').subarray(0, 3))).toBe(1)
  })
})
