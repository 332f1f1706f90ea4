import { describe, expect, it } from 'vitest'
import type { Adapter, Observation, Prompt, Reading, Step } from '../../src/adapter/index.js'
import type { DurableBodies, DurableEvent, DurableType, EventDraft } from '../../src/protocol/events.js'
import { countingIds } from '../../src/protocol/ids.js'
import { CatchUp } from '../../src/session/catch-up.js'
import { Conversation } from '../../src/session/conversation.js'
import { Deliveries } from '../../src/session/deliveries.js'
import { DeliveryMemory, recoverDeliveries } from '../../src/session/delivery-recovery.js'
import { Watch } from '../../src/session/script.js'

let seq = 0
const event = <T extends DurableType>(type: T, body: DurableBodies[T]): DurableEvent =>
  ({ v: 1, sessionId: 's', id: `e${++seq}`, ts: seq, seq, source: 'bridge', type, ...body }) as DurableEvent
const delivery = (messageId: string, state: DurableBodies['delivery']['state'], more = {}) =>
  event('delivery', { messageId, state, reason: null, ...more })

function deliveries(adapter: Partial<Adapter> = {}) {
  const told: EventDraft[] = []
  const typed: string[] = []
  const pressed: string[] = []
  const it = new Deliveries({
    adapter: {
      vendor: { name: 'Test' },
      admits: () => ({ ok: true }),
      deliver: ({ text }: Prompt): Step[] => [{ do: 'paste', text }],
      ...adapter,
    } as unknown as Adapter,
    io: {
      paste: async (text) => void typed.push(text),
      keys: async (names) => void pressed.push(...names),
      call: async () => undefined,
      watch: new Watch(),
    },
    signal: new AbortController().signal,
    occupied: () => null,
    steerable: () => false,
    turnId: () => null,
    interrupt: async () => undefined,
    record: (drafts) => {
      told.push(...drafts)
      return true
    },
    expect: () => undefined,
    forget: () => undefined,
    doubt: () => undefined,
    exclusive: async (work) => await work(),
    now: () => 0,
  })
  it.pause()
  return { deliveries: it, told, typed, pressed }
}

function recalled(events: readonly DurableEvent[], adapter: Partial<Adapter> = {}) {
  const memory = new DeliveryMemory()
  for (const e of events) memory.recall(e)
  const parts = deliveries(adapter)
  const expected: string[] = []
  const way = memory.restore(parts.deliveries, (id) => expected.push(id))
  return { ...parts, way, expected }
}

const host = (
  adapter: Partial<Adapter>,
  { takeBack = true, turnRuns = false, reading = null as Reading | null } = {},
) => ({
  adapter: adapter as Adapter,
  turnRuns: () => turnRuns,
  now: () => 1e9,
  until: async (condition: (r: Reading | null) => boolean) => condition(reading),
  takeBack: async () => takeBack,
})

describe('prompts after a restart', () => {
  it('keeps what waits in its order, with what was edited, moved and withdrawn', () => {
    const { deliveries: d, way } = recalled([
      delivery('a', 'queued', { text: 'one', how: 'queue' }),
      delivery('b', 'queued', { text: 'two', how: 'queue' }),
      delivery('c', 'queued', { text: 'three', how: 'queue' }),
      delivery('b', 'queued', { text: 'two, better', how: 'steer' }),
      event('queue', { order: ['c', 'b', 'a'] }),
      delivery('a', 'failed', { reason: 'withdrawn before it was sent' }),
    ])
    expect(d.list().map((m) => [m.messageId, m.text, m.how])).toEqual([
      ['c', 'three', 'queue'],
      ['b', 'two, better', 'steer'],
    ])
    expect(way).toEqual([])
    // Its id is still known: a client that tries again does not send it again.
    expect(d.receipt('a')).toMatchObject({ state: 'failed' })
  })

  it('calls undecided what was being typed and is found nowhere', async () => {
    const {
      deliveries: d,
      way,
      typed,
    } = recalled([
      delivery('a', 'queued', { text: 'one', how: 'queue' }),
      delivery('a', 'queued', { attempt: 1 }),
    ])
    await recoverDeliveries(d, way, host({}, { takeBack: true }))
    expect(d.receipt('a')).toMatchObject({ state: 'failed', undecided: true })
    d.resume()
    expect(typed).toEqual([])
    // Should the vendor's record have it later, the receipt says what really happened.
    const item = { kind: 'user_message' as const, text: 'one', origin: 'bridge' as const, messageId: 'a' }
    d.follow([event('item.completed', { itemId: 'i', turnId: 't', item })])
    expect(d.receipt('a')).toMatchObject({ state: 'started' })
  })

  it('hands over again what still stands in the prompt box, once it was taken back', async () => {
    const adapter = { stillInBox: () => true }
    const events = [
      delivery('a', 'queued', { text: 'one', how: 'queue' }),
      delivery('a', 'queued', { attempt: 1 }),
    ]
    const stuck = recalled(events, adapter)
    await recoverDeliveries(stuck.deliveries, stuck.way, host(adapter, { takeBack: false }))
    expect(stuck.deliveries.receipt('a')).toMatchObject({ state: 'failed', undecided: true })
    const free = recalled(events, adapter)
    await recoverDeliveries(free.deliveries, free.way, host(adapter, { takeBack: true }))
    free.deliveries.resume()
    expect(free.typed).toEqual(['one'])
  })

  it('sends what was typed and stands in the box, and types nothing again', async () => {
    let box = true
    const adapter = {
      stillInBox: () => box,
      deliver: ({ text }: Prompt): Step[] => [
        { do: 'paste', text },
        { do: 'receipt', state: 'typed' },
        { do: 'keys', keys: ['Enter'] },
        { do: 'receipt', state: 'accepted' },
      ],
    }
    const events = [
      delivery('a', 'queued', { text: 'one', how: 'queue' }),
      delivery('a', 'queued', { attempt: 1 }),
      delivery('a', 'typed'),
    ]
    const stands = recalled(events, adapter)
    await recoverDeliveries(stands.deliveries, stands.way, host(adapter))
    stands.deliveries.resume()
    await expect.poll(() => stands.deliveries.receipt('a')?.state).toBe('accepted')
    expect(stands.typed).toEqual([])
    expect(stands.pressed).toEqual(['Enter'])
    // A second crash just there: Enter may have been pressed, so it is still not typed again.
    const attempt = stands.told.filter((d) => d.type === 'delivery' && d.attempt !== undefined)
    const twice = recalled(
      [...events, ...attempt.map((d) => ({ ...event('queue', { order: [] }), ...d }) as DurableEvent)],
      adapter,
    )
    let tookBack = false
    const second = { ...host(adapter), takeBack: async () => (tookBack = true) }
    await recoverDeliveries(twice.deliveries, twice.way, second)
    expect(attempt).toHaveLength(1)
    expect(tookBack).toBe(false)
    // Gone from the box between the look and the hands: nobody knows.
    const gone = recalled(events, adapter)
    await recoverDeliveries(gone.deliveries, gone.way, host(adapter))
    box = false
    gone.deliveries.resume()
    expect(gone.deliveries.receipt('a')).toMatchObject({ state: 'failed', undecided: true })
    expect(gone.pressed).toEqual([])
  })

  it('a prompt that was taken back waits after a second restart too', () => {
    const { deliveries: d } = recalled([
      delivery('a', 'queued', { text: 'one', how: 'queue' }),
      delivery('a', 'queued', { attempt: 1 }),
      delivery('a', 'typed'),
      delivery('a', 'queued', { reason: 'was taken back after a restart' }),
    ])
    expect(d.list().map((m) => m.messageId)).toEqual(['a'])
  })

  it('believes the conversation where the hub ended before the receipt', async () => {
    const item = { kind: 'user_message' as const, text: 'one', origin: 'bridge' as const, messageId: 'a' }
    const events = [
      delivery('a', 'queued', { text: 'one', how: 'queue' }),
      delivery('a', 'queued', { attempt: 1 }),
      event('item.completed', { itemId: 'i', turnId: 't', item }),
    ]
    const runs = recalled(events)
    expect(runs.expected).toEqual([])
    await recoverDeliveries(runs.deliveries, runs.way, host({}, { turnRuns: true }))
    expect(runs.deliveries.receipt('a')).toMatchObject({ state: 'started' })
    const end = { turnId: 't', outcome: 'failed' as const, detail: 'API error', usage: null }
    const over = recalled([...events, event('turn.completed', end)])
    await recoverDeliveries(over.deliveries, over.way, host({}, { takeBack: true }))
    expect(over.deliveries.receipt('a')).toMatchObject({ state: 'failed', reason: 'API error' })
    expect(over.told.at(-1)).toMatchObject({ type: 'delivery', state: 'failed' })
  })

  it('completes what had started and whose turn is over, and follows one that runs', async () => {
    const events = [delivery('a', 'queued', { text: 'one', how: 'queue' }), delivery('a', 'started')]
    const over = recalled(events)
    await recoverDeliveries(over.deliveries, over.way, host({}, { takeBack: true }))
    expect(over.deliveries.receipt('a')).toMatchObject({ state: 'completed' })
    const runs = recalled(events)
    await recoverDeliveries(runs.deliveries, runs.way, host({}, { turnRuns: true }))
    expect(runs.deliveries.receipt('a')).toMatchObject({ state: 'started' })
    const end = { turnId: 't', outcome: 'completed' as const, detail: null, usage: null }
    runs.deliveries.follow([event('turn.completed', end)])
    expect(runs.deliveries.receipt('a')).toMatchObject({ state: 'completed' })
  })
})

describe('the conversation after a restart', () => {
  const source = 'transcript' as const
  const record: Observation[] = [
    { type: 'turn.started', source },
    { type: 'user.message', source, key: 'u1', text: 'one' },
    { type: 'text.completed', source, key: 't1', kind: 'assistant_message', text: 'first' },
    { type: 'turn.ended', source, outcome: 'completed' },
    { type: 'turn.started', source },
    { type: 'user.message', source, key: 'u2', text: 'two' },
    { type: 'tool.started', source, callId: 'c', tool: 'shell', name: 'Bash', input: {} },
    { type: 'tool.completed', source, callId: 'c', status: 'completed', output: 'x' },
    {
      type: 'usage',
      source,
      key: 'm',
      model: null,
      tokens: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
    },
    { type: 'text.completed', source, key: 't2', kind: 'assistant_message', text: 'second' },
    { type: 'turn.ended', source, outcome: 'completed' },
  ]
  /** What a conversation that was never cut would have told, without ids. */
  const shape = (drafts: readonly EventDraft[]) =>
    drafts.map((d) => [d.type, 'item' in d ? d.item.kind : '', 'outcome' in d ? d.outcome : ''])

  const cuts = record.flatMap((_, cut) => Array.from({ length: cut + 1 }, (__, from) => ({ cut, from })))
  it.each(cuts)(
    'cut after $cut facts, told again from $from: nothing lost, nothing twice',
    ({ cut, from }) => {
      const whole = new Conversation(countingIds(), () => null, null)
      const all = shape(record.flatMap((o) => whole.observe(o)))
      const before = new Conversation(countingIds(), () => null, null)
      const told = record.slice(0, cut).flatMap((o) => before.observe(o))
      const after = new Conversation(countingIds(), () => null, null)
      let n = 0
      for (const draft of told)
        after.recall({ v: 1, sessionId: 's', id: 'e', ts: 0, seq: ++n, ...draft } as DurableEvent)
      const catchUp = new CatchUp(after)
      for (const o of record.slice(from)) expect(catchUp.take(o)).toBeNull()
      const news = catchUp.take({ type: 'caught_up', source }) ?? []
      const rest = news.flatMap((o) => after.observe(o))
      expect([...shape(told), ...shape(rest)]).toEqual(all)
    },
  )

  it('keeps the card of a dialog that still stands there, and closes one that does not', () => {
    const asked = (title: string): Observation => ({
      type: 'dialog.opened',
      source: 'screen',
      key: 'screen:1',
      title,
      detail: title,
      options: [],
    })
    const before = new Conversation(countingIds(), () => null, null)
    const told = [
      ...before.observe(asked('A?')),
      ...before.observe({ ...asked('B?'), key: 'screen:2' } as Observation),
    ]
    const after = new Conversation(countingIds(), () => null, null)
    for (const draft of told)
      after.recall({ v: 1, sessionId: 's', id: 'e', ts: 0, seq: 1, ...draft } as DurableEvent)
    expect(after.observe({ ...asked('B?'), key: 'screen:9' } as Observation)).toEqual([])
    const id = told[1]?.type === 'approval.requested' ? told[1].approvalId : ''
    expect(after.approvals.keyOf(id)).toBe('screen:9')
    expect(after.approvals.goneMeanwhile()).toMatchObject([{ verdict: 'dismissed' }])
  })
})
