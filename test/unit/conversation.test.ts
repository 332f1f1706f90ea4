import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Observation } from '../../src/adapter/index.js'
import type { EventDraft } from '../../src/protocol/events.js'
import { countingIds } from '../../src/protocol/ids.js'
import { Conversation } from '../../src/session/conversation.js'

const price = () => 0.5
const make = () => new Conversation(countingIds(), price, null)
const run = (c: Conversation, observations: readonly Observation[]): EventDraft[] =>
  observations.flatMap((o) => c.observe(o))
const source = 'rpc' as const
const tokens = { input: 10, output: 5, cacheRead: 2, cacheWrite: 1 }

describe('conversation', () => {
  it('tells one turn in order, each item once', () => {
    const drafts = run(make(), [
      { type: 'turn.started', source },
      { type: 'user.message', source, key: 'u1', text: 'hi' },
      { type: 'text.delta', source, key: 'a', kind: 'assistant_message', delta: 'He' },
      { type: 'text.delta', source, key: 'a', kind: 'assistant_message', delta: 'llo' },
      { type: 'text.completed', source, key: 'a', kind: 'assistant_message', text: 'Hello' },
      { type: 'text.completed', source, key: 'a', kind: 'assistant_message', text: 'Hello' },
      { type: 'usage', source, key: 'r1', model: 'm', tokens },
      { type: 'usage', source, key: 'r1', model: 'm', tokens },
      { type: 'turn.ended', source, outcome: 'completed' },
    ])
    expect(drafts.map((d) => d.type)).toEqual([
      'turn.started',
      'item.started',
      'item.completed',
      'item.started',
      'item.delta',
      'item.delta',
      'item.completed',
      'usage',
      'turn.completed',
    ])
    expect(drafts.at(-1)).toMatchObject({
      outcome: 'completed',
      usage: { tokens, usd: 0.5, pricedBy: 'table' },
    })
  })

  it('tells identical replies of two turns both', () => {
    const turn = (n: number): Observation[] => [
      { type: 'turn.started', source },
      { type: 'text.completed', source, key: `a${n}`, kind: 'assistant_message', text: 'same' },
      { type: 'turn.ended', source, outcome: 'completed' },
    ]
    const drafts = run(make(), [...turn(1), ...turn(2)])
    expect(drafts.filter((d) => d.type === 'item.completed')).toHaveLength(2)
    expect(new Set(drafts.flatMap((d) => (d.type === 'turn.started' ? [d.turnId] : []))).size).toBe(2)
  })

  it('settles what an interrupt left open: text as far as seen, calls as interrupted', () => {
    const drafts = run(make(), [
      { type: 'turn.started', source },
      { type: 'text.delta', source, key: 'a', kind: 'assistant_message', delta: 'half' },
      { type: 'tool.started', source, callId: 'c1', tool: 'shell', name: 'Bash', input: { command: 'x' } },
      { type: 'tool.output', source, callId: 'c1', text: 'line\n' },
      { type: 'turn.ended', source, outcome: 'interrupted' },
      { type: 'tool.completed', source, callId: 'c1', status: 'completed', output: 'late' },
    ])
    const items = drafts.flatMap((d) => (d.type === 'item.completed' ? [d.item] : []))
    expect(items).toMatchObject([
      { kind: 'assistant_message', text: 'half', partial: true },
      { kind: 'tool_call', status: 'interrupted', output: 'line\n' },
    ])
    expect(drafts.at(-1)).toMatchObject({ type: 'turn.completed', outcome: 'interrupted' })
  })

  it('names the message that a user item answers, once, and only for its text', () => {
    const c = make()
    c.expect('m1', 'do it')
    const drafts = run(c, [
      { type: 'user.message', source, key: 'u1', text: 'typed by hand' },
      { type: 'user.message', source, key: 'u2', text: 'do it\n' },
      { type: 'user.message', source, key: 'u3', text: 'do it' },
    ])
    const items = drafts.flatMap((d) => (d.type === 'item.completed' ? [d.item] : []))
    expect(items).toMatchObject([
      { origin: 'terminal' },
      { origin: 'bridge', messageId: 'm1' },
      { origin: 'terminal' },
    ])
  })

  it('shows a mismatch between deltas and the completed text instead of hiding it', () => {
    const drafts = run(make(), [
      { type: 'text.delta', source, key: 'a', kind: 'assistant_message', delta: 'abc' },
      { type: 'text.completed', source, key: 'a', kind: 'assistant_message', text: 'xyz' },
    ])
    expect(drafts.map((d) => d.type)).toEqual(['item.started', 'item.delta', 'gap', 'item.completed'])
  })

  it('places reasoning that is told late before the text it led to', () => {
    const drafts = run(make(), [
      { type: 'text.delta', source, key: 'a', kind: 'assistant_message', delta: 'answer' },
      { type: 'text.completed', source, key: 't', kind: 'reasoning', text: 'hm', beforeKey: 'a' },
    ])
    const [first, , late] = drafts
    expect(late).toMatchObject({
      type: 'item.started',
      kind: 'reasoning',
      before: first && 'itemId' in first ? first.itemId : '',
    })
  })

  it('an unknown price makes the session sum unknown, not smaller', () => {
    const c = new Conversation(countingIds(), (m) => (m === 'known' ? 1 : null), null)
    const drafts = run(c, [
      { type: 'usage', source, key: '1', model: 'known', tokens },
      { type: 'usage', source, key: '2', model: 'odd', tokens },
      { type: 'usage', source, key: '3', model: 'odd', tokens, usd: 2 },
    ])
    expect(drafts.flatMap((d) => (d.type === 'usage' ? [d.usage.usd] : []))).toEqual([1, null, 2])
    expect(drafts.at(-1)).toMatchObject({ session: { usd: null, tokens: { input: 30 } } })
  })

  it('property: any order of observations gives every item at most one start and one completion', () => {
    const key = fc.constantFrom('a', 'b', 'c')
    const observation: fc.Arbitrary<Observation> = fc.oneof(
      fc.constant<Observation>({ type: 'turn.started', source }),
      fc.constant<Observation>({ type: 'turn.ended', source, outcome: 'completed' }),
      fc.record({
        type: fc.constant('text.delta' as const),
        source: fc.constant(source),
        key,
        kind: fc.constant('assistant_message' as const),
        delta: fc.string(),
      }),
      fc.record({
        type: fc.constant('text.completed' as const),
        source: fc.constant(source),
        key,
        kind: fc.constant('assistant_message' as const),
        text: fc.string(),
      }),
      fc.record({
        type: fc.constant('tool.started' as const),
        source: fc.constant(source),
        callId: key,
        tool: fc.constant('shell' as const),
        name: fc.constant('Bash'),
        input: fc.constant({}),
      }),
      fc.record({
        type: fc.constant('tool.completed' as const),
        source: fc.constant(source),
        callId: key,
        status: fc.constant('completed' as const),
        output: fc.string(),
      }),
    )
    fc.assert(
      fc.property(fc.array(observation, { maxLength: 60 }), (observations) => {
        const c = make()
        const drafts = [...run(c, observations), ...c.close('interrupted', 'end')]
        const started = drafts.flatMap((d) => (d.type === 'item.started' ? [d.itemId] : []))
        const completed = drafts.flatMap((d) => (d.type === 'item.completed' ? [d.itemId] : []))
        expect(new Set(started).size).toBe(started.length)
        expect([...completed].sort()).toEqual([...started].sort())
        // Deltas continue each other without a hole.
        const at = new Map<string, number>()
        for (const d of drafts) {
          if (d.type !== 'item.delta') continue
          expect(d.offset).toBe(at.get(d.itemId) ?? 0)
          at.set(d.itemId, d.offset + d.delta.length)
        }
      }),
    )
  })
})
