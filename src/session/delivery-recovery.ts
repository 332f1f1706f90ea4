/** @module session/delivery-recovery - after a restart: which prompts wait, which arrived, and which nobody knows of. */
import type { Adapter, Prompt, Reading } from '../adapter/index.js'
import type { Receipt } from '../protocol/commands.js'
import type { DurableEvent } from '../protocol/events.js'
import type { Deliveries } from './deliveries.js'
import type { QueuedMessage } from './message-queue.js'

/** A prompt as the journal knows it. */
interface Known {
  message: QueuedMessage
  receipt: Receipt
  /** Some of it may have been typed. */
  attempted: boolean
  /** What the conversation says of it, which its receipt may not yet: the hub can end between the two. */
  seen: Seen | null
}

interface Seen {
  readonly state: 'started' | 'completed' | 'failed'
  readonly reason: string | null
}

/** Reads what the journal says of prompts, in its order. */
export class DeliveryMemory {
  private readonly known = new Map<string, Known>()
  private order: readonly string[] = []

  recall(e: DurableEvent): void {
    if (e.type === 'queue') this.order = e.order
    if (e.type === 'item.completed' && e.item.kind === 'user_message') {
      const known = this.known.get(e.item.messageId ?? '')
      if (known) known.seen = { state: 'started', reason: null }
    }
    if (e.type === 'turn.completed') {
      const reason = e.outcome === 'completed' ? null : (e.detail ?? e.outcome)
      const state = e.outcome === 'failed' ? 'failed' : 'completed'
      for (const known of this.known.values())
        if (known.seen?.state === 'started') known.seen = { state, reason }
    }
    if (e.type !== 'delivery') return
    const { messageId, state, reason, undecided } = e
    const old = this.known.get(messageId)
    const message: QueuedMessage = {
      messageId,
      text: e.text ?? old?.message.text ?? '',
      how: e.how ?? old?.message.how ?? 'queue',
      images: e.images ?? old?.message.images ?? [],
      queuedAt: old?.message.queuedAt ?? e.ts,
    }
    this.known.set(messageId, {
      message,
      receipt: { messageId, state, reason, ...(undecided ? { undecided } : {}) },
      // Queued without an attempt: new, or taken back.
      attempted: e.attempt !== undefined || state !== 'queued',
      seen: old?.seen ?? null,
    })
  }

  /** Fills the queue, and gives what was on its way. Nothing is handed over until {@link recoverDeliveries}. */
  restore(deliveries: Deliveries, expect: (messageId: string, text: string) => void): OnItsWay[] {
    const way: OnItsWay[] = []
    for (const { message, receipt, attempted, seen } of this.known.values()) {
      const over = receipt.state === 'completed' || receipt.state === 'failed'
      deliveries.queue.restore(message, receipt, !over && !attempted)
      if (over && !receipt.undecided) continue
      if (attempted && !seen && receipt.state !== 'started' && receipt.state !== 'completed')
        expect(message.messageId, message.text)
      if (!over && attempted) way.push({ message, seen })
    }
    deliveries.queue.reorder(this.order)
    return way
  }
}

export interface OnItsWay {
  readonly message: QueuedMessage
  readonly seen: Seen | null
}

export interface RecoveryHost {
  readonly adapter: Adapter
  readonly reading: Reading | null
  /** A turn is open. */
  readonly turnRuns: boolean
}

/**
 * Decides about what was on its way, after the vendor's own record was read: what it has has arrived. What still stands
 * in the prompt box is taken back and handed over again; of the rest nobody knows, and a person is asked.
 */
export async function recoverDeliveries(
  deliveries: Deliveries,
  way: readonly OnItsWay[],
  host: RecoveryHost,
  takeBack: (prompt: Prompt) => Promise<boolean>,
): Promise<void> {
  const { adapter, reading, turnRuns } = host
  const again: QueuedMessage[] = []
  for (const { message, seen } of way) {
    const { messageId, text } = message
    if (seen)
      for (const state of ['typed', 'accepted', 'started'] as const) deliveries.move(messageId, state, null)
    if (seen && seen.state !== 'started') deliveries.move(messageId, seen.state, seen.reason)
    const state = deliveries.receipt(messageId)?.state
    if (state === 'started') {
      if (!turnRuns) deliveries.move(messageId, 'completed', 'its turn ended while the bridge was away')
    } else if (state === 'accepted') {
      deliveries.heldByVendor(messageId, text, turnRuns)
    } else if (state === 'queued' || state === 'typed') {
      const stands = adapter.stillInBox?.(message, reading) ?? false
      if (adapter.repeatable || (stands && (await takeBack(message)))) again.push(message)
      else {
        const why = 'the bridge ended while it was being handed over; whether it arrived is not known'
        deliveries.move(messageId, 'failed', why, true)
      }
    }
  }
  for (const message of again.reverse()) deliveries.putBack(message)
}
