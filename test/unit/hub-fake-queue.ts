/** @module test/unit/hub-fake-queue - prompts of a fake session: they wait until the test says what becomes of them. */
import type { EditQueued, QueuedPrompt, Receipt, SendMessageInput } from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import type { DeliveryState, DurableDraft } from '../../src/protocol/events.js'

const FINAL: readonly DeliveryState[] = ['completed', 'failed']

export class FakeQueue {
  readonly #waiting: QueuedPrompt[] = []
  readonly #receipts = new Map<string, Receipt>()
  readonly #record: (draft: DurableDraft) => void

  constructor(record: (draft: DurableDraft) => void) {
    this.#record = record
  }

  send(message: SendMessageInput): Receipt {
    const messageId = message.messageId ?? `m_${this.#receipts.size + 1}`
    const known = this.#receipts.get(messageId)
    if (known !== undefined) return known
    const { text, how = 'queue', images = [] } = message
    this.#waiting.push({ messageId, text, how, images: images.length, reason: null, queuedAt: 1 })
    return this.#settle({ messageId, state: 'queued', reason: null }, { text, how })
  }

  receipt(messageId: string): Receipt | undefined {
    return this.#receipts.get(messageId)
  }

  list(): QueuedPrompt[] {
    return this.#waiting.map((one) => ({ ...one }))
  }

  edit(messageId: string, change: EditQueued): Receipt {
    const one = this.#mustWait(messageId)
    if (change.before !== undefined && change.before !== messageId) {
      const next = change.before === null ? null : this.#mustWait(change.before)
      this.#take(one)
      this.#waiting.splice(next === null ? this.#waiting.length : this.#waiting.indexOf(next), 0, one)
      this.#record({ type: 'queue', source: 'bridge', order: this.#waiting.map((w) => w.messageId) })
    }
    const { text = one.text, how = one.how } = change
    const receipt = this.#receipts.get(messageId) ?? { messageId, state: 'queued', reason: null }
    if (text === one.text && how === one.how) return receipt
    one.text = text
    one.how = how
    return this.#settle(receipt, { text, how })
  }

  withdraw(messageId: string): Receipt {
    this.#take(this.#mustWait(messageId))
    return this.#settle({ messageId, state: 'failed', reason: 'withdrawn before it was sent' })
  }

  /** What the vendor made of it: anything but `queued` takes it out of the queue. */
  becomes(messageId: string, state: DeliveryState, rest: Partial<Receipt> = {}): void {
    const one = this.#waiting.find((waits) => waits.messageId === messageId)
    if (one !== undefined && state === 'queued') one.reason = rest.reason ?? null
    else if (one !== undefined) this.#take(one)
    this.#settle({ messageId, state, reason: null, ...rest })
  }

  /** The program is gone: what is not settled never will be. */
  close(): void {
    for (const { messageId, state } of this.#receipts.values()) {
      if (!FINAL.includes(state)) this.becomes(messageId, 'failed', { reason: 'the program ended' })
    }
  }

  #mustWait(messageId: string): QueuedPrompt {
    const one = this.#waiting.find((waits) => waits.messageId === messageId)
    if (one !== undefined) return one
    const state = this.#receipts.get(messageId)?.state
    if (state === undefined) throw new MeowError('not_found', `there is no message ${messageId}`)
    throw new MeowError('conflict', `the message does not wait any more: it is ${state}`)
  }

  #take(one: QueuedPrompt): void {
    this.#waiting.splice(this.#waiting.indexOf(one), 1)
  }

  #settle(receipt: Receipt, more: { text?: string; how?: QueuedPrompt['how'] } = {}): Receipt {
    this.#receipts.set(receipt.messageId, receipt)
    this.#record({ type: 'delivery', source: 'bridge', ...receipt, ...more })
    return receipt
  }
}
