/** @module web/model/queue - receipts of messages, and the order of those that wait. */
import type { DeliveryMode, DurableEvent } from '../../../protocol/events.js'
import type { Draft } from './draft.js'
import type { Delivery } from './view.js'

type DeliveryEvent = Extract<DurableEvent, { type: 'delivery' }>

/** What is for now stands before what can wait, as in the session's own queue. */
const RANK: Readonly<Record<DeliveryMode, number>> = { interrupt: 0, steer: 1, queue: 2 }

/** A receipt moved on, or a prompt that waits was edited. */
export function delivered(draft: Draft, event: DeliveryEvent): void {
  const known = draft.delivery(event.messageId)
  const next: Delivery = {
    messageId: event.messageId,
    state: event.state,
    reason: event.reason,
    text: event.text ?? known?.text ?? null,
    how: event.how ?? known?.how ?? 'queue',
    images: event.images ?? known?.images ?? [],
    undecided: event.undecided ?? false,
    itemId: known?.itemId ?? null,
  }
  draft.putDelivery(next)
  place(draft, event, next, known)
  if (event.state !== 'failed') return
  draft.put({
    type: 'failed-delivery',
    key: `failed-delivery:${event.messageId}`,
    messageId: event.messageId,
  })
}

/** Where the message stands among those that wait, if it does. */
function place(draft: Draft, event: DeliveryEvent, next: Delivery, known: Delivery | undefined): void {
  const queue = draft.get('queue')
  const { messageId } = event
  // An attempt is told before its first key: from then on the prompt is on its way.
  const waits = event.state === 'queued' && event.attempt === undefined
  if (!waits) {
    if (queue.includes(messageId)) draft.set({ queue: queue.filter((id) => id !== messageId) })
    return
  }
  if (queue.includes(messageId)) return
  // One that comes back from its way goes first again.
  const rank = known === undefined ? RANK[next.how] : -1
  const at = queue.findIndex((id) => RANK[draft.delivery(id)?.how ?? 'queue'] > rank)
  const cut = at < 0 ? queue.length : at
  draft.set({ queue: [...queue.slice(0, cut), messageId, ...queue.slice(cut)] })
}

/** A person changed the order: what it does not name stays behind. */
export function reordered(draft: Draft, order: readonly string[]): void {
  const queue = draft.get('queue')
  const named = order.filter((id) => queue.includes(id))
  draft.set({ queue: [...named, ...queue.filter((id) => !order.includes(id))] })
}

/** A message from a page has become an item: its receipt is no longer shown on its own. */
export function linked(draft: Draft, messageId: string, itemId: string, text: string): void {
  const known = draft.delivery(messageId)
  const queue = draft.get('queue')
  if (queue.includes(messageId)) draft.set({ queue: queue.filter((id) => id !== messageId) })
  draft.putDelivery({
    messageId,
    state: known?.state ?? 'accepted',
    reason: known?.reason ?? null,
    text: known?.text ?? text,
    how: known?.how ?? 'queue',
    images: known?.images ?? [],
    undecided: known?.undecided ?? false,
    itemId,
  })
}
