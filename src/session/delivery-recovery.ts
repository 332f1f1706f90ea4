/** @module session/delivery-recovery - after a restart: which prompts wait, which arrived, and which nobody knows of. */
import type { Adapter, Prompt, Reading } from '../adapter/index.js'
import type { Receipt } from '../protocol/commands.js'
import type { DurableEvent, EventDraft } from '../protocol/events.js'
import type { Deliveries } from './deliveries.js'
import type { QueuedMessage } from './message-queue.js'

/** A prompt as the journal knows it. */
interface Known {
  message: QueuedMessage
  receipt: Receipt
  /** Some of it may have been typed. */
  attempted: boolean
  /** When the newest attempt was begun, in ms since the epoch. */
  attemptAt: number
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
      attemptAt: e.attempt === undefined ? (old?.attemptAt ?? e.ts) : e.ts,
      seen: old?.seen ?? null,
    })
  }

  /** The end of every prompt that has none: its program is gone. */
  lost(why: string): EventDraft[] {
    return [...this.known.values()].flatMap(({ message, receipt, attempted, seen }): EventDraft[] => {
      if (receipt.state === 'completed' || receipt.state === 'failed') return []
      const known = {
        type: 'delivery',
        source: 'bridge',
        messageId: message.messageId,
        state: 'failed',
      } as const
      if (!attempted) return [{ ...known, reason: `${why}; it was not sent` }]
      if (seen || receipt.state === 'started') return [{ ...known, reason: `${why}; its end was not seen` }]
      return [{ ...known, reason: `${why}; whether it arrived is not known`, undecided: true }]
    })
  }

  /** Fills the queue, and gives what was on its way. Nothing is handed over until {@link recoverDeliveries}. */
  restore(
    deliveries: Deliveries,
    expect: (messageId: string, text: string, doubted: boolean) => void,
  ): OnItsWay[] {
    const way: OnItsWay[] = []
    for (const { message, receipt, attempted, attemptAt, seen } of this.known.values()) {
      const over = receipt.state === 'completed' || receipt.state === 'failed'
      deliveries.queue.restore(message, receipt, !over && !attempted)
      if (over && !receipt.undecided) continue
      if (attempted && !seen && receipt.state !== 'started' && receipt.state !== 'completed')
        expect(message.messageId, message.text, receipt.undecided === true)
      if (!over && attempted) way.push({ message, attemptAt, seen })
    }
    deliveries.queue.reorder(this.order)
    return way
  }
}

export interface OnItsWay {
  readonly message: QueuedMessage
  readonly attemptAt: number
  readonly seen: Seen | null
}

export interface RecoveryHost {
  readonly adapter: Adapter
  /** A turn is open. */
  turnRuns(): boolean
  now(): number
  /** Resolves true when the condition holds, false after `withinMs`; it is asked at each change of the session. */
  until(condition: (reading: Reading | null) => boolean, withinMs: number): Promise<boolean>
  /** Takes our own text out of the prompt box; false when it was not seen to go. */
  takeBack(prompt: Prompt): Promise<boolean>
}

/** How long a program may take to show a paste, or to tell what it took, in ms (measured under load: some seconds). */
const ECHO_MS = 15_000

/**
 * Decides about what was on its way, after the vendor's own record was read: what it has has arrived. What still stands
 * in the prompt box is sent from there (Enter again does nothing where Enter was pressed before) or, where no more than
 * the paste can have been done, taken back and handed over again. Of the rest nobody knows, and a person is asked.
 */
export async function recoverDeliveries(
  deliveries: Deliveries,
  way: readonly OnItsWay[],
  host: RecoveryHost,
): Promise<void> {
  const again: (() => void)[] = []
  for (const { message, attemptAt, seen } of way) {
    const { messageId, text } = message
    if (seen)
      for (const state of ['typed', 'accepted', 'started'] as const) deliveries.move(messageId, state, null)
    if (seen && seen.state !== 'started') deliveries.move(messageId, seen.state, seen.reason)
    const stateNow = () => deliveries.receipt(messageId)?.state
    const state = stateNow()
    if (state === 'started') {
      if (!host.turnRuns())
        deliveries.move(messageId, 'completed', 'its turn ended while the bridge was away')
    } else if (state === 'accepted') {
      deliveries.heldByVendor(messageId, text, host.turnRuns())
    } else if (state === 'queued' || state === 'typed') {
      if (host.adapter.repeatable) {
        again.push(() => deliveries.putBack(message))
        continue
      }
      const stands = (reading: Reading | null) => host.adapter.stillInBox?.(message, reading) ?? false
      // A slow program may show the paste, or tell of the prompt, later than we came back.
      const left = Math.max(0, attemptAt + ECHO_MS - host.now())
      let standing = false
      await host.until((reading) => {
        standing = stands(reading)
        return standing || stateNow() !== state
      }, left)
      if (stateNow() !== state) continue
      if (standing && state === 'typed') again.push(() => deliveries.sendTyped(message))
      else if (standing && (await host.takeBack(message))) again.push(() => deliveries.putBack(message))
      else {
        const why = 'the bridge ended while it was being handed over; whether it arrived is not known'
        deliveries.doubt(messageId, why)
        deliveries.haunt(message)
      }
    }
  }
  for (const one of again.reverse()) one()
}
