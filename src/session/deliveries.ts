/** @module session/deliveries - brings queued prompts to the vendor, one at a time, each once. */
import type { Adapter, Observation } from '../adapter/index.js'
import type { Receipt } from '../protocol/commands.js'
import { asMeowError, MeowError } from '../protocol/errors.js'
import type { DeliveryState, EventDraft, MeowEvent } from '../protocol/events.js'
import { MessageQueue } from './message-queue.js'
import { sanitize } from './sanitize.js'
import { runScript, type ScriptIo } from './script.js'

/** What deliveries need of their session. */
export interface DeliveryHost {
  readonly adapter: Adapter
  readonly io: Omit<ScriptIo, 'receipt'>
  readonly signal: AbortSignal
  /** Whether a turn could start now: ready, idle, no turn open. */
  free(): boolean
  record(drafts: readonly EventDraft[]): void
  expect(messageId: string, text: string): void
  forget(messageId: string): void
  /** Runs work while nobody else types through the bridge. */
  exclusive<T>(work: () => Promise<T>): Promise<T>
}

/** The queue of one session and the machine that empties it. */
export class Deliveries {
  private readonly queue = new MessageQueue()
  private busy = false

  constructor(private readonly host: DeliveryHost) {}

  /** Queues a prompt; a known id answers with its receipt and queues nothing. */
  send(messageId: string, text: string): Receipt {
    const clean = sanitize(text)
    if (clean.trim() === '') throw new MeowError('invalid_argument', 'the prompt has no visible text')
    if (this.queue.add({ messageId, text: clean })) {
      this.host.record([
        { type: 'delivery', source: 'bridge', messageId, state: 'queued', reason: null, text: clean },
      ])
      this.pump()
    }
    return this.queue.receipt(messageId) ?? { messageId, state: 'queued', reason: null }
  }

  receipt(messageId: string): Receipt | undefined {
    return this.queue.receipt(messageId)
  }

  /** Something changed that a waiting prompt may have waited for. */
  pump(): void {
    const head = this.queue.peek()
    if (!head || this.busy || this.host.signal.aborted) return
    if (!this.host.free()) return
    const admission = this.host.adapter.admits(this.host.io.watch.reading)
    if (!admission.ok) {
      this.move(head.messageId, 'queued', `waits: ${admission.reason}`)
      return
    }
    this.busy = true
    this.queue.shift()
    void this.deliver(head.messageId, head.text).finally(() => {
      this.busy = false
      this.pump()
    })
  }

  /** Receipts follow what was told of the message's item and turn. */
  follow(events: readonly MeowEvent[]): void {
    for (const event of events) {
      if (event.type === 'item.completed' && event.item.kind === 'user_message' && event.item.messageId) {
        // The item is the proof of acceptance too; it may come before the script has looked.
        this.move(event.item.messageId, 'accepted', null)
        this.move(event.item.messageId, 'started', null)
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

  private async deliver(messageId: string, text: string): Promise<void> {
    this.host.expect(messageId, text)
    try {
      await this.host.exclusive<readonly Observation[]>(() => {
        const io: ScriptIo = { ...this.host.io, receipt: (state) => this.move(messageId, state, null) }
        return runScript(this.host.adapter.deliver(text), io, this.host.signal)
      })
    } catch (error) {
      this.host.forget(messageId)
      this.move(messageId, 'failed', asMeowError(error).detail)
    }
  }

  private move(messageId: string, state: DeliveryState, reason: string | null): void {
    const receipt = this.queue.move(messageId, state, reason)
    if (receipt) this.host.record([{ type: 'delivery', source: 'bridge', ...receipt }])
  }
}
