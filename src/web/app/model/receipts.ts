/** @module web/model/receipts - what became of each message, in words, and where it is shown. */
import type { Receipt } from '../../../protocol/commands.js'
import type { DeliveryMode, DeliveryState } from '../../../protocol/events.js'
import type { Conversation, Delivery } from './view.js'

/** A message that the hub took, as its answer said; kept until the events tell of it. */
export interface SentMessage extends Receipt {
  readonly text: string
  readonly how: DeliveryMode
}

/** Messages that are not yet part of the conversation. */
export interface Unsettled {
  /** For the queue panel: in the order in which they will be handed over. */
  readonly queued: readonly Delivery[]
  /** For the end of the conversation: on their way, oldest first. */
  readonly underWay: readonly Delivery[]
}

/** What has its place neither in the conversation nor among the failed. */
export function unsettled(
  view: Conversation | undefined,
  sent: readonly SentMessage[],
  idle: boolean,
): Unsettled {
  const known = view === undefined ? [] : [...view.deliveries.values()]
  const told = new Set(known.map((delivery) => delivery.messageId))
  const untold = sent
    .filter((message) => !told.has(message.messageId))
    .map((message) => ({ ...message, images: [], undecided: false, itemId: null }))
  const open = [...known, ...untold].filter(
    ({ itemId, state }) => itemId === null && state !== 'failed' && state !== 'completed',
  )
  const first = view?.deliveries.get(view.queue[0] ?? '')
  // Alone, with nothing to wait for, it goes at once: no panel comes up for that.
  const goes = idle && open.length === 1 && first !== undefined && first.reason === null
  if (view === undefined || goes) return { queued: [], underWay: open }
  const queued = view.queue.flatMap((id) => view.deliveries.get(id) ?? [])
  const waits = new Set(view.queue)
  return { queued, underWay: open.filter(({ messageId }) => !waits.has(messageId)) }
}

/**
 * The id under which a message is sent once more. It follows from the old one: two people who both decide to send it
 * again, or one who decides twice, send it again once.
 */
export function againId(messageId: string): string {
  const [, base = messageId, count = '1'] = /^(.+)\.again(\d+)$/.exec(messageId) ?? []
  return `${base.slice(0, LONGEST_BASE)}.again${base === messageId ? 1 : Number(count) + 1}`
}

/** Leaves room for the ending within the greatest length of an id. */
const LONGEST_BASE = 85

const WORDS: Readonly<Record<DeliveryState, string>> = {
  queued: 'queued',
  typed: 'typed into the terminal',
  accepted: 'accepted',
  started: 'started',
  completed: 'completed',
  failed: 'not delivered',
}

/** A receipt in words, with what it waits for or why it failed. */
export function receiptText({ state, reason }: Pick<Delivery, 'state' | 'reason'>): string {
  return reason === null ? WORDS[state] : `${WORDS[state]}: ${reason.replace(/^waits: /, 'waits for this: ')}`
}

/** What one of the prompts in the queue waits for; `place` counts from 0. */
export function waitsFor({ reason }: Pick<Delivery, 'reason'>, place: number): string {
  if (reason !== null) return reason
  return place === 0 ? 'goes next' : 'waits for the prompts before it'
}
