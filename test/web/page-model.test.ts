/** @module test/web/page-model - the page's small pure parts. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { backoff } from '../../src/web/app/model/backoff.js'
import {
  formatCost,
  formatCount,
  formatDuration,
  formatUsd,
  shortPath,
} from '../../src/web/app/model/format.js'
import { countLines, preview } from '../../src/web/app/model/preview.js'
import { feed, type TerminalPosition } from '../../src/web/app/model/terminal-feed.js'
import { editSides, inputSummary, inputText } from '../../src/web/app/model/tool-input.js'
import { visible, visibleOutput } from '../../src/web/app/model/visible.js'
import { parseHash, sessionHash } from '../../src/web/app/state/route.js'

describe('terminal feed', () => {
  it('writes each byte once, however frames overlap', () => {
    const frames = fc.array(fc.record({ from: fc.nat({ max: 60 }), length: fc.nat({ max: 30 }) }))
    fc.assert(
      fc.property(frames, fc.nat({ max: 40 }), (cuts, start) => {
        const record = Uint8Array.from({ length: 90 }, (_, n) => n)
        let at: TerminalPosition = { channel: 1, offset: start }
        const written: number[] = []
        for (const { from, length } of cuts) {
          const frame = { channel: 1, offset: from, bytes: record.subarray(from, from + length) }
          const fed = feed(at, frame)
          expect(fed.kind === 'hole').toBe(from > at.offset)
          if (fed.kind !== 'write') continue
          written.push(...fed.bytes)
          at = fed.at
        }
        expect(written).toEqual([...record.subarray(start, at.offset)])
      }),
    )
  })

  it('ignores another channel', () => {
    const frame = { channel: 2, offset: 0, bytes: new Uint8Array(3) }
    expect(feed({ channel: 1, offset: 0 }, frame)).toEqual({ kind: 'skip' })
  })
})

describe('preview', () => {
  it('keeps a whole start or end within its limits', () => {
    const limits = fc.record({
      lines: fc.integer({ min: 1, max: 9 }),
      chars: fc.integer({ min: 1, max: 50 }),
    })
    const text = fc.array(fc.string({ maxLength: 12 }), { maxLength: 20 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(text, limits, fc.constantFrom('head', 'tail'), (whole, limit, end) => {
        const cut = preview(whole, end, limit)
        expect(end === 'head' ? whole.startsWith(cut.text) : whole.endsWith(cut.text)).toBe(true)
        expect(cut.text.length + cut.chars).toBe(whole.length)
        if (cut.chars === 0) return
        expect(cut.text.length).toBeLessThanOrEqual(limit.chars)
        expect(countLines(cut.text)).toBeLessThanOrEqual(limit.lines)
      }),
    )
  })

  it('does not fold what only ends with a line break', () => {
    expect(preview('a\nb\n', 'head', { lines: 2, chars: 100 })).toEqual({
      text: 'a\nb\n',
      lines: 0,
      chars: 0,
    })
    expect(preview('a\nb\nc', 'head', { lines: 2, chars: 100 })).toEqual({ text: 'a\nb', lines: 1, chars: 2 })
    expect(preview('a\nb\nc\n', 'tail', { lines: 2, chars: 100 }).text).toBe('b\nc\n')
  })
})

describe('visible', () => {
  it('writes hostile characters out and leaves the rest', () => {
    expect(visible('plain\ttext\n')).toBe('plain\ttext\n')
    expect(visible('a\u202eb')).toBe('a[U+202E]b')
    expect(visible('\u001b[31mred')).toBe('\u241b[31mred')
    expect(visible('one\r\ntwo')).toBe('one\ntwo')
    expect(visible('שלום\u200f!')).toBe('שלום\u200f!')
    expect(visibleOutput('\u001b[1;31mred\u001b[0m')).toBe('red')
  })
})

describe('tool input', () => {
  it('is told in one line', () => {
    expect(inputSummary('shell', { command: 'ls -la\n  | head', description: 'x' })).toBe('ls -la | head')
    expect(inputSummary('shell', { command: ['bash', '-lc', 'ls'] })).toBe('bash -lc ls')
    expect(inputSummary('read', { file_path: '/a/b' })).toBe('/a/b')
    expect(inputSummary('mcp', { a: 1 })).toBe('{"a":1}')
    expect(inputSummary('other', null)).toBe('')
    expect(inputSummary('shell', { command: 'x'.repeat(5000) })).toHaveLength(301)
  })

  it('is told in full', () => {
    expect(inputText('shell', { command: 'a\nb' })).toBe('a\nb')
    expect(inputText('mcp', { a: 1 })).toBe('{\n  "a": 1\n}')
    expect(inputText('plan', {})).toBe('')
    expect(editSides({ old_string: 'a', new_string: 'b' })).toEqual({ removed: 'a', added: 'b' })
    expect(editSides({ old_string: 'a' })).toBeNull()
  })
})

describe('numbers', () => {
  const tokens = (input: number) => ({ input, output: 0, cacheRead: 0, cacheWrite: 0 })

  it('read well', () => {
    expect([0, 0.00001, 0.0123, 1.5].map(formatUsd)).toEqual(['$0.00', '< $0.0001', '$0.0123', '$1.50'])
    expect([7, 1234, 34_500, 999_600, 2_000_000].map(formatCount)).toEqual([
      '7',
      '1.2k',
      '35k',
      '1.0M',
      '2.0M',
    ])
    expect([20, 4200, 65_000, 7_380_000].map(formatDuration)).toEqual([
      '20 ms',
      '4.2 s',
      '1 min 5 s',
      '2 h 3 min',
    ])
    expect(formatCost(tokens(5), null)).toBe('price unknown')
    expect(formatCost(tokens(0), null)).toBe('no usage yet')
    expect(shortPath('/home/me/work/app')).toBe('…/work/app')
    expect(shortPath('/srv')).toBe('/srv')
  })

  it('of waits stay within their bounds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (n, random) => {
          const wait = backoff(n, random, { firstMs: 400, maxMs: 10_000 })
          expect(wait).toBeGreaterThanOrEqual(200)
          expect(wait).toBeLessThanOrEqual(10_000)
        },
      ),
    )
  })
})

describe('address', () => {
  it('is read and written', () => {
    expect(parseHash('#pair=a%20b')).toEqual({ kind: 'pair', code: 'a b' })
    expect(parseHash(sessionHash('s/1'))).toEqual({ kind: 'session', sessionId: 's/1' })
    expect(parseHash('#pair=%')).toEqual({ kind: 'pair', code: '%' })
    expect(parseHash('#else')).toEqual({ kind: 'none' })
  })
})
