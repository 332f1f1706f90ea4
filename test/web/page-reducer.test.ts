/** @module test/web/page-reducer - the page's reducer: whatever way the events come, the view is the same. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DurableEvent, MeowEvent } from '../../src/protocol/events.js'
import type { Board } from '../../src/protocol/session.js'
import type { ClientFrame, ServerFrame } from '../../src/protocol/stream.js'
import { applyEvents, applySnapshot, type Snapshot } from '../../src/web/app/model/conversation.js'
import { unsettled } from '../../src/web/app/model/receipts.js'
import { type Conversation, emptyConversation, shownText } from '../../src/web/app/model/view.js'
import { Sync } from '../../src/web/app/state/sync.js'
import { type Op, opsArb, Script, stamp, usage } from './page-script.js'

const ID = 's1'

/** Everything a person could see. */
function seen(view: Conversation): unknown {
  return { ...view, places: [...view.places], turns: [...view.turns], deliveries: [...view.deliveries] }
}

function fromStart(events: readonly MeowEvent[]): Conversation {
  const { view, hole } = applyEvents(emptyConversation(ID), events)
  expect(hole).toBeNull()
  return view
}

const board = (fields: Partial<Board> = {}): Board => ({ turnId: null, activity: null, items: [], ...fields })
const empty = emptyConversation(ID)
const waiting = (view: Conversation, sent: Parameters<typeof unsettled>[1]) =>
  unsettled(view, sent, true).underWay
const started = (seq: number, itemId: string): DurableEvent =>
  stamp(seq, {
    type: 'item.started',
    source: 'rpc',
    itemId,
    turnId: null,
    kind: 'assistant_message',
    item: { kind: 'assistant_message', text: '' },
  })
const completed = (seq: number, itemId: string, text: string): DurableEvent =>
  stamp(seq, {
    type: 'item.completed',
    source: 'transcript',
    itemId,
    turnId: null,
    item: { kind: 'assistant_message', text },
  })
const delta = (itemId: string, offset: number, text: string): MeowEvent => ({
  v: 1,
  sessionId: ID,
  id: `l-${itemId}-${offset}`,
  ts: 0,
  source: 'screen',
  type: 'item.delta',
  itemId,
  turnId: null,
  kind: 'assistant_message',
  offset,
  delta: text,
})
const texts = (view: Conversation): string[] =>
  view.entries.flatMap((entry) => (entry.type === 'item' ? [shownText(entry)] : []))

describe('durable events', () => {
  it('count once, whatever repeats', () => {
    const events = [started(1, 'a'), completed(2, 'a', 'hello'), started(3, 'b')]
    const view = fromStart(events)
    expect(seen(applyEvents(view, [...events, ...events]).view)).toEqual(seen(view))
    expect(applyEvents(view, events).view).toBe(view)
  })

  it('stop at a missing one and say so', () => {
    const { view, hole } = applyEvents(empty, [started(1, 'a'), completed(3, 'a', 'late')])
    expect(hole).toBe('events 2 to 2')
    expect(view.lastSeq).toBe(1)
    expect(texts(view)).toEqual([''])
  })

  it('that a snapshot itself lacks are told, and the view goes on', () => {
    const events = [started(1, 'a'), completed(4, 'a', 'after the hole')]
    const { view, hole } = applySnapshot(empty, { events, board: board(), lastSeq: 5 })
    expect(hole).toBe('events after 4')
    const rest = applySnapshot(view, { events: [], board: board(), lastSeq: 5 })
    expect(rest.hole).toBeNull()
    expect(rest.view.lastSeq).toBe(5)
    const marks = rest.view.entries.filter((entry) => entry.type === 'mark').map((entry) => entry.title)
    expect(marks).toEqual(['Events 2 to 3 are missing', 'Event 5 is missing'])
  })

  it('start over when the journal is shorter than what was seen', () => {
    const view = fromStart([started(1, 'a'), started(2, 'b')])
    const applied = applySnapshot(view, { events: [], board: board(), lastSeq: 1 })
    expect(applied.hole).not.toBeNull()
    expect(applied.view).toEqual(empty)
  })
})

describe('live text', () => {
  const open = fromStart([started(1, 'a'), delta('a', 0, 'hello')])

  it('continues, overlaps and repeats by offset', () => {
    const applied = applyEvents(open, [delta('a', 2, 'llo wor'), delta('a', 0, 'hel'), delta('a', 9, 'ld')])
    expect(applied.hole).toBeNull()
    expect(texts(applied.view)).toEqual(['hello world'])
  })

  it('with a hole changes nothing and asks for a snapshot', () => {
    const applied = applyEvents(open, [delta('a', 7, 'rld')])
    expect(applied.hole).not.toBeNull()
    expect(texts(applied.view)).toEqual(['hello'])
  })

  it('is replaced by the completed text, and never comes back', () => {
    const { view } = applyEvents(open, [completed(2, 'a', 'Goodbye'), delta('a', 5, ' world')])
    expect(texts(view)).toEqual(['Goodbye'])
  })

  it('of an item told late stands before the one it names, and both still complete in place', () => {
    const late = { ...started(2, 'late'), before: 'a' } as DurableEvent
    const view = fromStart([
      started(1, 'a'),
      late,
      completed(3, 'late', 'first'),
      completed(4, 'a', 'second'),
    ])
    expect(texts(view)).toEqual(['first', 'second'])
  })
  it('of an item that the board no longer knows is kept, but no longer grows', () => {
    const { view } = applySnapshot(open, { events: [], board: board(), lastSeq: 1 })
    expect(view.entries[0]).toMatchObject({ open: true, stale: true, live: 'hello' })
  })
})

describe('messages from the page', () => {
  const told = (seq: number, state: 'queued' | 'typed' | 'failed', reason: string | null = null) =>
    stamp(seq, {
      type: 'delivery',
      source: 'bridge',
      messageId: 'm1',
      state,
      reason,
      ...(seq === 1 ? { text: 'hi' } : {}),
    })

  it('wait until their item comes', () => {
    const view = fromStart([told(1, 'queued'), told(2, 'typed')])
    expect(waiting(view, [])).toMatchObject([{ messageId: 'm1', state: 'typed', text: 'hi' }])
    const item = { kind: 'user_message', text: 'hi', origin: 'bridge', messageId: 'm1' } as const
    const { view: after } = applyEvents(view, [
      stamp(3, { type: 'item.completed', source: 'transcript', itemId: 'u', turnId: null, item }),
    ])
    expect(waiting(after, [])).toEqual([])
  })

  it('that failed stand in the conversation with their reason', () => {
    const view = fromStart([told(1, 'queued'), told(2, 'failed', 'a dialog is open')])
    expect(waiting(view, [])).toEqual([])
    expect(view.entries).toMatchObject([{ type: 'failed-delivery', messageId: 'm1' }])
    expect(view.deliveries.get('m1')).toMatchObject({ reason: 'a dialog is open', text: 'hi' })
  })

  it('are shown by their receipt until the events tell of them', () => {
    const sent = [
      { messageId: 'm1', state: 'queued' as const, reason: null, text: 'hi', how: 'queue' as const },
    ]
    expect(waiting(empty, sent)).toHaveLength(1)
    expect(waiting(fromStart([told(1, 'queued')]), sent)).toHaveLength(1)
  })
})

describe('usage', () => {
  it('of a turn is the sum of its responses until the turn tells its own', () => {
    const before = [
      stamp(1, { type: 'turn.started', source: 'screen', turnId: 't' }),
      stamp(2, {
        type: 'usage',
        source: 'rpc',
        turnId: 't',
        model: null,
        usage: usage(10, 1),
        session: usage(10, 1),
      }),
      stamp(3, {
        type: 'usage',
        source: 'rpc',
        turnId: 't',
        model: null,
        usage: usage(5, null),
        session: usage(15, null),
      }),
    ]
    const view = fromStart(before)
    expect(view.turns.get('t')?.usage).toMatchObject({ tokens: { input: 15 }, usd: null })
    expect(view.total).toMatchObject({ tokens: { input: 15 }, usd: null })
    const end = { turnId: 't', outcome: 'completed', detail: null, usage: usage(99, 2) } as const
    const { view: after } = applyEvents(view, [stamp(4, { type: 'turn.completed', source: 'rpc', ...end })])
    expect(after.turns.get('t')?.usage).toEqual(usage(99, 2))
  })
})

describe('properties', () => {
  it('a snapshot at any point and the rest show the same as everything from the start', () => {
    fc.assert(
      fc.property(opsArb, fc.nat(), fc.nat(), (ops, first, second) => {
        const script = new Script(ops)
        const whole = fromStart(script.events)
        const at = first % (script.events.length + 1)
        const { view, hole } = applySnapshot(empty, script.snapshot(at, 0))
        expect(hole).toBeNull()
        const rest = applyEvents(view, script.events.slice(at))
        expect(rest.hole).toBeNull()
        expect(seen(rest.view)).toEqual(seen(whole))

        // A view that is behind catches up with a second snapshot from where it stands.
        const later = at + (second % (script.events.length - at + 1))
        const caught = applySnapshot(view, script.snapshot(later, view.lastSeq))
        expect(seen(applyEvents(caught.view, script.events.slice(later)).view)).toEqual(seen(whole))
      }),
      { numRuns: 400 },
    )
  })

  it('how events are cut into frames does not matter', () => {
    fc.assert(
      fc.property(opsArb, fc.array(fc.nat({ max: 5 })), (ops, sizes) => {
        const { events } = new Script(ops)
        let view: Conversation = empty
        let at = 0
        for (const size of [...sizes, events.length]) {
          view = applyEvents(view, events.slice(at, at + size)).view
          at += size
        }
        expect(seen(view)).toEqual(seen(fromStart(events)))
      }),
      { numRuns: 200 },
    )
  })

  it('repeats, losses and reconnects lose nothing and double nothing', () => {
    const faultArb = fc.array(fc.constantFrom('deliver', 'deliver', 'deliver', 'repeat', 'lose', 'reconnect'))
    fc.assert(
      fc.property(opsArb, faultArb, (ops: Op[], faults) => {
        // Everything is completed at the end: what was lost of the live text no longer matters then.
        const script = new Script([...ops, { op: 'finish' }])
        const view = new Wire(script).run(faults)
        const whole = fromStart(script.events)
        expect(view.lastSeq).toBe(whole.lastSeq)
        expect(seen(view)).toEqual(seen(whole))
      }),
      { numRuns: 400 },
    )
  })
})

/** A stream that repeats, loses and breaks; its answers come at once. */
class Wire {
  readonly #script: Script
  readonly #sync: Sync
  #view: Conversation = empty
  #at = 0
  #timers: (() => void)[] = []

  constructor(script: Script) {
    this.#script = script
    this.#sync = new Sync({
      send: (frame) => this.#sent(frame),
      view: () => this.#view,
      put: (view) => {
        this.#view = view
      },
      now: () => 0,
      random: () => 0.5,
      later: (callback) => {
        this.#timers.push(callback)
        return () => {
          this.#timers = this.#timers.filter((timer) => timer !== callback)
        }
      },
    })
  }

  run(faults: readonly string[]): Conversation {
    this.#sync.select(ID)
    let at = 0
    while (this.#at < this.#script.events.length) {
      const fault = faults[at] ?? 'deliver'
      at += 1
      const event = this.#script.events[this.#at]
      if (event === undefined) break
      if (fault === 'deliver') this.#deliver([event])
      if (fault === 'lose') this.#at += 1
      if (fault === 'repeat') this.#sync.events(frameOf(this.#script.repeatable(this.#at)))
      if (fault === 'reconnect') {
        this.#sync.disconnected()
        this.#sync.connected()
      }
      this.#tick()
    }
    // A loss at the very end shows with whatever comes next.
    this.#sync.disconnected()
    this.#sync.connected()
    while (this.#timers.length > 0) this.#tick()
    return this.#view
  }

  #tick(): void {
    for (const timer of this.#timers.splice(0)) timer()
  }

  #deliver(events: readonly MeowEvent[]): void {
    this.#at += events.length
    this.#sync.events(frameOf(events))
  }

  #sent(frame: ClientFrame): boolean {
    if (frame.type === 'session.subscribe') {
      const snapshot: Snapshot = this.#script.snapshot(this.#at, frame.since)
      // Answered after `send` has returned, as on a real wire.
      this.#timers.push(() => this.#sync.snapshot(snapshotFrame(snapshot)))
    }
    return true
  }
}

function frameOf(events: readonly MeowEvent[]): Extract<ServerFrame, { type: 'events' }> {
  return { type: 'events', sessionId: ID, events: [...events] }
}

function snapshotFrame(snapshot: Snapshot): Extract<ServerFrame, { type: 'session.snapshot' }> {
  const { events, board: at, lastSeq } = snapshot
  return {
    type: 'session.snapshot',
    sessionId: ID,
    session: {} as never,
    events: [...events],
    board: at,
    lastSeq,
  }
}
