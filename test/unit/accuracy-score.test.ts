import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
// @ts-expect-error a plain script without types
import * as likenesses from '../../scripts/accuracy/likeness.mjs'
// @ts-expect-error a plain script without types
import * as plains from '../../scripts/accuracy/plain.mjs'
// @ts-expect-error a plain script without types
import * as scorer from '../../scripts/accuracy/score.mjs'

interface Score {
  right: number
  total: number
  missing: number
  wrong: number
  duplicated: number
  invented: number
  states: { right: number; total: number }
  findings: { what: string; kind: string; text: string }[]
}
type Item = Record<string, unknown>
const { score } = scorer as { score(truth: unknown, events: readonly unknown[]): Score }
const { edits } = likenesses as {
  edits(a: readonly string[], b: readonly string[], most: number): number | null
}
const { plain } = plains as { plain(source: string, options?: { labels?: boolean }): { folded: string } }

const LONG =
  'The river was quiet that morning.\nNobody had seen the boat since Tuesday.\nIt came back by itself.'
const user: Item = { kind: 'user_message', text: 'Where is the boat?', onScreen: true }
const answer: Item = { kind: 'assistant_message', text: LONG, onScreen: true }
const call: Item = {
  kind: 'tool_call',
  tool: 'shell',
  name: 'Bash',
  input: { command: 'ls -la harbour' },
  status: 'completed',
  onScreen: true,
}
const other: Item = { kind: 'assistant_message', text: 'Something else entirely.', onScreen: true }

const told = (item: Item, over: Item = {}) => ({ type: 'item.completed', t: 1, item: { ...item, ...over } })
const verdict = (items: Item[], events: readonly unknown[]) => {
  const { right, total, missing, wrong, duplicated, invented, findings } = score({ items }, events)
  return { right, total, missing, wrong, duplicated, invented, what: findings.map(({ what }) => what) }
}
const all = { right: 3, total: 3, missing: 0, wrong: 0, duplicated: 0, invented: 0, what: [] }
const truth = [user, call, answer]

describe('items', () => {
  it('told whole and in order are right', () => {
    expect(
      verdict(
        truth,
        truth.map((item) => told(item)),
      ),
    ).toEqual(all)
  })

  it.each<[string, unknown[], object]>([
    ['missing', [told(user), told(call)], { right: 2, missing: 1, what: ['missing'] }],
    [
      'told twice',
      [told(user), told(user), told(call), told(answer)],
      { duplicated: 1, what: ['duplicated'] },
    ],
    [
      'told again much later',
      [told(user), told(call), told(answer), told(user)],
      { duplicated: 1, what: ['duplicated'] },
    ],
    [
      'a piece of it again',
      [
        told(user),
        told(call),
        told(answer),
        told(answer, { text: 'Nobody had seen the boat since Tuesday.' }),
      ],
      { duplicated: 1, what: ['duplicated'] },
    ],
    ['invented', [told(user), told(call), told(answer), told(other)], { invented: 1, what: ['invented'] }],
    [
      'a call that nobody made',
      [told(user), told(call), told(answer), told(call, { input: { command: 'rm harbour' }, name: 'Other' })],
      { invented: 1, what: ['invented'] },
    ],
    [
      'of a wrong kind',
      [told(user), told(call), told(answer, { kind: 'reasoning' })],
      { right: 2, wrong: 1, what: ['wrong kind'] },
    ],
    [
      'with a line lost',
      [told(user), told(call), told(answer, { text: LONG.replace(/\n.*\n/, '\n') })],
      { right: 2, wrong: 1, what: ['wrong text'] },
    ],
    [
      'of a wrong tool',
      [told(user), told(call, { tool: 'fetch' }), told(answer)],
      { right: 2, wrong: 1, what: ['wrong tool'] },
    ],
    [
      'of a wrong input',
      [told(user), told(call, { input: { command: 'make clean' } }), told(answer)],
      { right: 2, wrong: 1, what: ['wrong input'] },
    ],
    [
      'with the wrong outcome',
      [told(user), told(call, { status: 'denied' }), told(answer)],
      { right: 2, wrong: 1, what: ['wrong status'] },
    ],
    ['out of order', [told(call), told(user), told(answer)], { right: 2, wrong: 1, what: ['wrong order'] }],
  ])('%s', (_name, events, over) => {
    expect(verdict(truth, events)).toEqual({ ...all, ...over })
  })

  it('a doubled line in a long text is wrong though the text is nearly the same', () => {
    const lines = Array.from(
      { length: 60 },
      (_, n) => `This is line number ${n} of a long report about boats.`,
    )
    const long = { ...answer, text: lines.join('\n') }
    const doubled = lines.toSpliced(30, 0, lines[29] ?? '').join('\n')
    expect(verdict([long], [told(long)]).right).toBe(1)
    expect(verdict([long], [told(long, { text: doubled })]).what).toEqual(['wrong text'])
  })

  it('a repeated answer must be told twice', () => {
    expect(verdict([answer, answer], [told(answer)])).toMatchObject({ right: 1, missing: 1 })
    expect(verdict([answer, answer], [told(answer), told(answer)])).toMatchObject({ right: 2, duplicated: 0 })
  })

  it.each<[string, Item, Item]>([
    ['its label', { ...answer, screenText: 'Thought for 3 s' }, { text: 'Thought for 3 s' }],
    [
      'the kept part of an interrupted answer',
      { ...answer, partialText: LONG.slice(0, 40) },
      { text: LONG.slice(0, 42) },
    ],
    [
      'a part with the rest left out',
      { ...answer, onScreen: 'partial' },
      { text: `${LONG.slice(0, 33)}\n… +2 lines` },
    ],
    ['another kind that is right too', { ...answer, alsoKinds: ['reasoning'] }, { kind: 'reasoning' }],
    ['soft wraps', answer, { text: LONG.replaceAll(' ', '\n') }],
    ['write for edit', { ...call, tool: 'edit' }, { ...call, tool: 'write' }],
    ['a cut command', call, { ...call, input: { command: 'ls -la har…' } }],
  ])('right as well: %s', (_name, item, over) => {
    expect(verdict([item], [told(item, over)])).toMatchObject({ right: 1, total: 1, what: [] })
  })

  it.each<[string, Item]>([
    ['not on the screen', { ...other, onScreen: false }],
    ['optional', { ...other, optional: true }],
    ['of an earlier session', { ...other, history: true }],
  ])('%s: need not be told, and is not invented', (_name, item) => {
    expect(verdict([user, item], [told(user)])).toMatchObject({ right: 1, total: 1, what: [] })
    expect(verdict([user, item], [told(user), told(item)])).toMatchObject({ right: 1, total: 1, what: [] })
  })

  it('notices that nobody knows are no inventions', () => {
    const notice = { kind: 'notice', text: 'A hint', level: 'info' }
    expect(verdict([user], [told(user), told(notice)])).toMatchObject({ invented: 0, what: [] })
  })
})

describe('states', () => {
  const states = [
    { t: 1, state: 'idle' },
    { t: 5, state: 'running' },
  ]
  const at = (t: number, state: string) => ({ type: 'session.state', t, state })
  it('the newest told state counts', () => {
    const good = [at(0.5, 'idle'), at(4, 'blocked'), at(4.9, 'running'), at(5.1, 'idle')]
    expect(score({ items: [], states }, good).states).toEqual({ right: 2, total: 2 })
    expect(score({ items: [], states }, good.slice(1)).states).toEqual({ right: 1, total: 2 })
  })
})

describe('texts', () => {
  it.each([
    ['# A **bold** `word`', 'A bold word'],
    ['- one\n- two\n  1. three', 'one two three'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
    ['```sh\nls\n```', 'ls'],
    ['see [the page](https://x.org/a)', 'see the page https://x.org/a'],
    ['> quoted\n\n---\n\\*not bold\\*', 'quoted not bold'],
  ])('%j without marks', (source, text) => {
    expect(plain(source).folded).toBe(text)
  })

  it('edits are counted as by the book, up to the bound', () => {
    const word = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 })
    fc.assert(
      fc.property(word, word, fc.nat(9), (a, b, most) => {
        const count = byTheBook(a, b)
        expect(edits(a, b, most)).toBe(count <= most ? count : null)
      }),
    )
  })
})

function byTheBook(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  a.forEach((letter, i) => {
    const next = [i + 1]
    b.forEach((other, j) => {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    })
    row = next
  })
  return row.at(-1) ?? 0
}
