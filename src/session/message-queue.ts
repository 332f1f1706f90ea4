/** @module session/message-queue - prompts waiting for the vendor, in order, and the receipt of each. */
import { createHash } from 'node:crypto'
import type { QueuedPrompt, Receipt } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import type { DeliveryMode, DeliveryState } from '../protocol/events.js'

/** Most prompts that can wait in one session. */
export const MAX_QUEUED = 1000
/** How many settled receipts are remembered for repeated ids. */
const MAX_REMEMBERED = 5000

export interface QueuedMessage {
  readonly messageId: string
  readonly text: string
  readonly how: DeliveryMode
  /** Absolute paths. */
  readonly images: readonly string[]
  /** Milliseconds since the epoch. */
  readonly queuedAt: number
}

/** `completed` and `failed` are final; only a failure that was not decided may yet become what really happened. */
const ORDER: readonly DeliveryState[] = ['queued', 'typed', 'accepted', 'started', 'completed', 'failed']
/** What was not decided may become started, completed, or dropped. */
const LAST_GUESS = ORDER.indexOf('accepted')
/** Who goes first: what is for now stands before what can wait. */
const RANK: Readonly<Record<DeliveryMode, number>> = { interrupt: 0, steer: 1, queue: 2 }

/** First in, first out within each way; a message's receipt only moves on. */
export class MessageQueue {
  private readonly waiting: QueuedMessage[] = []
  private readonly receipts = new Map<string, Receipt>()
  /** What each remembered message says, as a hash. */
  private readonly hashes = new Map<string, string>()

  /** False when the id is known already: nothing is queued again. */
  add(message: QueuedMessage): boolean {
    if (this.receipts.has(message.messageId)) return false
    this.mustHaveRoom()
    this.insert(message)
    this.remember(message, { messageId: message.messageId, state: 'queued', reason: null })
    return true
  }

  /** A message of an earlier run of the bridge, with what was known of it. */
  restore(message: QueuedMessage, receipt: Receipt, waits: boolean): void {
    if (waits) this.waiting.push(message)
    this.remember(message, receipt)
  }

  /** Puts one that was on its way back to the head. */
  putBack(message: QueuedMessage): void {
    this.waiting.unshift(message)
  }

  get length(): number {
    return this.waiting.length
  }

  /** Whether a known message said the same. */
  isSame(message: Pick<QueuedMessage, 'messageId' | 'text'>): boolean {
    return this.hashes.get(message.messageId) === hash(message.text)
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

  /** The first that is for the running turn, left in place. */
  firstSteer(): QueuedMessage | undefined {
    return this.waiting.find((message) => message.how === 'steer')
  }

  /** One that waits; `not_found` where the id is unknown, `conflict` where it does not wait any more. */
  mustWait(messageId: string): QueuedMessage {
    const message = this.waiting.find((one) => one.messageId === messageId)
    if (message) return message
    const receipt = this.receipts.get(messageId)
    if (!receipt) throw new MeowError('not_found', `there is no message ${messageId}`)
    throw new MeowError('conflict', `the message does not wait any more: it is ${receipt.state}`, {
      hint: 'a prompt can be changed as long as it is queued; an interrupt stops a turn that runs',
    })
  }

  /** Puts a changed message in the place of the one that waits; in its rank's place where its way is another. */
  replace(message: QueuedMessage): void {
    const at = this.waiting.findIndex((one) => one.messageId === message.messageId)
    const old = this.waiting[at]
    if (!old) return
    this.waiting[at] = message
    if (old.how !== message.how) {
      this.waiting.splice(at, 1)
      this.insert(message)
    }
    this.hashes.set(message.messageId, hash(message.text))
  }

  /** Moves one that waits before another that waits; null: to the end. */
  move(messageId: string, before: string | null): void {
    const message = this.mustWait(messageId)
    if (before === messageId) return
    const next = before === null ? null : this.mustWait(before)
    this.take(messageId)
    this.waiting.splice(next ? this.waiting.indexOf(next) : this.waiting.length, 0, message)
  }

  /** Puts what waits into this order; what it does not name stays behind. */
  reorder(order: readonly string[]): void {
    const place = (m: QueuedMessage) => {
      const at = order.indexOf(m.messageId)
      return at < 0 ? order.length : at
    }
    this.waiting.sort((a, b) => place(a) - place(b))
  }

  /** Takes one out of the queue. */
  take(messageId: string): void {
    const at = this.waiting.findIndex((one) => one.messageId === messageId)
    if (at >= 0) this.waiting.splice(at, 1)
  }

  /** One that was on its way, and that was taken back, waits again: the only way back that there is. */
  reopen(messageId: string): void {
    this.receipts.set(messageId, { messageId, state: 'queued', reason: 'was taken back after a restart' })
  }

  order(): string[] {
    return this.waiting.map((message) => message.messageId)
  }

  list(): QueuedPrompt[] {
    return this.waiting.map(({ messageId, text, how, images, queuedAt }) => ({
      messageId,
      text,
      how,
      images: images.length,
      reason: this.receipts.get(messageId)?.reason ?? null,
      queuedAt,
    }))
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
  settle(messageId: string, state: DeliveryState, reason: string | null, undecided = false): Receipt | null {
    const old = this.receipts.get(messageId)
    if (!old || old.state === 'completed') return null
    if (old.state === 'failed' && !(old.undecided && !undecided && ORDER.indexOf(state) > LAST_GUESS))
      return null
    if (old.state === state && old.reason === reason) return null
    if (old.state !== 'failed' && ORDER.indexOf(state) < ORDER.indexOf(old.state)) return null
    const receipt: Receipt = { messageId, state, reason, ...(undecided ? { undecided } : {}) }
    this.receipts.set(messageId, receipt)
    return receipt
  }

  private insert(message: QueuedMessage): void {
    const at = this.waiting.findIndex((other) => RANK[other.how] > RANK[message.how])
    this.waiting.splice(at < 0 ? this.waiting.length : at, 0, message)
  }

  private remember(message: QueuedMessage, receipt: Receipt): void {
    this.receipts.set(message.messageId, receipt)
    this.hashes.set(message.messageId, hash(message.text))
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
