/** @module session/deliveries - brings queued prompts to the vendor, one at a time, each once. */
import type { Adapter, Observation, Step } from '../adapter/index.js'
import type { Receipt } from '../protocol/commands.js'
import { asMeowError, MeowError } from '../protocol/errors.js'
import type { DeliveryState, EventDraft, MeowEvent } from '../protocol/events.js'
import { MessageQueue, type QueuedMessage } from './message-queue.js'
import { sanitize } from './sanitize.js'
import { runScript, type ScriptIo } from './script.js'

/** Longest wait for the turn of an accepted prompt, in ms; a vendor's own hook may have erased the prompt. */
const START_MS = 30_000

/** What deliveries need of their session. */
export interface DeliveryHost {
  readonly adapter: Adapter
  readonly io: Omit<ScriptIo, 'receipt'>
  readonly signal: AbortSignal
  /** What keeps a turn from starting now, in words; null when nothing does. */
  occupied(): string | null
  /** False when the journal refused. */
  record(drafts: readonly EventDraft[]): boolean
  expect(messageId: string, text: string): void
  forget(messageId: string): void
  /** Runs work while nobody else types through the bridge. */
  exclusive<T>(work: () => Promise<T>): Promise<T>
}

/** The queue of one session and the machine that empties it. */
export class Deliveries {
  private readonly queue = new MessageQueue()
  private busy = false
  /** Told when a receipt moves. */
  private moved: () => void = () => undefined

  constructor(private readonly host: DeliveryHost) {}

  /** Queues a prompt; a known id answers with its receipt and queues nothing. */
  send(messageId: string, given: string): Receipt {
    const clean = sanitize(given)
    if (clean.trim() === '') throw new MeowError('invalid_argument', 'the prompt has no visible text')
    const text = this.host.adapter.held?.(clean) ?? clean
    const known = this.queue.receipt(messageId)
    if (known && this.queue.isSame(messageId, text)) return known
    if (known) {
      throw new MeowError('conflict', `the message id ${messageId} was used for another text`, {
        hint: 'give every message an id of its own; repeat one only with the same text',
      })
    }
    this.queue.mustHaveRoom()
    const queued = { messageId, state: 'queued', reason: null } as const
    // In the journal before anything is typed: after a crash it is known what was on its way.
    if (!this.host.record([{ type: 'delivery', source: 'bridge', ...queued, text }])) {
      throw new MeowError('state_unwritable', 'the prompt could not be journalled and was not sent', {
        retryable: true,
        hint: 'look at the space and the rights of the state folder',
      })
    }
    this.queue.add({ messageId, text })
    this.pump()
    return this.queue.receipt(messageId) ?? queued
  }

  receipt(messageId: string): Receipt | undefined {
    return this.queue.receipt(messageId)
  }

  /** A prompt is being typed, or accepted and its turn not begun. */
  get underWay(): boolean {
    return this.busy
  }

  /** How many prompts wait. */
  get waiting(): number {
    return this.queue.length
  }

  /** Something changed that a waiting prompt may have waited for. */
  pump(): void {
    const head = this.queue.peek()
    if (!head || this.busy || this.host.signal.aborted || !this.admitted(head)) return
    this.busy = true
    void this.deliver(head).finally(() => {
      this.busy = false
      this.pump()
    })
  }

  /** Receipts follow what was told of the message's item and turn. */
  follow(events: readonly MeowEvent[]): void {
    for (const event of events) {
      if (event.type === 'item.completed' && event.item.kind === 'user_message' && event.item.messageId) {
        // The item proves what came before it too, and may come before the script has looked.
        for (const state of ['typed', 'accepted', 'started'] as const)
          this.move(event.item.messageId, state, null)
      } else if (event.type === 'turn.completed') {
        const failed = event.outcome === 'failed'
        const reason = event.outcome === 'completed' ? null : (event.detail ?? event.outcome)
        for (const id of this.queue.unsettled()) {
          if (this.queue.receipt(id)?.state === 'started')
            this.move(id, failed ? 'failed' : 'completed', reason)
        }
      }
    }
  }

  /** The vendor's program ended: what is not settled never will be. */
  close(): void {
    for (const id of this.queue.unsettled()) {
      const state = this.queue.receipt(id)?.state
      const how = state === 'queued' ? 'was not sent' : `was ${state} and its end was not seen`
      this.move(id, 'failed', `the vendor's program ended; the prompt ${how}`)
    }
  }

  /** Whether the head may be typed at this moment; its receipt says what it waits for. */
  private admitted(head: QueuedMessage): boolean {
    const reason = this.host.occupied() ?? this.refusal()
    if (reason !== null) this.move(head.messageId, 'queued', `waits: ${reason}`)
    return reason === null
  }

  private refusal(): string | null {
    const admission = this.host.adapter.admits(this.host.io.watch.reading)
    return admission.ok ? null : admission.reason
  }

  private async deliver(head: QueuedMessage): Promise<void> {
    const { messageId, text } = head
    let typed = false
    try {
      const went = await this.host.exclusive(async () => {
        // Whoever had the keys before may have changed everything.
        if (this.host.signal.aborted || !this.admitted(head)) return false
        this.queue.shift()
        typed = true
        this.host.expect(messageId, text)
        await this.run(this.host.adapter.deliver(text), (state) => this.move(messageId, state, null))
        return true
      })
      if (went && !(await this.started(messageId))) {
        throw new MeowError(
          'delivery_failed',
          `accepted, but no turn began with it within ${START_MS / 1000} s`,
        )
      }
    } catch (error) {
      this.host.forget(messageId)
      const taken = typed ? await this.withdraw(text) : ''
      this.move(messageId, 'failed', `${asMeowError(error).detail}${taken}`)
    }
  }

  /** Resolves true when the prompt's turn began, or its receipt is final. */
  private async started(messageId: string): Promise<boolean> {
    const going = () => {
      const state = this.queue.receipt(messageId)?.state
      return state === 'started' || state === 'completed' || state === 'failed'
    }
    if (going()) return true
    return await new Promise<boolean>((resolve) => {
      const finish = (result: boolean) => {
        clearTimeout(timer)
        this.moved = () => undefined
        this.host.signal.removeEventListener('abort', gone)
        resolve(result)
      }
      const gone = () => finish(true)
      const timer = setTimeout(() => finish(going()), START_MS)
      this.moved = () => {
        if (going()) finish(true)
      }
      this.host.signal.addEventListener('abort', gone, { once: true })
      if (this.host.signal.aborted) gone()
    })
  }

  /** Takes our own text out of the prompt box again; says so in the receipt. */
  private async withdraw(text: string): Promise<string> {
    const steps = this.host.adapter.withdraw?.(text)
    if (!steps || this.host.signal.aborted) return ''
    try {
      await this.host.exclusive(() => this.run(steps, () => undefined))
      return ''
    } catch {
      return '; its text may still stand in the prompt box'
    }
  }

  private run(steps: readonly Step[], receipt: ScriptIo['receipt']): Promise<readonly Observation[]> {
    return runScript(steps, { ...this.host.io, receipt }, this.host.signal)
  }

  private move(messageId: string, state: DeliveryState, reason: string | null): void {
    const receipt = this.queue.move(messageId, state, reason)
    if (!receipt) return
    this.host.record([{ type: 'delivery', source: 'bridge', ...receipt }])
    this.moved()
  }
}
