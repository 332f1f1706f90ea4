import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Adapter, Observation, Prompt, Reading, Seen, Step } from '../../src/adapter/index.js'
import type { DeliveryMode, EventDraft, MeowEvent } from '../../src/protocol/events.js'
import { countingIds } from '../../src/protocol/ids.js'
import { Conversation } from '../../src/session/conversation.js'
import { Deliveries, type DeliveryHost } from '../../src/session/deliveries.js'
import { interruptTurn } from '../../src/session/interrupt.js'
import { MAX_QUEUED, MessageQueue } from '../../src/session/message-queue.js'
import { tablePrice } from '../../src/session/pricing.js'
import { sanitize } from '../../src/session/sanitize.js'
import { runScript, type ScriptIo, Watch } from '../../src/session/script.js'

const never = new AbortController().signal
const reading = (text: string): Reading => ({
  state: 'idle',
  rule: 'test',
  evidence: [],
  composer: { text, ghost: null },
  dialog: null,
})
const io = (watch: Watch, log: string[] = []): ScriptIo => ({
  paste: async (text) => void log.push(`paste ${text}`),
  keys: async (names) => void log.push(`keys ${names.join(' ')}`),
  call: async (method) => void log.push(`call ${method}`),
  receipt: (state) => void log.push(state),
  watch,
})

describe('sanitize', () => {
  it('keeps text, newlines and tabs; drops everything a terminal would obey', () => {
    expect(sanitize('a\r\nb\rc\td')).toBe('a\nb\nc\td')
    expect(sanitize('x\u001b[201~rm\u0007\u009b1m\u2028y\u0000')).toBe('x[201~rm1my')
  })
  it('property: nothing left is a control character, and clean text is untouched', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const clean = sanitize(text)
        expect(clean).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/u)
        expect(sanitize(clean)).toBe(clean)
      }),
    )
  })
})

describe('script', () => {
  it('waits for what must be seen, and goes on when it is', async () => {
    const watch = new Watch()
    const log: string[] = []
    const steps: Step[] = [
      { do: 'paste', text: 'hi' },
      {
        do: 'see',
        withinMs: 5000,
        condition: { name: 'filled', holds: (s) => s.reading?.composer?.text === 'hi' },
      },
      { do: 'receipt', state: 'typed' },
    ]
    const run = runScript(steps, io(watch, log), never)
    await Promise.resolve()
    expect(log).toEqual(['paste hi'])
    watch.read(reading('hi'))
    await run
    expect(log).toEqual(['paste hi', 'typed'])
  })

  it('presses again only while the condition for it holds, then fails by name', async () => {
    const watch = new Watch()
    const log: string[] = []
    watch.read(reading('stuck'))
    const steps: Step[] = [
      {
        do: 'see',
        withinMs: 5,
        condition: { name: 'the box is empty', holds: () => false },
        retry: {
          times: 2,
          when: { name: 'filled', holds: (s) => s.reading?.composer?.text !== '' },
          steps: [{ do: 'keys', keys: ['Enter'] }],
        },
      },
    ]
    await expect(runScript(steps, io(watch, log), never)).rejects.toMatchObject({
      code: 'delivery_failed',
      detail: expect.stringContaining('the box is empty'),
    })
    expect(log).toEqual(['keys Enter', 'keys Enter'])
    watch.read(reading(''))
    log.length = 0
    await expect(runScript(steps, io(watch, log), never)).rejects.toThrow()
    expect(log).toEqual([])
  })

  it('ends at once when the program is gone', async () => {
    const gone = new AbortController()
    const run = runScript(
      [{ do: 'see', withinMs: 60_000, condition: { name: 'x', holds: () => false } }],
      io(new Watch()),
      gone.signal,
    )
    gone.abort()
    await expect(run).rejects.toMatchObject({ code: 'terminal_gone' })
  })
})

const queued = (messageId: string, text: string, how: DeliveryMode = 'queue') => ({
  messageId,
  text,
  how,
  images: [],
  queuedAt: 0,
})
const outgoing = (messageId: string, text: string, how: DeliveryMode = 'queue') => ({
  messageId,
  text,
  how,
  images: [],
})

describe('message queue', () => {
  it('takes an id once and moves a receipt only on', () => {
    const queue = new MessageQueue()
    expect(queue.add(queued('a', 'x'))).toBe(true)
    expect(queue.add(queued('a', 'y'))).toBe(false)
    expect(queue.settle('a', 'accepted', null)).toMatchObject({ state: 'accepted' })
    expect(queue.settle('a', 'typed', null)).toBeNull()
    expect(queue.settle('a', 'completed', null)).toMatchObject({ state: 'completed' })
    expect(queue.settle('a', 'failed', 'late')).toBeNull()
  })
  it('puts what is for now before what can wait, and moves what waits', () => {
    const queue = new MessageQueue()
    for (const [id, how] of [
      ['a', 'queue'],
      ['b', 'steer'],
      ['c', 'interrupt'],
      ['d', 'queue'],
      ['e', 'steer'],
    ] as const)
      queue.add(queued(id, id, how))
    expect(queue.order()).toEqual(['c', 'b', 'e', 'a', 'd'])
    queue.move('d', 'b')
    expect(queue.order()).toEqual(['c', 'd', 'b', 'e', 'a'])
    queue.move('c', null)
    expect(queue.order()).toEqual(['d', 'b', 'e', 'a', 'c'])
    queue.take('b')
    expect(() => queue.mustWait('b')).toThrow(/does not wait any more/)
    expect(() => queue.move('a', 'nobody')).toThrow(/no message nobody/)
    expect(queue.order()).toEqual(['d', 'e', 'a', 'c'])
  })
  it('lets only an undecided failure become what really happened', () => {
    const queue = new MessageQueue()
    queue.add(queued('a', 'x'))
    queue.settle('a', 'failed', 'nobody knows', true)
    expect(queue.settle('a', 'typed', null)).toBeNull()
    expect(queue.settle('a', 'started', null)).toMatchObject({ state: 'started' })
    expect(queue.settle('a', 'completed', null)).toMatchObject({ state: 'completed' })
    queue.add(queued('b', 'x'))
    queue.settle('b', 'failed', 'not sent')
    expect(queue.settle('b', 'started', null)).toBeNull()
  })
  it('is bounded', () => {
    const queue = new MessageQueue()
    for (let n = 0; n < MAX_QUEUED; n += 1) queue.add(queued(`${n}`, 'x'))
    expect(() => queue.add(queued('over', 'x'))).toThrow(/waiting already/)
  })
})

describe('deliveries', () => {
  function host(
    watch: Watch,
    state: { free: boolean; fail?: boolean; refuse?: boolean; wait?: Promise<void> },
    log: string[],
  ) {
    const receipts: string[] = []
    const accept: Step = {
      do: 'see',
      withinMs: state.fail ? 5 : 5000,
      condition: { name: 'taken', holds: (s) => s.observations.some((o) => o.type === 'prompt.accepted') },
    }
    const adapter = {
      admits: (r: Reading | null) =>
        r?.dialog ? { ok: false as const, reason: 'a dialog is open: Delete?' } : { ok: true as const },
      withdraw: (): Step[] => [{ do: 'keys', keys: ['C-c'] }],
      deliver: ({ text }: Prompt): Step[] => [
        { do: 'paste', text },
        accept,
        { do: 'receipt', state: 'accepted' },
      ],
    } as unknown as DeliveryHost['adapter']
    const record = (drafts: readonly EventDraft[]) => {
      if (state.refuse) return false
      for (const d of drafts)
        if (d.type === 'delivery') receipts.push(`${d.messageId} ${d.state} ${d.reason ?? ''}`.trim())
      return true
    }
    const deliveries = new Deliveries({
      adapter,
      io: io(watch, log),
      signal: never,
      occupied: () => (state.free ? null : 'a turn runs'),
      steerable: () => false,
      turnId: () => null,
      interrupt: async () => undefined,
      now: () => 0,
      record,
      expect: () => undefined,
      forget: () => undefined,
      doubt: () => undefined,
      exclusive: async (work) => {
        if (state.wait) await state.wait
        return await work()
      },
    })
    return { deliveries, receipts }
  }
  const userItem = (messageId: string): MeowEvent => ({
    v: 1,
    sessionId: 's',
    id: 'e',
    ts: 0,
    seq: 1,
    source: 'hook',
    type: 'item.completed',
    itemId: 'i',
    turnId: 't',
    item: { kind: 'user_message', text: 'x', origin: 'bridge', messageId },
  })
  const taken: Observation = { type: 'prompt.accepted', source: 'hook', text: 'x' }

  it('never types while a dialog is up, and says what it waits for', () => {
    const watch = new Watch()
    const log: string[] = []
    const { deliveries, receipts } = host(watch, { free: true }, log)
    watch.read({
      ...reading(''),
      dialog: { kind: 'permission', title: 'Delete?', options: [], fingerprint: 'f' },
    })
    deliveries.send(outgoing('m1', 'yes'))
    expect(log).toEqual([])
    expect(receipts.at(-1)).toBe('m1 queued waits: a dialog is open: Delete?')
    watch.read(reading(''))
    deliveries.pump()
    expect(log).toEqual(['paste yes'])
  })

  it('brings prompts one by one, in order, a repeated id never again', async () => {
    const watch = new Watch()
    const log: string[] = []
    const state = { free: true }
    const { deliveries, receipts } = host(watch, state, log)
    deliveries.send(outgoing('m1', 'one'))
    deliveries.send(outgoing('m2', 'two'))
    deliveries.send(outgoing('m1', 'one'))
    expect(log).toEqual(['paste one'])
    state.free = false
    watch.observe(taken)
    await new Promise(setImmediate)
    expect(receipts.at(-1)).toBe('m1 accepted')
    // Accepted is not started: the next one waits for the turn of the first.
    state.free = true
    deliveries.pump()
    expect(log).toEqual(['paste one'])
    deliveries.follow([userItem('m1')])
    await new Promise(setImmediate)
    expect(log.at(-1)).toBe('paste two')
    // The second one is written before the first key.
    expect(receipts.filter((r) => r.startsWith('m1 queued'))).toEqual([
      'm1 queued',
      'm1 queued is being handed over',
    ])
    expect(() => deliveries.send(outgoing('m1', 'another'))).toThrow(/another text/)
  })

  it('types nothing when a dialog came while it waited for the keys', async () => {
    const watch = new Watch()
    const log: string[] = []
    let go: () => void = () => undefined
    const keys = new Promise<void>((resolve) => {
      go = resolve
    })
    const { deliveries } = host(watch, { free: true, wait: keys }, log)
    deliveries.send(outgoing('m1', 'one'))
    const dialog = { kind: 'permission' as const, title: 'Delete?', options: [], fingerprint: 'f' }
    watch.read({ ...reading(''), dialog })
    go()
    await new Promise(setImmediate)
    expect(log).toEqual([])
    watch.read(reading(''))
    deliveries.pump()
    await new Promise(setImmediate)
    expect(log).toEqual(['paste one'])
  })

  it('refuses a prompt that cannot be journalled, and types nothing of it', () => {
    const log: string[] = []
    const { deliveries } = host(new Watch(), { free: true, refuse: true }, log)
    expect(() => deliveries.send(outgoing('m1', 'one'))).toThrow(/could not be journalled/)
    expect(log).toEqual([])
    expect(deliveries.receipt('m1')).toBeUndefined()
  })

  it('takes its own text back when acceptance is not seen', async () => {
    const log: string[] = []
    const { deliveries, receipts } = host(new Watch(), { free: true, fail: true }, log)
    deliveries.send(outgoing('m1', 'one'))
    await expect.poll(() => receipts.at(-1)).toMatch(/^m1 failed/)
    expect(log).toEqual(['paste one', 'keys C-c'])
  })

  it('fails loudly when acceptance is not seen', async () => {
    const { deliveries, receipts } = host(new Watch(), { free: true, fail: true }, [])
    deliveries.send(outgoing('m1', 'one'))
    await expect.poll(() => receipts.at(-1)).toMatch(/^m1 failed did not see within 5 ms that taken/)
  })

  it('gives every unsettled message a truthful end when the program ends', async () => {
    const { deliveries, receipts } = host(new Watch(), { free: false }, [])
    deliveries.send(outgoing('m1', 'one'))
    await deliveries.close()
    expect(receipts.at(-1)).toMatch(/^m1 failed .*was not sent/)
  })
})

describe('interrupt', () => {
  it('of two at once only one presses keys; the other says that the turn has ended', async () => {
    const conversation = new Conversation(countingIds(), () => null, null)
    conversation.observe({ type: 'turn.started', source: 'hook' })
    const watch = new Watch()
    const log: string[] = []
    const ended: Observation = { type: 'turn.ended', source: 'transcript', outcome: 'interrupted' }
    const see = (s: Seen) => s.observations.some((o) => o.type === 'turn.ended')
    const adapter = {
      interrupt: (): Step[] => [
        { do: 'keys', keys: ['Escape'] },
        { do: 'see', withinMs: 5000, condition: { name: 'ended', holds: see } },
      ],
    } as unknown as Adapter
    let hands: Promise<unknown> = Promise.resolve()
    const stages: string[] = []
    const host = {
      adapter,
      conversation,
      io: io(watch, log),
      signal: never,
      underWay: () => false,
      waiting: () => 0,
      record: (drafts: readonly EventDraft[]) => {
        for (const d of drafts) if (d.type === 'interrupt') stages.push(d.stage)
        return true
      },
      exclusive: <T>(work: () => Promise<T>): Promise<T> => {
        const run = hands.then(work)
        hands = run
        return run
      },
    }
    const both = [interruptTurn(host), interruptTurn(host)]
    await new Promise(setImmediate)
    conversation.observe(ended)
    conversation.observe({ type: 'state', source: 'transcript', state: 'idle', rule: 'r', evidence: [] })
    watch.observe(ended)
    expect(await Promise.all(both)).toMatchObject([{ result: 'interrupted' }, { result: 'idle' }])
    expect(log).toEqual(['keys Escape'])
    expect(stages).toEqual(['asked', 'seen'])
  })
})

describe('pricing', () => {
  it('prices the cache parts at their own rates, and says null for an unknown model', () => {
    const usd = tablePrice('claude-opus-4-8', { input: 1000, output: 20, cacheRead: 200, cacheWrite: 100 })
    expect(usd).toBeCloseTo((1000 * 5 + 20 * 25 + 200 * 0.5 + 100 * 6.25) / 1e6, 9)
    expect(tablePrice('no-such-model', { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 })).toBeNull()
  })
})
