/** The reading kit's parts alone: rows to prose, to blocks, to shifts, and which item is which. */
import { describe, expect, it } from 'vitest'
import {
  type BlockRule,
  cutColumns,
  fingerprintOf,
  folded,
  furniture,
  proseOf,
  questionOf,
  type Reading,
  type Row,
  type ScreenItem,
  TranscriptReader,
} from '../../src/adapter/index.js'
import { type Block, parseBlocks } from '../../src/adapter/transcript/blocks.js'
import { TrackedItems } from '../../src/adapter/transcript/items.js'
import { type Face, faceOf, pairUp, sameFace, stitchAt } from '../../src/adapter/transcript/match.js'
import { shiftOf } from '../../src/adapter/transcript/shift.js'
import { Teller } from '../../src/adapter/transcript/teller.js'
import { screenOf } from '../support/screen-rows.js'

/** Rows as the emulator gives them; `\n` ends one. */
function rowsOf(text: string, cols = 20): Row[] {
  const screen = screenOf(text, { cols, rows: 40 })
  const rows = Array.from({ length: 40 }, (_, y) => screen.row(y))
  while (rows.length > 0 && rows.at(-1)?.text === '') rows.pop()
  return rows
}

const prose = (text: string, shape: Partial<Parameters<typeof proseOf>[1]> = {}) =>
  proseOf(rowsOf(text), { cols: 20, first: 2, rest: 2, ...shape })

describe('proseOf', () => {
  it('joins what the program wrapped, and keeps what was a line', () => {
    expect(prose('● one two three four\n  five six\n  seven')).toBe('one two three four five six\nseven')
    // "five" would have fitted behind "one two three": it was written on a line of its own.
    expect(prose('● one two three\n  fiv\n  end')).toBe('one two three\nfiv\nend')
    expect(prose('● one two three\n  fivefive')).toBe('one two three fivefive')
  })

  it('joins what the terminal wrapped without a blank, and keeps one that stands at the seam', () => {
    expect(prose(`● ${'x'.repeat(25)}`)).toBe('x'.repeat(25))
    expect(prose(`● ${'x'.repeat(17)} yy zz`)).toBe(`${'x'.repeat(17)} yy zz`)
  })

  it('keeps blank rows, and none at the end', () => {
    expect(prose('● one\n\n\n  two\n\n')).toBe('one\n\n\ntwo')
  })

  it('a list item, a heading, a quote, a table and a rule begin a line', () => {
    for (const own of ['- a', '* a', '2. a', 'b) a', '## a', '> a', '│ a', '├ a', '───', '```'])
      expect(prose(`● one two three four\n  ${own}`)).toBe(`one two three four\n${own}`)
  })

  it('CJK text is joined without a blank, where nothing more fitted', () => {
    expect(prose('● 漢字漢字漢字漢字漢\n  字漢字')).toBe('漢字漢字漢字漢字漢字漢字')
    expect(prose('● 漢字漢字\n  字漢字')).toBe('漢字漢字\n字漢字')
  })

  it('obeys the free columns, verbatim rows and seams of a vendor', () => {
    expect(prose('● one two three\n  four', { right: 2 })).toBe('one two three four')
    expect(prose('● one two three four\n  five', { verbatim: (text) => text.includes('four') })).toBe(
      'one two three four\nfive',
    )
    expect(prose('● one/two/three/four\n  five', { seam: () => '' })).toBe('one/two/three/fourfive')
  })

  it('cuts by columns, not by characters', () => {
    const [row] = rowsOf('猫 text')
    expect(row && cutColumns(row, 2)).toBe(' text')
    expect(row && cutColumns(row, 3)).toBe('text')
    expect(row && cutColumns(row, 99)).toBe('')
    expect(folded('  a\n\t b  ')).toBe('a b')
  })
})

const starting = (id: string, mark: string, more: Partial<BlockRule> = {}): BlockRule => ({
  id,
  starts: (row) => row.text.startsWith(mark),
  continues: (row) => row.text.startsWith('  '),
  item: () => null,
  ...more,
})
const RULES = [
  starting('a', '● '),
  starting('b', '◆ ', { endsAtBlank: true }),
  furniture('f', (row) => row.text === '---'),
]

const parsed = (text: string, known: readonly Block[] = [], from = 0) =>
  parseBlocks(RULES, known, rowsOf(text), from, 20)
const brief = (blocks: readonly Block[]) =>
  blocks.map(({ rule, from, rows }) => [rule?.id ?? null, from, rows.map((row) => row.text)])

describe('parseBlocks', () => {
  it('gives rows to the rule that begins or goes on; blank rows to the block around them', () => {
    expect(brief(parsed('● one\n  two\n\n  three\n\n● four'))).toEqual([
      ['a', 0, ['● one', '  two', '', '  three']],
      ['a', 5, ['● four']],
    ])
  })

  it('a blank row ends what ends there', () => {
    expect(brief(parsed('◆ one\n  two\n\n  three'))).toEqual([
      ['b', 0, ['◆ one', '  two']],
      [null, 3, ['  three']],
    ])
  })

  it('rows that nobody knows are one block; furniture stands alone', () => {
    expect(brief(parsed('x\ny\n---\nz'))).toEqual([
      [null, 0, ['x', 'y']],
      ['f', 2, ['---']],
      [null, 3, ['z']],
    ])
  })

  it('a row that the terminal wrapped begins nothing', () => {
    expect(brief(parsed(`● ${'x'.repeat(18)}● y`))).toEqual([['a', 0, [`● ${'x'.repeat(18)}`, '● y']]])
  })

  it('goes on from any row as if read at once', () => {
    const text = '● one\n  two\n\n---\n◆ call\n  out\nloose\n● end\n  end'
    const rows = rowsOf(text)
    const whole = brief(parsed(text))
    for (let from = 1; from < rows.length; from += 1) {
      const known = parseBlocks(RULES, [], rows.slice(0, from), 0, 20)
      const last = known.at(-1)
      // The reader gives all rows since the end of the last block.
      const resume = last ? last.from + last.rows.length : 0
      expect(brief(parseBlocks(RULES, known, rows.slice(resume), resume, 20)), `from ${from}`).toEqual(whole)
    }
  })
})

describe('shiftOf', () => {
  const numbered = (from: number, count: number) =>
    rowsOf(Array.from({ length: count }, (_, n) => `row ${from + n}`).join('\n'))
  const shift = (known: readonly Row[], top: number, window: readonly Row[], most = false) =>
    shiftOf(known, top, window, most)

  it('finds how far a window scrolled, forth and back', () => {
    const known = numbered(0, 10)
    expect(shift(known, 0, numbered(0, 10))).toEqual({ kind: 'at', at: 0 })
    expect(shift(known, 0, numbered(3, 10))).toEqual({ kind: 'at', at: 3 })
    expect(shift(numbered(0, 20), 10, numbered(4, 10))).toEqual({ kind: 'inside', at: 4 })
  })

  it('rows can come to light above the first known one', () => {
    expect(shift(numbered(5, 10), 0, numbered(2, 10))).toEqual({ kind: 'at', at: -3 })
  })

  it('a row edited in place, or one that grew, moves nothing', () => {
    const known = numbered(0, 6)
    expect(shift(known, 0, rowsOf('row 0\nrow 1\nedited\nrow 3\nrow 4\nrow 5'))).toEqual({
      kind: 'at',
      at: 0,
    })
    expect(shift(known, 0, rowsOf('row 0\nrow 1\nrow 2\nrow 3\nrow 4\nrow 5 and more'))).toEqual({
      kind: 'at',
      at: 0,
    })
  })

  it('another page has nothing in common; marks and blanks are no evidence', () => {
    expect(shift(numbered(0, 6), 0, rowsOf('a\nb\nc\nd\ne\nf'))).toEqual({ kind: 'none' })
    expect(shift(rowsOf('x\n───\n\n───'), 0, rowsOf('───\n\n───\ny'))).toEqual({ kind: 'none' })
    expect(shift([], 0, numbered(0, 3))).toEqual({ kind: 'none' })
  })

  it('of equal rows the nearest place counts', () => {
    const known = rowsOf(Array.from({ length: 12 }, () => 'same').join('\n'))
    expect(shift(known, 6, known.slice(0, 6))).toMatchObject({ at: 6 })
  })

  it('while the program draws for another size, a few rows are no proof', () => {
    const known = numbered(0, 8)
    const window = rowsOf('row 7\na\nb\nc\nd\ne\nf\ng')
    expect(shift(known, 0, window)).toEqual({ kind: 'at', at: 7 })
    expect(shift(known, 0, window, true)).toEqual({ kind: 'none' })
  })
})

const face = (text: string, kind: Face['kind'] = 'assistant_message'): Face => ({ kind, text })

describe('which item is which', () => {
  it('a face has no white space, and of a call its name and input alone', () => {
    expect(faceOf({ kind: 'user_message', text: ' a\n b  c' }).text).toBe('abc')
    const call = {
      kind: 'tool_call',
      tool: 'shell',
      name: 'Bash',
      input: { command: 'ls  -l' },
      output: 'x',
    } as const
    expect(faceOf({ ...call, status: 'running' }).text).toBe(
      faceOf({ ...call, status: 'failed', output: '' }).text,
    )
  })

  it('a cut or growing text is the same, another kind is not', () => {
    expect(sameFace(face('abc'), face('abcdef'))).toBe(true)
    expect(sameFace(face('abc…'), face('abcdef'))).toBe(true)
    expect(sameFace(face('abd'), face('abcdef'))).toBe(false)
    expect(sameFace(face('abc'), face('abc', 'user_message'))).toBe(false)
    expect(sameFace(face('', 'reasoning'), face('hm', 'reasoning'))).toBe(true)
    expect(sameFace(face(''), face('abc'))).toBe(false)
    // A tail counts once it is long.
    expect(sameFace(face('def'), face('abcdef'))).toBe(false)
    const long = 'x'.repeat(30)
    expect(sameFace(face(long), face(`abc${long}`))).toBe(true)
  })

  it('pairs in order; of equal ones the latest; nothing twice', () => {
    const faces = (...texts: string[]) => texts.map((text) => face(text))
    expect(pairUp(faces('a1', 'b1', 'c1'), faces('b1', 'c1', 'd1'))).toEqual([
      [1, 0],
      [2, 1],
    ])
    expect(pairUp(faces('ok', 'ok', 'ok'), faces('ok', 'ok'))).toEqual([
      [1, 0],
      [2, 1],
    ])
    expect(pairUp(faces('a1', 'b1'), faces('b1', 'a1'))).toHaveLength(1)
    // An equal text goes before one that only begins so.
    expect(pairUp(faces('abc', 'abcdef'), faces('abc'))).toEqual([[0, 0]])
    expect(pairUp([], faces('a1'))).toEqual([])
  })

  it('stitches what is left of a text to what stood above it', () => {
    const old = 'The first line of it.\nThe second line of this text, which is long.\nThe third line.'
    const at = old.indexOf('The second')
    expect(stitchAt(old, old.slice(at))).toBe(at)
    expect(stitchAt(old, `${old.slice(at)} And more.`)).toBe(at)
    // Wrapped elsewhere.
    expect(stitchAt(old, 'The second line\nof this text, which is\nlong. The third line.')).toBe(at)
    expect(stitchAt(old, 'Something else that never stood there at all.')).toBeNull()
    expect(stitchAt(old, '')).toBeNull()
  })

  it('of several places takes the one from which all goes on', () => {
    const line = 'The very same line, again and again.'
    expect(stitchAt(`${line}\n${line}\nend`, `${line}\nend`)).toBe(line.length + 1)
    expect(stitchAt(`${line}\n${line}`, `${line}\n${line}\nnew`)).toBe(0)
  })
})

const said = (
  text: string,
  kind: 'assistant_message' | 'user_message' = 'assistant_message',
): ScreenItem => ({
  kind,
  text,
})
const drawnAt = (from: number, item: ScreenItem) => ({
  from,
  ruleId: 'a',
  item,
  face: faceOf(item),
  headless: false,
})

describe('several items of one row', () => {
  const call = { kind: 'tool_call', tool: 'read', name: 'Read', input: null, output: '' } as const
  const both = starting('a', '● ', {
    item: ([row]) => [
      { kind: 'reasoning', text: '', label: 'Thought' },
      { ...call, status: row?.text.endsWith('…') ? 'running' : 'completed' },
    ],
  })
  const text = starting('b', '◆ ', { item: (rows) => said(rows[0]?.text ?? '') })
  const reading = (state: Reading['state']): Reading => ({
    state,
    rule: state,
    evidence: [],
    composer: null,
    dialog: null,
  })

  it('stay several when the rows are read again for another state', () => {
    const grammar = {
      rules: [both, text],
      transcript: ({ rows }: { rows: number }) => ({ top: 0, bottom: rows }),
    }
    const reader = new TranscriptReader(grammar)
    const running = screenOf('● Thought, reads…\n\n◆ Meanwhile')
    const draw = (screen: typeof running, state: Reading['state']) => reader.frame(screen, reading(state))
    const facts = [
      ...Array.from({ length: 4 }, () => draw(running, 'running')).flat(),
      ...draw(running, 'blocked'),
      ...reader.settle(),
      ...draw(screenOf('● Thought, read\n\n◆ Meanwhile'), 'idle'),
      ...reader.settle(),
    ]
    expect(facts.flatMap((f) => (f.type === 'tool.completed' ? [f.status] : []))).toEqual(['completed'])
    expect(facts.flatMap((f) => (f.type === 'text.completed' ? [f.text] : []))).toEqual([
      'Thought',
      '◆ Meanwhile',
    ])
  })
})

describe('what tells a dialog', () => {
  it('is its last question, whole, or its first row', () => {
    const rows = ['Really?', '', 'May it run the command that you', 'see above?', '']
    expect(questionOf(rows, 40)).toBe('May it run the command that you see above?')
    expect(questionOf(rows, 80)).toBe('see above?')
    expect(questionOf(['', '? Shell ls', 'Pick one'], 80)).toBe('Shell ls')
  })

  it('is the same on every width, and another for another question or option', () => {
    const yes = { key: '1', label: 'Yes', selected: true }
    const print = fingerprintOf(['May it', '│ run │', '└────┘', 'now?'], [yes])
    expect(fingerprintOf(['May it run now?'], [{ ...yes, selected: false }])).toBe(print)
    expect(fingerprintOf(['May it go now?'], [yes])).not.toBe(print)
    expect(fingerprintOf(['May it run now?'], [{ ...yes, label: 'No' }])).not.toBe(print)
  })
})

describe('what is told of items', () => {
  it('of a block that has two texts now, the second keeps its own', () => {
    const items = new TrackedItems()
    const first = 'Line 1: a line that is long enough.\nLine 2: the last one of these.'
    const [text, prompt, open] = [said(first), said('Go on', 'user_message'), said(first.slice(0, 50))]
    items.update([drawnAt(1, text), drawnAt(5, prompt), drawnAt(7, open)], 0, false)
    for (const item of items.all.slice(0, 2)) item.completed = true
    items.update([drawnAt(1, said(`${first}\n\n${first}\nLine 3`))], 0, false)
    expect(items.all.map(({ item }) => ('text' in item ? item.text : ''))).toEqual([
      first,
      'Go on',
      `${first}\nLine 3`,
    ])
  })

  it('nothing is kept of open items that are known no more', () => {
    const teller = new Teller()
    for (let n = 0; n < 500; n += 1) {
      const items = new TrackedItems()
      items.update([drawnAt(0, said(`Line ${n}\nand`))], 0, false)
      const [item] = items.all
      teller.items(item ? [{ ...item, key: `screen:${n}` }] : [], false)
    }
    expect(teller.open).toBeLessThan(100)
  })
})
