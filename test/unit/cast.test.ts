/** Recordings as text: what is read, what is written, and that no byte changes on the way. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CastLines, Utf8Text } from '../../src/terminal/cast/write-cast.js'
import { castSize, readCast, whyCut } from '../../src/terminal/index.js'

const lines = (...values: unknown[]): string =>
  values.map((v) => `${typeof v === 'string' ? v : JSON.stringify(v)}\n`).join('')
const V3 = { version: 3, term: { cols: 80, rows: 24, type: 'xterm-256color' }, timestamp: 1504467315 }

describe('readCast', () => {
  it('reads version 2: absolute seconds', () => {
    const text = lines(
      { version: 2, width: 90, height: 30, env: { TERM: 'xterm' }, title: 'Demo', theme: { fg: '#fff' } },
      [0.248848, 'o', 'a'],
      [1.001376, 'm', ''],
      [4.05, 'r', '80x24'],
    )
    expect(readCast(text)).toEqual({
      header: { version: 2, cols: 90, rows: 30, term: 'xterm', title: 'Demo', env: { TERM: 'xterm' } },
      events: [
        { at: 248.848, kind: 'o', data: 'a' },
        { at: 1001.376, kind: 'm', data: '' },
        { at: 4050, kind: 'r', data: '80x24' },
      ],
      cut: false,
    })
    expect(castSize('80x24')).toEqual({ cols: 80, rows: 24 })
  })

  it('reads version 3: intervals, comments, exits; codes that it does not know only take time', () => {
    const text = lines(
      V3,
      '# a comment',
      [0.1, 'o', 'a'],
      [0.2, 'z', { any: 1 }],
      [0.3, 'i', 'b'],
      [0, 'x', '0'],
    )
    const cast = readCast(text)
    expect(cast.header).toEqual({
      version: 3,
      cols: 80,
      rows: 24,
      term: 'xterm-256color',
      timestamp: 1504467315,
    })
    expect(cast.events).toEqual([
      { at: 100, kind: 'o', data: 'a' },
      { at: 600, kind: 'i', data: 'b' },
      { at: 600, kind: 'x', data: '0' },
    ])
  })

  it('reads past a byte order mark', () => {
    const text = lines(V3, [0.1, 'o', 'a'])
    expect(readCast(`\ufeff${text}`)).toEqual(readCast(text))
  })

  it('adds many intervals without drifting', () => {
    const many = Array.from({ length: 10_000 }, () => [0.1, 'o', '.'])
    expect(readCast(lines(V3, ...many)).events.at(-1)?.at).toBe(1_000_000)
  })

  it.each([
    [1, lines({ version: 3, term: { cols: 'x', rows: 1 } })],
    [3, lines(V3, [0, 'o', 'a'], '[0, "o"', [0, 'o', 'b'])],
    [2, lines(V3, [-1, 'o', 'a'])],
    [2, lines(V3, [1e300, 'o', 'a'])],
    [2, lines(V3, [0, 'o', 7])],
    [2, lines(V3, [0, 'r', '80 by 24'])],
  ])('names line %i when it is wrong', (line, text) => {
    expect(() => readCast(text)).toThrow(new RegExp(`^line ${line} of the recording`))
  })

  it('keeps what is whole of a file that ends within a line, and says so', () => {
    const text = lines(V3, [0, 'o', 'a'], [1, 'o', 'bcd'])
    // From the middle of the last line up to its last bracket.
    for (let end = text.length - 12; end < text.length - 2; end += 1) {
      const cast = readCast(text.slice(0, end))
      expect([cast.cut, cast.events.map(({ data }) => data)]).toEqual([true, ['a']])
    }
    expect(readCast(text.slice(0, -1)).cut).toBe(false)
  })
})

describe('a file that is no asciicast of version 2 or 3', () => {
  const v1 = { version: 1, width: 80, height: 24, duration: 1, stdout: [[0.1, 'hi']] }
  it.each<[string, string, string]>([
    [JSON.stringify(v1), 'an asciicast of version 1', 'asciinema convert'],
    [JSON.stringify(v1, null, 2), 'an asciicast of version 1', 'asciinema convert'],
    ['{"version": 4, "term": {"cols": 80, "rows": 24}}\n', 'an asciicast of version 4', 'write one of those'],
    ['{"version": "x"}\n', 'an asciicast of version "x"', 'write one of those'],
    ['', 'it is empty', 'nothing was recorded'],
    [' \n\n', 'it is empty', 'nothing was recorded'],
    [gzipSync('{"version": 2}').toString('utf8'), 'compressed with gzip', 'gunzip FILE'],
    [
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x00]).toString('utf8'),
      'compressed with zstd',
      'unzstd FILE',
    ],
    [
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]).toString('latin1'),
      'it is no text',
      'name the file NAME.cast',
    ],
    ['Script started on\nhello\n', 'the header is no JSON', 'name the file NAME.cast'],
    ['{"a": 1}\n', 'the header names no version', 'NAME.cast'],
    ['[1, "o", "x"]\n', 'the header is no JSON object', 'NAME.cast'],
    ['{"at": 5, "observation": {}}\n', 'the side-channel log', 'the NAME.cast beside it'],
    ['{"t": 0.5, "type": "turn.started"}\n', 'the events of a replay', 'NAME.cast'],
  ])('%j: it says what it is, what is read, and what to do', (text, what, todo) => {
    const refused = expect.objectContaining({
      code: 'invalid_argument',
      detail: expect.stringContaining(what),
      hint: expect.stringMatching(/^asciicast versions 2 and 3 are read: /),
    })
    expect(() => readCast(text)).toThrow(refused)
    expect(() => readCast(text)).toThrow(expect.objectContaining({ hint: expect.stringContaining(todo) }))
  })

  it('of those versions it says what is wrong in the header', () => {
    const wrong = { version: 2, width: 0, height: 24 }
    expect(() => readCast(JSON.stringify(wrong))).toThrow(/line 1 of the recording: .*width/)
  })
})

describe('how a recording ended', () => {
  const head = (more: object = {}) => JSON.stringify({ version: 2, width: 80, height: 24, ...more })
  const ours = head({ redacted: ['sk-'] })
  it.each([
    ['another recorder does not say', [head(), '[0, "o", "x"]', ''], undefined, null],
    ['with its last line', [ours, '[0, "o", "x"]', '# {"replaced":{}}', ''], 'closed', null],
    [
      'at its greatest size',
      [ours, '[0, "m", "record.capped: it reached"]', '# {"replaced":{}}', ''],
      'capped',
      'it was ended at its greatest size',
    ],
    ['without its last line', [ours, '[0, "o", "x"]', ''], 'open', 'it was not closed'],
    ['within a line', [ours, '[0, "o", "x"]', '[1, "o'], 'open', 'it ends in the middle of a line'],
    ['within a line of another recorder', [head(), '[1, "o'], undefined, 'it ends in the middle of a line'],
  ])('%s', (_, lines, ending, why) => {
    const cast = readCast(lines.join('\n'))
    expect(cast.ending).toBe(ending)
    if (why === null) expect(whyCut(cast)).toBeNull()
    else expect(whyCut(cast)).toContain(why)
  })
})

describe('CastLines', () => {
  it('writes what readCast reads, with times that never step back', () => {
    const out = new CastLines()
    const header = {
      cols: 120,
      rows: 40,
      term: 'tmux-256color',
      timestamp: 1_700_000_000.7,
      vendor: { id: 'pi', version: '1.2.3' },
      backend: 'tmux',
      tmux: '3.4',
      fromStart: true,
      redacted: ['sk-'],
    }
    const text =
      out.header(header) +
      out.event({ at: 0.4, kind: 'o', data: 'a\r\n\u001b[0m' }) +
      out.event({ at: 1000.6, kind: 'i', data: 'b' }) +
      out.event({ at: 900, kind: 'm', data: 'turn' }) +
      out.comment({ end: true })
    expect(readCast(text)).toEqual({
      header: { version: 3, ...header, timestamp: 1_700_000_000 },
      events: [
        { at: 0, kind: 'o', data: 'a\r\n\u001b[0m' },
        { at: 1001, kind: 'i', data: 'b' },
        { at: 1001, kind: 'm', data: 'turn' },
      ],
      cut: false,
      ending: 'closed',
    })
    expect(text.split('\n')[2]).toBe('[1.001,"i","b"]')
  })

  it('does not let rounded times add up to an error', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { maxLength: 300 }), (gaps) => {
        const out = new CastLines()
        let at = 0
        const text = gaps.map((gap) => {
          at += gap
          return out.event({ at, kind: 'o', data: '' })
        })
        const read = readCast(lines(V3).concat(...text)).events.at(-1)?.at ?? 0
        expect(Math.abs(read - at)).toBeLessThanOrEqual(0.5)
      }),
    )
  })
})

describe('Utf8Text', () => {
  const cutAt = (bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] => {
    const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
    return [0, ...at].map((start, i) => bytes.slice(start, [...at, bytes.length][i]))
  }
  const cuts = fc.array(fc.nat(), { maxLength: 20 })

  it('gives the very bytes back, whatever the chunks, and every piece is valid by itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), cuts, (text, where) => {
        const bytes = Buffer.from(text)
        const reader = new Utf8Text()
        const pieces = [...cutAt(bytes, where).map((part) => reader.take(part)), reader.end()]
        for (const piece of pieces) expect(Buffer.from(piece).toString()).toBe(piece)
        expect(Buffer.concat(pieces.map((piece) => Buffer.from(piece)))).toEqual(bytes)
        expect(reader.replaced).toBe(0)
      }),
    )
  })

  it('replaces what is no UTF-8 as a whole decoder does, whatever the chunks, and counts it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), cuts, (bytes, where) => {
        const reader = new Utf8Text()
        const pieces = [...cutAt(bytes, where).map((part) => reader.take(part)), reader.end()]
        const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
        expect(pieces.join('')).toBe(whole)
        expect(reader.replaced === 0).toBe(Buffer.from(whole).equals(Buffer.from(bytes)))
      }),
      { numRuns: 500 },
    )
    const one = new Utf8Text()
    one.take(Buffer.from([0x61, 0xff, 0xef, 0xbf, 0xbd, 0xe2, 0x82]))
    one.end()
    expect(one.replaced).toBe(2)
  })
})
