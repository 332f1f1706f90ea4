/** @module test/web/page-delivery-model - the pure parts of delivery: queue, receipts, ways, images, menu, presence. */
import { describe, expect, it } from 'vitest'
import type { SessionCommand } from '../../src/protocol/commands.js'
import type { DurableDraft, MeowEvent } from '../../src/protocol/events.js'
import type { ClientFrame } from '../../src/protocol/stream.js'
import { answerable } from '../../src/web/app/model/asked.js'
import { matching, menuFilter } from '../../src/web/app/model/command-menu.js'
import { applyEvents, applySnapshot } from '../../src/web/app/model/conversation.js'
import { imageMime, imageRefusal, tooManyImages } from '../../src/web/app/model/images.js'
import { againId, receiptText, unsettled, waitsFor } from '../../src/web/app/model/receipts.js'
import { type Conversation, emptyConversation } from '../../src/web/app/model/view.js'
import { otherWay, wayToSend } from '../../src/web/app/model/ways.js'
import { loadDropped, loadWays, withDropped, withWay } from '../../src/web/app/state/kept.js'
import { EXPIRES_MS, Presence, REST_MS, type Typists } from '../../src/web/app/state/presence.js'
import { stamp } from './page-script.js'

type Delivered = Omit<Extract<DurableDraft, { type: 'delivery' }>, 'type' | 'source'>
const told = (messageId: string, fields: Partial<Delivered> = {}): DurableDraft => ({
  type: 'delivery',
  source: 'bridge',
  state: 'queued',
  reason: null,
  messageId,
  ...fields,
})
const order = (...ids: string[]): DurableDraft => ({ type: 'queue', source: 'bridge', order: ids })

function view(...drafts: DurableDraft[]): Conversation {
  const events = drafts.map((draft, n) => stamp(n + 1, draft))
  return applyEvents(emptyConversation('s1'), events).view
}

describe('the queue', () => {
  it('puts what is for now before what can wait, each in its order', () => {
    const first = [told('a'), told('b', { how: 'steer' }), told('c', { how: 'interrupt' }), told('d')]
    expect(view(...first).queue).toEqual(['c', 'b', 'a', 'd'])
    expect(view(...first, told('e', { how: 'steer' })).queue).toEqual(['c', 'b', 'e', 'a', 'd'])
  })

  it('keeps the place of what is edited, and follows a person who orders it', () => {
    const two = [told('a', { text: 'one', how: 'queue' }), told('b', { text: 'two', how: 'queue' })]
    const edited = view(...two, told('b', { text: 'changed', how: 'steer' }), told('b', { reason: 'waits' }))
    expect(edited.queue).toEqual(['a', 'b'])
    expect(edited.deliveries.get('b')).toMatchObject({ text: 'changed', how: 'steer', reason: 'waits' })
    expect(view(...two, told('c'), order('c', 'a')).queue).toEqual(['c', 'a', 'b'])
    // An order that names what has left brings nothing back.
    expect(view(...two, told('a', { state: 'typed' }), order('a', 'b')).queue).toEqual(['b'])
  })

  it('loses what is on its way, and has it first again when it comes back', () => {
    const two = [told('a'), told('b', { how: 'interrupt' })]
    const away = [...two, told('a', { attempt: 1, reason: 'is being handed over' })]
    expect(view(...away).queue).toEqual(['b'])
    expect(view(...away, told('a', { reason: 'waits: a dialog' })).queue).toEqual(['a', 'b'])
    expect(view(...two, told('b', { state: 'failed' })).queue).toEqual(['a'])
    const item = { kind: 'user_message', text: 'x', origin: 'bridge', messageId: 'a' } as const
    const said = { type: 'item.completed', source: 'transcript', itemId: 'u', turnId: null, item } as const
    expect(view(...two, said).queue).toEqual(['b'])
  })
})

describe('receipts', () => {
  it('of what waits stand in the panel, of what is on its way in the conversation, of none in both', () => {
    const now = view(told('a', { reason: 'waits: a turn runs' }), told('b'), told('c', { state: 'typed' }))
    const { queued, underWay } = unsettled(now, [], false)
    expect(queued.map(({ messageId }) => messageId)).toEqual(['a', 'b'])
    expect(underWay.map(({ messageId }) => messageId)).toEqual(['c'])
    expect(queued.map(waitsFor)).toEqual(['waits: a turn runs', 'waits for the prompts before it'])
  })

  it('of a lone prompt that goes at once do not bring the panel up', () => {
    expect(unsettled(view(told('a')), [], true).queued).toEqual([])
    expect(unsettled(view(told('a')), [], false).queued).toHaveLength(1)
    expect(unsettled(view(told('a', { reason: 'waits: a draft' })), [], true).queued).toHaveLength(1)
    expect(unsettled(view(told('a'), told('b')), [], true).queued).toHaveLength(2)
  })

  it('read well', () => {
    expect(receiptText({ state: 'typed', reason: null })).toBe('typed into the terminal')
    expect(receiptText({ state: 'queued', reason: 'waits: a dialog' })).toBe(
      'queued: waits for this: a dialog',
    )
    expect(receiptText({ state: 'failed', reason: 'gone' })).toBe('not delivered: gone')
  })

  it('name the message that is sent again by the one before, within the length of an id', () => {
    expect(againId('m')).toBe('m.again1')
    expect(againId('m.again1')).toBe('m.again2')
    expect(againId('m.again9')).toBe('m.again10')
    expect(againId('x'.repeat(100)).length).toBeLessThanOrEqual(100)
  })

  it('of what may have arrived forget that once it is known', () => {
    const lost = told('a', { state: 'failed', undecided: true, images: ['/x.png'] })
    expect(view(told('a'), lost).deliveries.get('a')).toMatchObject({ undecided: true, images: ['/x.png'] })
    expect(view(lost, told('a', { state: 'started' })).deliveries.get('a')?.undecided).toBe(false)
  })
})

describe('what was asked', () => {
  const ask = (approvalId: string, options?: { key: string; label: string }[]): DurableDraft => ({
    type: 'approval.requested',
    source: 'screen',
    approvalId,
    title: approvalId,
    detail: '',
    ...(options === undefined ? {} : { options }),
  })
  const done = (approvalId: string): DurableDraft => ({
    type: 'approval.resolved',
    source: 'screen',
    approvalId,
    verdict: 'answered',
    by: 'web',
    option: 'Yes',
  })
  const yes = [{ key: '1', label: 'Yes' }]

  it('can be answered while it stands there and has options', () => {
    expect(answerable(view(ask('a', yes)))?.approvalId).toBe('a')
    expect(answerable(view(ask('a', yes), ask('b', yes)))?.approvalId).toBe('b')
    expect(answerable(view(ask('a', yes), ask('b', yes), done('b')))?.approvalId).toBe('a')
    expect(answerable(view(ask('a')))).toBeNull()
    expect(answerable(view(ask('a', yes), done('a')))).toBeNull()
    expect(view(ask('a', yes), done('a')).entries[0]).toMatchObject({ option: 'Yes', by: 'web' })
  })

  it('of an interrupt is one entry from its first step to its last', () => {
    const step = (stage: 'asked' | 'again' | 'seen' | 'failed'): DurableDraft => ({
      type: 'interrupt',
      source: 'bridge',
      turnId: null,
      stage,
      detail: stage,
    })
    const two = view(step('asked'), step('again'), step('seen'), step('asked'))
    const stages = two.entries.map((entry) => (entry.type === 'interrupt' ? entry.stages.length : 0))
    expect(stages).toEqual([3, 1])
    expect(two.openInterrupt).toBe('interrupt:4')
  })

  it('is over when the session is', () => {
    const ended = { reason: 'exited', exitCode: 0, signal: null, detail: null } as const
    const over = view(ask('a', yes), told('m'), { type: 'session.ended', source: 'bridge', ...ended })
    expect(answerable(over)).toBeNull()
    expect(over.queue).toEqual([])
  })
})

it('the draft of the terminal is live, and the board is the truth about it', () => {
  const event = { v: 1, sessionId: 's1', id: 'l', ts: 0, source: 'screen' } as const
  const typed = applyEvents(view(told('a')), [{ ...event, type: 'session.draft', text: 'half' }]).view
  expect(typed.terminalDraft).toBe('half')
  const board = { turnId: null, activity: null, items: [] }
  expect(applySnapshot(typed, { events: [], board, lastSeq: 1 }).view.terminalDraft).toBeNull()
  const other = { ...board, draft: 'another' }
  expect(applySnapshot(typed, { events: [], board: other, lastSeq: 1 }).view.terminalDraft).toBe('another')
})

describe('choices', () => {
  it('of how to send mean nothing without a turn', () => {
    expect(wayToSend('interrupt', false)).toBe('queue')
    expect(wayToSend('interrupt', true)).toBe('interrupt')
    expect([otherWay('queue'), otherWay('steer'), otherWay('interrupt')]).toEqual(['steer', 'queue', 'queue'])
  })

  it('are remembered, as far as the storage lets us', () => {
    const storage = new Kept()
    let ways = withWay(storage, new Map(), 's1', 'steer')
    for (let n = 0; n < 60; n += 1) ways = withWay(storage, ways, `x${n}`, 'interrupt')
    withWay(storage, ways, 'x59', 'queue')
    const kept = loadWays(storage)
    expect([kept.get('s1'), kept.get('x58'), kept.get('x59')]).toEqual([undefined, 'interrupt', undefined])
    withDropped(storage, withDropped(storage, new Set(), 'a'), 'b')
    expect([...loadDropped(storage)]).toEqual(['a', 'b'])
    storage.broken = true
    expect([...withDropped(storage, new Set(), 'c')]).toEqual(['c'])
    expect(loadWays(storage).size).toBe(0)
    expect(loadWays(new Kept('{"a":1}')).size).toBe(0)
    expect(loadWays(new Kept('[["s1","fly"],7]')).size).toBe(0)
  })
})

class Kept implements Storage {
  readonly #values = new Map<string, string>()
  readonly #all: string | null
  broken = false

  constructor(all: string | null = null) {
    this.#all = all
  }

  get length(): number {
    return this.#values.size
  }

  getItem(key: string): string | null {
    if (this.broken) throw new Error('closed')
    return this.#all ?? this.#values.get(key) ?? null
  }

  setItem(key: string, value: string): void {
    if (this.broken) throw new Error('full')
    this.#values.set(key, value)
  }

  clear(): void {}
  key(): null {
    return null
  }
  removeItem(): void {}
}

describe('images', () => {
  const head = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0))

  it('are known by their first bytes', () => {
    expect(imageMime(head('\u0089PNG\r\n\u001a\nrest'))).toBe('image/png')
    expect(imageMime(head('\u00ff\u00d8\u00ff\u00e0'))).toBe('image/jpeg')
    expect(imageMime(head('GIF89a'))).toBe('image/gif')
    expect(imageMime(head('RIFF....WEBP'))).toBe('image/webp')
    expect(imageMime(head('RIFF....WAVE'))).toBeNull()
    expect(imageMime(head('<svg onload=1>'))).toBeNull()
    expect(imageMime(head(''))).toBeNull()
  })

  it('are refused with a reason that names them', () => {
    expect(imageRefusal('a.png', 5_000_000, 'image/png')).toBeNull()
    expect(imageRefusal('a.png', 5_000_001, 'image/png')).toBe('a.png has 5.01 MB; an image may have 5 MB.')
    expect(imageRefusal('a.svg', 10, null)).toContain('a.svg is not')
    expect(tooManyImages(2)).toBe('A prompt takes 10 images; 2 were left out.')
  })
})

describe('the command menu', () => {
  const named = (name: string): SessionCommand => ({
    name,
    description: '',
    argument: 'none',
    argumentHint: null,
    choices: null,
    whileRunning: true,
  })

  it('filters by the name that is being typed, until it is no name any more', () => {
    expect(['/', '/Mo', '/etc/hosts', '/a b', 'x/', ''].map(menuFilter)).toEqual([
      '',
      'mo',
      null,
      null,
      null,
      null,
    ])
    const found = matching([named('remodel'), named('model'), named('clear'), named('slash')], 'mo')
    expect(found.map(({ name }) => name)).toEqual(['model', 'remodel'])
    expect(matching([named('slash')], '')).toEqual([])
  })
})

describe('presence', () => {
  /** Time and the wire, by hand. */
  class World {
    now = 0
    sent: (ClientFrame & { type: 'typing' })[] = []
    typists: Typists = new Map()
    connected = true
    #timers: { at: number; callback: () => void }[] = []
    readonly presence = new Presence({
      send: (frame) => {
        if (this.connected && frame.type === 'typing') this.sent.push(frame)
        return this.connected
      },
      put: (typists) => {
        this.typists = typists
      },
      now: () => this.now,
      later: (callback, ms) => {
        const timer = { at: this.now + ms, callback }
        this.#timers.push(timer)
        return () => {
          this.#timers = this.#timers.filter((one) => one !== timer)
        }
      },
    })

    pass(ms: number): void {
      this.now += ms
      const due = this.#timers.filter(({ at }) => at <= this.now)
      this.#timers = this.#timers.filter(({ at }) => at > this.now)
      for (const { callback } of due) callback()
    }

    hear(client: string, active: boolean): void {
      const envelope = { v: 1, sessionId: 's1', id: 'l', ts: 0, source: 'bridge' } as const
      const event: MeowEvent = { ...envelope, type: 'session.typing', client, active }
      this.presence.heard([event])
    }
  }

  it('is told once, and anew before it expires, until the person rests', () => {
    const world = new World()
    for (let n = 0; n < 12; n += 1) {
      world.presence.typed('s1')
      world.pass(1000)
    }
    expect(world.sent.map(({ active }) => active)).toEqual([true, true, true])
    world.pass(REST_MS)
    world.pass(REST_MS)
    expect(world.sent.map(({ active }) => active)).toEqual([true, true, true, false])
  })

  it('ends in one session when it begins in another, and is told again to a new connection', () => {
    const world = new World()
    world.presence.typed('s1')
    world.presence.typed('s2')
    expect(world.sent.map(({ sessionId, active }) => [sessionId, active])).toEqual([
      ['s1', true],
      ['s1', false],
      ['s2', true],
    ])
    world.presence.reconnected()
    world.presence.typed('s2')
    expect(world.sent).toHaveLength(4)
  })

  it('of others holds until they rest or ten seconds pass without a word', () => {
    const world = new World()
    world.hear('a', true)
    world.hear('b', true)
    world.hear('b', false)
    expect([...(world.typists.get('s1') ?? [])]).toEqual(['a'])
    world.pass(EXPIRES_MS - 1)
    world.hear('a', true)
    world.pass(EXPIRES_MS - 1)
    expect(world.typists.size).toBe(1)
    world.pass(1)
    expect(world.typists.size).toBe(0)
  })
})
