/** @module test/web/page-script - random but possible histories of a session, and the board at every point of them. */
import fc from 'fast-check'
import {
  type DeliveryMode,
  type DurableDraft,
  type DurableEvent,
  isLive,
  type LiveDraft,
  type MeowEvent,
  type Usage,
} from '../../src/protocol/events.js'
import type { Item, ItemKind } from '../../src/protocol/items.js'
import type { Board } from '../../src/protocol/session.js'

export type Op =
  | { op: 'turn' }
  | { op: 'open'; kind: 'assistant_message' | 'reasoning' | 'tool_call' | 'user_message' }
  | { op: 'text'; which: number; text: string }
  | { op: 'close'; which: number; text: string }
  | { op: 'instant'; text: string }
  | { op: 'state'; state: 'idle' | 'running' | 'blocked' | 'unknown' }
  | { op: 'usage'; input: number; usd: number | null }
  | {
      op: 'delivery'
      message: number
      state: 'queued' | 'typed' | 'accepted' | 'failed'
      how: DeliveryMode
      tried: boolean
    }
  | { op: 'activity'; text: string }
  | { op: 'draft'; text: string }
  | { op: 'order'; messages: number[] }
  | { op: 'approval'; which: number; answered: boolean }
  | { op: 'command'; which: number; state: 'started' | 'done' | 'failed' }
  | { op: 'interrupt'; stage: 'asked' | 'again' | 'seen' | 'failed' }
  | { op: 'gap' }
  | { op: 'finish' }

const text = fc.string({ maxLength: 8 })
const which = fc.nat({ max: 3 })

export const opsArb: fc.Arbitrary<Op[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ op: fc.constant('turn' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        op: fc.constant('open' as const),
        kind: fc.constantFrom('assistant_message', 'reasoning', 'tool_call', 'user_message'),
      }),
    },
    { weight: 6, arbitrary: fc.record({ op: fc.constant('text' as const), which, text }) },
    { weight: 3, arbitrary: fc.record({ op: fc.constant('close' as const), which, text }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('instant' as const), text }) },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constant('state' as const),
        state: fc.constantFrom('idle', 'running', 'blocked', 'unknown'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constant('usage' as const),
        input: fc.nat({ max: 100 }),
        usd: fc.option(fc.nat({ max: 9 }), { nil: null }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constant('delivery' as const),
        message: which,
        state: fc.constantFrom('queued', 'typed', 'accepted', 'failed'),
        how: fc.constantFrom('queue', 'steer', 'interrupt'),
        tried: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ op: fc.constant('order' as const), messages: fc.uniqueArray(which) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ op: fc.constant('approval' as const), which, answered: fc.boolean() }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constant('command' as const),
        which,
        state: fc.constantFrom('started', 'done', 'failed'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        op: fc.constant('interrupt' as const),
        stage: fc.constantFrom('asked', 'again', 'seen', 'failed'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('draft' as const), text }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('activity' as const), text }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('gap' as const) }) },
  ),
  { maxLength: 40 },
) as fc.Arbitrary<Op[]>

export function stamp(seq: number, draft: DurableDraft): DurableEvent {
  return { v: 1, sessionId: 's1', id: `e${seq}`, ts: seq * 1000, seq, ...draft } as DurableEvent
}

export function usage(input: number, usd: number | null): Usage {
  const tokens = { input, output: 0, cacheRead: 0, cacheWrite: 0 }
  return { tokens, usd, pricedBy: usd === null ? 'none' : 'vendor' }
}

/** A history, told event by event, with the board as a hub would keep it. */
export class Script {
  readonly events: MeowEvent[] = []
  /** The board before event `n`; one more than there are events. */
  readonly #boards: Board[] = [{ turnId: null, activity: null, items: [] }]
  #seq = 0
  #made = 0
  #total = 0

  constructor(ops: readonly Op[]) {
    for (const op of ops) this.#run(op)
  }

  snapshot(at: number, since: number): { events: DurableEvent[]; board: Board; lastSeq: number } {
    const durable = this.events.slice(0, at).filter((event): event is DurableEvent => !isLive(event))
    const board = this.#boards[at]
    if (board === undefined) throw new Error(`no board before event ${at}`)
    return { events: durable.filter(({ seq }) => seq > since), board, lastSeq: durable.at(-1)?.seq ?? 0 }
  }

  /** What a second copy of may come at any time before event `at`: it says where it belongs. */
  repeatable(at: number): MeowEvent[] {
    return this.events
      .slice(Math.max(0, at - 5), at)
      .filter((event) => !isLive(event) || event.type === 'item.delta')
  }

  get #board(): Board {
    const board = this.#boards.at(-1)
    if (board === undefined) throw new Error('no board')
    return board
  }

  #durable(draft: DurableDraft, change: (board: Board) => void = () => {}): void {
    this.#seq += 1
    this.#push(stamp(this.#seq, draft), change)
  }

  #live(draft: LiveDraft, change: (board: Board) => void): void {
    const id = `l${this.events.length}`
    this.#push({ v: 1, sessionId: 's1', id, ts: 0, ...draft } as MeowEvent, change)
  }

  #push(event: MeowEvent, change: (board: Board) => void): void {
    const next = structuredClone(this.#board)
    change(next)
    this.events.push(event)
    this.#boards.push(next)
  }

  #run(op: Op): void {
    const { turnId, items } = this.#board
    switch (op.op) {
      case 'turn':
        this.#turn()
        break
      case 'open':
        this.#open(op.kind)
        break
      case 'text':
      case 'close': {
        const row = items[op.which % Math.max(1, items.length)]
        if (row === undefined) break
        if (op.op === 'text') this.#text(row, op.text)
        else this.#close(row.itemId, itemOf(row.kind, op.text, 'done'))
        break
      }
      case 'instant':
        this.#made += 1
        this.#close(`i${this.#made}`, { kind: 'notice', level: 'info', text: op.text })
        break
      case 'state':
        this.#state(op.state)
        break
      case 'usage': {
        this.#total += op.input
        const sums = { usage: usage(op.input, op.usd), session: usage(this.#total, op.usd) }
        this.#durable({ type: 'usage', source: 'rpc', turnId, model: null, ...sums })
        break
      }
      case 'delivery': {
        const { state, how } = op
        const tried = op.tried ? { attempt: 1 } : {}
        const receipt = { messageId: `m${op.message}`, state, how, reason: null, text: 'x', ...tried }
        this.#durable({ type: 'delivery', source: 'bridge', ...receipt })
        break
      }
      case 'order':
        this.#durable({ type: 'queue', source: 'bridge', order: op.messages.map((n) => `m${n}`) })
        break
      case 'approval': {
        const approvalId = `a${op.which}`
        const asked = { title: 't', detail: 'd', options: [{ key: '1', label: 'Yes' }] }
        if (op.answered) {
          const verdict = { verdict: 'answered', by: 'web', option: 'Yes' } as const
          this.#durable({ type: 'approval.resolved', source: 'screen', approvalId, ...verdict })
        } else this.#durable({ type: 'approval.requested', source: 'screen', approvalId, ...asked })
        break
      }
      case 'command': {
        const run = { commandId: `c${op.which}`, command: 'model', argument: null, detail: null }
        this.#durable({ type: 'session.command', source: 'bridge', ...run, state: op.state })
        break
      }
      case 'interrupt':
        this.#durable({ type: 'interrupt', source: 'bridge', turnId, stage: op.stage, detail: 'd' })
        break
      case 'draft': {
        const written = op.text === '' ? null : op.text
        this.#live({ type: 'session.draft', source: 'screen', text: written }, (next) => {
          next.draft = written
        })
        break
      }
      case 'activity': {
        const activity = op.text
        this.#live({ type: 'session.activity', source: 'screen', activity, detail: null }, (next) => {
          next.activity = activity
        })
        break
      }
      case 'gap':
        this.#durable({ type: 'gap', source: 'bridge', what: 'bytes', detail: '3' })
        break
      case 'finish':
        for (const row of items) this.#close(row.itemId, itemOf(row.kind, 'the end', 'done'))
        this.#state('idle')
    }
  }

  #state(state: 'idle' | 'running' | 'blocked' | 'unknown'): void {
    this.#durable({ type: 'session.state', source: 'screen', rule: 'r', evidence: [], state }, (next) => {
      if (state !== 'running') next.activity = null
    })
  }

  #turn(): void {
    const { turnId } = this.#board
    if (turnId === null) {
      this.#made += 1
      const fresh = `t${this.#made}`
      this.#durable({ type: 'turn.started', source: 'screen', turnId: fresh }, (next) => {
        next.turnId = fresh
      })
      return
    }
    const end = { outcome: 'completed', detail: null, usage: null } as const
    this.#durable({ type: 'turn.completed', source: 'screen', turnId, ...end }, (next) => {
      next.turnId = null
      next.activity = null
    })
  }

  #open(kind: ItemKind): void {
    this.#made += 1
    const itemId = `i${this.#made}`
    const item = itemOf(kind, '', 'open')
    const { turnId } = this.#board
    this.#durable({ type: 'item.started', source: 'rpc', itemId, turnId, kind, item }, (next) => {
      next.items.push({ itemId, turnId, kind, item, text: '' })
    })
  }

  #text({ itemId, turnId, kind, text: before }: Board['items'][number], more: string): void {
    const grow = (to: string) => (next: Board) => {
      const row = next.items.find((one) => one.itemId === itemId)
      if (row !== undefined) row.text = to
    }
    if (kind === 'tool_call') {
      this.#live(
        { type: 'tool.output', source: 'screen', itemId, turnId, text: before + more, omitted: 0 },
        grow(before + more),
      )
      return
    }
    const offset = before.length
    this.#live(
      { type: 'item.delta', source: 'screen', itemId, turnId, kind, offset, delta: more },
      grow(before + more),
    )
  }

  #close(itemId: string, item: Item): void {
    const { turnId } = this.#board
    this.#durable({ type: 'item.completed', source: 'transcript', itemId, turnId, item }, (next) => {
      next.items = next.items.filter((row) => row.itemId !== itemId)
    })
  }
}

function itemOf(kind: ItemKind, content: string, phase: 'open' | 'done'): Item {
  if (kind === 'tool_call') {
    const call = { kind, callId: 'c', tool: 'shell', name: 'Bash', input: { command: 'ls' } } as const
    return phase === 'open'
      ? { ...call, status: 'running' }
      : { ...call, status: 'completed', output: content }
  }
  if (kind === 'user_message') return { kind, text: content, origin: 'terminal' }
  if (kind === 'assistant_message' || kind === 'reasoning') return { kind, text: content }
  return { kind: 'notice', level: 'info', text: content }
}
