/** @module session/message-queue - prompts waiting for the vendor, and the receipt of each. */
import { createHash } from 'node:crypto'
import type { Receipt } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import type { DeliveryState } from '../protocol/events.js'

/** Most prompts that can wait in one session. */
export const MAX_QUEUED = 1000
/** How many settled receipts are remembered for repeated ids. */
const MAX_REMEMBERED = 5000

export interface QueuedMessage {
  readonly messageId: string
  readonly text: string
}

/** `completed` and `failed` are final. */
const ORDER: readonly DeliveryState[] = ['queued', 'typed', 'accepted', 'started', 'completed', 'failed']

/** First in, first out; a message's receipt only moves on. */
export class MessageQueue {
  private readonly waiting: QueuedMessage[] = []
  private readonly receipts = new Map<string, Receipt>()
  /** What each remembered message says, as a hash. */
  private readonly hashes = new Map<string, string>()

  /** False when the id is known already: nothing is queued again. */
  add(message: QueuedMessage): boolean {
    if (this.receipts.has(message.messageId)) return false
    this.mustHaveRoom()
    this.waiting.push(message)
    this.receipts.set(message.messageId, { messageId: message.messageId, state: 'queued', reason: null })
    this.hashes.set(message.messageId, hash(message.text))
    this.forgetOldest()
    return true
  }

  get length(): number {
    return this.waiting.length
  }

  /** Whether a known message said the same. */
  isSame(messageId: string, text: string): boolean {
    return this.hashes.get(messageId) === hash(text)
  }

  /** Throws when so many wait that one more is refused. */
  mustHaveRoom(): void {
    if (this.waiting.length < MAX_QUEUED) return
    throw new MeowError('conflict', `${MAX_QUEUED} prompts are waiting already`, {
      retryable: true,
      hint: 'send it again when some of them have been answered',
    })
  }

  /** The message at the head, left in place. */
  peek(): QueuedMessage | undefined {
    return this.waiting[0]
  }

  /** Takes the head off. */
  shift(): QueuedMessage | undefined {
    return this.waiting.shift()
  }

  /** Ids whose receipt is not final, in the order of sending. */
  unsettled(): string[] {
    const ids: string[] = []
    for (const r of this.receipts.values())
      if (r.state !== 'completed' && r.state !== 'failed') ids.push(r.messageId)
    return ids
  }

  receipt(messageId: string): Receipt | undefined {
    return this.receipts.get(messageId)
  }

  /** The new receipt, or null when it says nothing new or would go back. */
  move(messageId: string, state: DeliveryState, reason: string | null): Receipt | null {
    const old = this.receipts.get(messageId)
    if (!old || old.state === 'completed' || old.state === 'failed') return null
    if (old.state === state && old.reason === reason) return null
    if (ORDER.indexOf(state) < ORDER.indexOf(old.state)) return null
    const receipt: Receipt = { messageId, state, reason }
    this.receipts.set(messageId, receipt)
    return receipt
  }

  private forgetOldest(): void {
    if (this.receipts.size <= MAX_REMEMBERED) return
    for (const [id, r] of this.receipts) {
      if (r.state === 'completed' || r.state === 'failed') {
        this.receipts.delete(id)
        this.hashes.delete(id)
        return
      }
    }
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('base64')
