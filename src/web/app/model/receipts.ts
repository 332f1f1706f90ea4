/** @module web/model/receipts - messages from the page that are not yet part of the conversation. */
import type { Receipt } from '../../../protocol/commands.js'
import type { Conversation, Delivery } from './view.js'

/** A message that the hub took, as its answer said; kept until the events tell of it. */
export interface SentMessage extends Receipt {
  readonly text: string
}

/** What waits for its turn, oldest first. Failed ones have their own place in the conversation. */
export function waiting(view: Conversation | undefined, sent: readonly SentMessage[]): Delivery[] {
  const known = view === undefined ? [] : [...view.deliveries.values()]
  const told = new Set(known.map((delivery) => delivery.messageId))
  const untold = sent
    .filter((message) => !told.has(message.messageId))
    .map((message) => ({ ...message, itemId: null }))
  return [...known, ...untold].filter(
    ({ itemId, state }) => itemId === null && state !== 'failed' && state !== 'completed',
  )
}
