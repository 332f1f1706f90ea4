/** @module cli/receipts - what becomes of a sent prompt, in words, and when that is enough for the caller. */
import type { Receipt } from '../protocol/commands.js'
import type { DeliveryState, MeowEvent } from '../protocol/events.js'
import { EXIT } from './exits.js'
import { safeLine } from './safe-text.js'

/** Widest reason that is shown whole. */
const REASON = 300
const ORDER: readonly DeliveryState[] = ['queued', 'typed', 'accepted', 'started', 'completed', 'failed']

export const UNDECIDED =
  'it may have arrived: look at the session, then send it again with another id or drop it'

/** `m_1 queued: waits: a turn runs`. */
export function receiptLine({ messageId, state, reason, undecided }: Receipt): string {
  const how = undecided === true ? `${state} (undecided)` : state
  return `${messageId} ${how}${reason === null ? '' : `: ${safeLine(reason, REASON)}`}`
}

export function receiptExit({ state, undecided }: Receipt): number {
  if (state !== 'failed') return EXIT.ok
  return undecided === true ? EXIT.undecided : EXIT.error
}

/** What a person who stops waiting leaves behind, and how to take it back; null when nothing is left. */
export function leftBehind(sessionId: string, receipt: Receipt | null): string | null {
  const stops = `agent-meow interrupt ${sessionId} stops it`
  switch (receipt?.state) {
    case 'queued':
      return `the prompt stays queued; take it out: agent-meow queue rm ${sessionId} ${receipt.messageId}`
    case 'typed':
    case 'accepted':
      return `the prompt is on its way (${receipt.state}); when its turn runs, ${stops}`
    case 'started':
      return `it goes on; ${stops}`
    default:
      return null
  }
}

/** Follows the receipts of one message. */
export class ReceiptWatch {
  /** The newest one; null before the first. */
  newest: Receipt | null = null

  /** @param show is told of each that says something new */
  constructor(
    private readonly messageId: string,
    private readonly show: (receipt: Receipt) => void,
  ) {}

  /** Takes one event; true when it reached `state` or can no longer. */
  take(event: MeowEvent, state: DeliveryState): boolean {
    if (event.type === 'session.ended') return true
    if (event.type !== 'delivery' || event.messageId !== this.messageId) return false
    const { messageId, state: reached, reason, undecided } = event
    this.learn({ messageId, state: reached, reason, ...(undecided === undefined ? {} : { undecided }) })
    return ORDER.indexOf(reached) >= ORDER.indexOf(state)
  }

  learn(receipt: Receipt): void {
    const before = this.newest
    this.newest = receipt
    if (before?.state !== receipt.state || before.reason !== receipt.reason) this.show(receipt)
  }
}
