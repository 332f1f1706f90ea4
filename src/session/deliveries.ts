/** @module session/deliveries - brings prompts to the vendor, each once, in order, and says what became of each. */
import type { Prompt } from '../adapter/index.js'
import { settledWithin } from '../protocol/bounded.js'
import type { EditQueued, QueuedPrompt, Receipt } from '../protocol/commands.js'
import { asMeowError, MeowError } from '../protocol/errors.js'
import type { DeliveryMode, DeliveryState, DurableDraft, EventDraft, MeowEvent } from '../protocol/events.js'
import { Ghosts } from './ghosts.js'
import { type HandOver, type HandOverResult, handOver, restOf, takeBack } from './hand-over.js'
import { MessageQueue, type QueuedMessage } from './message-queue.js'
import { sanitize } from './sanitize.js'

/** Longest wait for the turn of an accepted prompt, in ms; a vendor's own hook may have erased the prompt. */
const START_MS = 30_000
/** Longest that the end of a program waits for what was known of the prompt on its way, in ms. */
const CLOSE_MS = 2000

/** What deliveries need of their session. */
export interface DeliveryHost extends HandOver {
  /** What keeps a turn from starting now, in words; null when nothing does. */
  occupied(): string | null
  /** A turn runs and no dialog is up: a prompt could be brought into it. */
  steerable(): boolean
  /** The open turn. */
  turnId(): string | null
  /** Stops the running turn for a prompt; resolves when that was seen, rejects when it was not. */
  interrupt(): Promise<unknown>
  /** False when the journal refused. */
  record(drafts: readonly EventDraft[]): boolean
  expect(messageId: string, text: string): void
  forget(messageId: string): void
  /** It may still come: but the next prompt of the same text goes before it. */
  doubt(messageId: string): void
  now(): number
}

/** A prompt as it was asked for. */
export interface Outgoing {
  readonly messageId: string
  readonly text: string
  readonly how: DeliveryMode
  /** Absolute paths of files that exist. */
  readonly images: readonly string[]
}

/** The queue of one session and the machine that empties it. */
export class Deliveries {
  readonly queue = new MessageQueue()
  private handing: Promise<unknown> | null = null
  /** Hand-overs begun so far, by message. */
  private readonly attempts = new Map<string, number>()
  /** In the vendor's own queue: accepted, and not yet taken up. */
  private readonly taken = new Map<string, { text: string; timer: NodeJS.Timeout | null }>()
  /** Told when a receipt moves. */
  private moved: () => void = () => undefined
  private paused = false
  private readonly ghosts: Ghosts
  /** Restarted hand-overs: the text stands in the box, and what is left is to send it. */
  private readonly typed = new Set<string>()
  /** The turn that an interrupt was asked for. */
  private stopping: string | null = null

  constructor(private readonly host: DeliveryHost) {
    this.ghosts = new Ghosts(host.adapter.stillInBox)
  }

  /** Queues a prompt; a known id answers with its receipt and queues nothing. */
  send(given: Outgoing): Receipt {
    const { messageId, how, images } = given
    const text = this.held(given.text)
    const known = this.queue.receipt(messageId)
    if (known && this.queue.isSame({ messageId, text })) return known
    if (known) {
      throw new MeowError('conflict', `the message id ${messageId} was used for another text`, {
        hint: 'give every message an id of its own; repeat one only with the same text',
      })
    }
    this.queue.mustHaveRoom()
    // In the journal before anything is typed: after a crash it is known what was on its way.
    this.mustRecord({
      ...delivery({ messageId, state: 'queued', reason: null }),
      text,
      how,
      ...(images.length > 0 ? { images: [...images] } : {}),
    })
    this.queue.add({ messageId, text, how, images, queuedAt: this.host.now() })
    this.tellOrder(messageId)
    this.pump()
    return this.mustReceipt(messageId)
  }

  receipt(messageId: string): Receipt | undefined {
    return this.queue.receipt(messageId)
  }

  list(): QueuedPrompt[] {
    return this.queue.list()
  }

  /** Changes a prompt that waits. */
  edit(messageId: string, change: EditQueued): Receipt {
    const message = this.queue.mustWait(messageId)
    const text = change.text === undefined ? message.text : this.held(change.text)
    const how = change.how ?? message.how
    if (change.before != null) this.queue.mustWait(change.before)
    if (text !== message.text || how !== message.how) {
      this.mustRecord({ ...delivery(this.mustReceipt(messageId)), text, how })
      this.queue.replace({ ...message, text, how })
    }
    if (change.before !== undefined) {
      this.queue.move(messageId, change.before)
      this.host.record([{ type: 'queue', source: 'bridge', order: this.queue.order() }])
    }
    this.pump()
    return this.mustReceipt(messageId)
  }

  /** Takes a prompt that waits out of the queue. */
  withdraw(messageId: string): Receipt {
    const known = this.queue.receipt(messageId)
    if (known?.undecided) {
      this.host.forget(messageId)
      this.move(messageId, 'failed', `${known.reason ?? ''}; dropped by a person`)
      return this.mustReceipt(messageId)
    }
    this.queue.mustWait(messageId)
    const reason = 'withdrawn before it was sent'
    // In the journal first: a restart would send it.
    this.mustRecord(delivery({ messageId, state: 'failed', reason }))
    this.queue.take(messageId)
    this.queue.settle(messageId, 'failed', reason)
    this.pump()
    return this.mustReceipt(messageId)
  }

  /** A prompt is being typed, or accepted and its turn not begun. */
  get underWay(): boolean {
    return this.handing !== null || this.taken.size > 0
  }

  /** How many prompts wait. */
  get waiting(): number {
    return this.queue.length
  }

  /** Nothing is handed over until the work is done: what a restart has to find out comes first. */
  pause(): void {
    this.paused = true
  }

  resume(): void {
    this.paused = false
    this.pump()
  }

  /** Something changed that a waiting prompt may have waited for. */
  pump(): void {
    if (this.handing || this.paused || this.host.signal.aborted) return
    const ghost = this.ghosts.inBox(this.host.io.watch.reading)
    if (ghost) {
      this.busyWith(this.takeBack(ghost))
      return
    }
    const next = this.next()
    if (!next) return
    const failed = (error: unknown) => this.fail(next.message, asMeowError(error).detail)
    this.busyWith(this.deliver(next.message, next.steer).catch(failed))
  }

  private busyWith(work: Promise<unknown>): void {
    this.handing = work.then(() => {
      this.handing = null
      this.pump()
    })
  }

  /** Receipts follow what was told of the message's item and turn. */
  follow(events: readonly MeowEvent[]): void {
    for (const event of events) {
      if (event.type === 'item.completed' && event.item.kind === 'user_message' && event.item.messageId) {
        const { messageId } = event.item
        this.begun(messageId)
        // The item proves what came before it too, and may come before the script has looked.
        for (const state of ['typed', 'accepted', 'started'] as const) this.move(messageId, state, null)
      } else if (event.type === 'turn.completed') {
        const failed = event.outcome === 'failed'
        const reason = event.outcome === 'completed' ? null : (event.detail ?? event.outcome)
        for (const id of this.queue.unsettled()) {
          if (this.queue.receipt(id)?.state === 'started')
            this.move(id, failed ? 'failed' : 'completed', reason)
        }
        // What the vendor holds in its own queue begins now, if it ever does.
        for (const id of this.taken.keys()) this.bound(id)
      }
    }
  }

  /** The vendor gave a prompt of its own queue back unsent. */
  returned(given: { readonly text: string; readonly messageId?: string }): void {
    for (const [id, one] of this.taken) {
      const isIt = given.messageId ? id === given.messageId : one.text.trim() === given.text.trim()
      if (!isIt) continue
      this.begun(id)
      this.host.forget(id)
      this.move(id, 'failed', 'the turn was stopped before the vendor took it up; it was not run')
      return
    }
  }

  /** Sends one that was typed before a restart and stands in the box; nothing is typed again. */
  sendTyped(message: QueuedMessage): void {
    this.typed.add(message.messageId)
    this.queue.putBack(message)
  }

  /** Puts one that was on its way, and did not arrive, back to the head of the queue. */
  putBack(message: QueuedMessage): void {
    this.queue.reopen(message.messageId)
    this.queue.putBack(message)
    this.host.record([delivery(this.mustReceipt(message.messageId))])
    this.tellOrder(message.messageId)
  }

  /** The vendor has it in its own queue: it is waited for as long as the turn runs, and a bounded time after. */
  heldByVendor(messageId: string, text: string, turnRuns: boolean): void {
    this.taken.set(messageId, { text, timer: null })
    if (!turnRuns) this.bound(messageId)
  }

  /** The receipt moves on, where it says something new. */
  move(messageId: string, state: DeliveryState, reason: string | null, undecided = false): void {
    const receipt = this.queue.settle(messageId, state, reason, undecided)
    if (!receipt) return
    if (state === 'completed' || state === 'failed') this.attempts.delete(messageId)
    this.host.record([delivery(receipt)])
    this.moved()
  }

  /** The vendor's program ended: what is not settled never will be. */
  async close(): Promise<void> {
    if (this.handing) await settledWithin(this.handing, CLOSE_MS)
    for (const id of this.taken.keys()) this.begun(id)
    for (const id of this.queue.unsettled()) {
      const state = this.queue.receipt(id)?.state
      const how = state === 'queued' ? 'was not sent' : `was ${state} and its end was not seen`
      this.move(id, 'failed', `the vendor's program ended; the prompt ${how}`)
    }
  }

  /** What can be handed over at this moment, and how; the receipt at the head says what it waits for. */
  private next(): { message: QueuedMessage; steer: boolean } | null {
    const head = this.queue.peek()
    if (!head) return null
    const { adapter } = this.host
    const occupied = this.host.occupied()
    if (this.typed.has(head.messageId)) return this.nextTyped(head, occupied)
    const waitsFor =
      occupied ?? (this.taken.size > 0 ? 'the vendor has a prompt in its own queue' : null) ?? this.refusal()
    if (waitsFor === null) return { message: head, steer: false }
    const steer = this.host.steerable() ? this.queue.firstSteer() : undefined
    if (steer && adapter.steer) {
      const refusal = this.refusal()
      if (refusal === null) return { message: steer, steer: true }
      this.move(steer.messageId, 'queued', `waits: ${refusal}`)
      if (steer === head) return null
    }
    this.makeRoom(head)
    const none = steer && !adapter.steer ? `; ${adapter.vendor.name} has no way into a running turn` : ''
    this.move(head.messageId, 'queued', `waits: ${waitsFor}${none}`)
    return null
  }

  /** One whose text stands in the box since before a restart: nothing else can be typed before it is sent. */
  private nextTyped(
    head: QueuedMessage,
    occupied: string | null,
  ): { message: QueuedMessage; steer: boolean } | null {
    const { adapter, io } = this.host
    // A dialog hides the box; a turn that runs takes a steered prompt.
    if (io.watch.reading?.dialog) return null
    if (!this.stands(head)) {
      this.typed.delete(head.messageId)
      this.queue.take(head.messageId)
      this.doubt(head.messageId, 'its text is no more in the prompt box')
      return this.next()
    }
    if (occupied === null) return { message: head, steer: false }
    const steer = head.how === 'steer' && adapter.steer !== undefined && this.host.steerable()
    return steer ? { message: head, steer } : null
  }

  private refusal(): string | null {
    const admission = this.host.adapter.admits(this.host.io.watch.reading)
    return admission.ok ? null : admission.reason
  }

  /** Our own text out of the prompt box; false when it was not seen to go. */
  async takeBack(prompt: Prompt): Promise<boolean> {
    return this.host.adapter.withdraw !== undefined && (await takeBack(this.host, prompt)) === ''
  }

  private async deliver(message: QueuedMessage, steer: boolean): Promise<void> {
    const { messageId, text, images } = message
    const { adapter } = this.host
    const prompt: Prompt = { messageId, text, images }
    const script = (steer ? adapter.steer?.(prompt) : undefined) ?? adapter.deliver(prompt)
    const steps = this.typed.has(messageId) ? restOf(script) : script
    const result = await handOver(
      this.host,
      prompt,
      steps,
      () => this.admit(message, steer),
      (state) => this.move(messageId, state, null),
    )
    if (result.how === 'refused') return
    this.typed.delete(messageId)
    if (result.how !== 'accepted') return this.handOverFailed(message, result)
    if (this.isSettled(messageId)) return
    if (steer) return this.heldByVendor(messageId, text, this.host.turnId() !== null)
    if ((await this.started(messageId)) || this.host.signal.aborted) return
    this.doubt(messageId, `accepted, but no turn began with it within ${START_MS / 1000} s`)
  }

  /** Looked at again when the hands are free: whoever had them may have changed everything. */
  private admit(message: QueuedMessage, steer: boolean): boolean {
    const now = this.next()
    if (now?.message.messageId !== message.messageId || now.steer !== steer || now.message !== message)
      return false
    const { messageId } = message
    const attempt = (this.attempts.get(messageId) ?? 0) + 1
    // Before the first key: after a crash it must be known that some of it may have been typed.
    // One that was typed before a restart stays typed: Enter may have been pressed, so it is never typed again.
    const state = this.typed.has(messageId) ? 'typed' : 'queued'
    this.mustRecord({ ...delivery({ messageId, state, reason: 'is being handed over' }), attempt })
    this.attempts.set(messageId, attempt)
    this.queue.take(messageId)
    this.host.expect(messageId, message.text)
    return true
  }

  private handOverFailed(
    message: QueuedMessage,
    result: Extract<HandOverResult, { how: 'failed' | 'undecided' }>,
  ): void {
    this.haunt(message)
    if (result.how === 'failed') this.fail(message, result.reason)
    // Should it turn up after all, the receipt will say so.
    else this.doubt(message.messageId, result.reason)
  }

  /** Remembers a prompt whose text may stand in the box, or come there late. */
  haunt(prompt: Prompt): void {
    this.ghosts.add(prompt)
  }

  private stands(prompt: Prompt): boolean {
    const { adapter, io } = this.host
    return adapter.stillInBox?.(prompt, io.watch.reading) ?? false
  }

  /** Nobody knows what became of it. */
  doubt(messageId: string, reason: string): void {
    this.host.doubt(messageId)
    this.move(messageId, 'failed', reason, true)
  }

  private fail({ messageId }: QueuedMessage, reason: string): void {
    // The conversation has it: a script that did not see that is no proof.
    if (this.queue.receipt(messageId)?.state === 'started') return
    this.queue.take(messageId)
    this.host.forget(messageId)
    this.move(messageId, 'failed', reason)
  }

  private isSettled(messageId: string): boolean {
    const state = this.queue.receipt(messageId)?.state
    return state === 'started' || state === 'completed' || state === 'failed'
  }

  /** Resolves true when the prompt's turn began, or its receipt is final; false when that took too long. */
  private async started(messageId: string): Promise<boolean> {
    if (this.isSettled(messageId)) return true
    const { signal } = this.host
    return await new Promise<boolean>((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        this.moved = () => undefined
        signal.removeEventListener('abort', finish)
        resolve(this.isSettled(messageId))
      }
      const timer = setTimeout(finish, START_MS)
      this.moved = () => this.isSettled(messageId) && finish()
      signal.addEventListener('abort', finish, { once: true })
      if (signal.aborted) finish()
    })
  }

  /** From now on the vendor has a bounded time to take up what stands in its queue. */
  private bound(messageId: string): void {
    const one = this.taken.get(messageId)
    if (!one || one.timer) return
    one.timer = setTimeout(() => {
      this.taken.delete(messageId)
      this.doubt(messageId, `the vendor took it, and began no turn with it within ${START_MS / 1000} s`)
      this.pump()
    }, START_MS)
  }

  private begun(messageId: string): void {
    clearTimeout(this.taken.get(messageId)?.timer ?? undefined)
    this.taken.delete(messageId)
  }

  /** Stops the turn that an `interrupt` prompt waits for: asked once a turn. */
  private makeRoom({ messageId, how }: QueuedMessage): void {
    const turnId = this.host.turnId()
    if (how !== 'interrupt' || turnId === null || turnId === this.stopping) return
    this.stopping = turnId
    this.host.interrupt().then(
      () => this.pump(),
      (error: unknown) => {
        const why = `waits: the turn that runs could not be stopped: ${asMeowError(error).detail}`
        this.move(messageId, 'queued', why)
      },
    )
  }

  /** Journals the order where it is not that of arrival. */
  private tellOrder(newest: string): void {
    const order = this.queue.order()
    if (order.length > 1 && order.at(-1) !== newest)
      this.host.record([{ type: 'queue', source: 'bridge', order }])
  }

  /** The text as it may be typed and as the vendor will hold it. */
  private held(given: string): string {
    const clean = sanitize(given)
    if (clean.trim() === '') throw new MeowError('invalid_argument', 'the prompt has no visible text')
    return this.host.adapter.held?.(clean) ?? clean
  }

  private mustReceipt(messageId: string): Receipt {
    const receipt = this.queue.receipt(messageId)
    if (!receipt) throw new MeowError('not_found', `there is no message ${messageId}`)
    return receipt
  }

  private mustRecord(draft: DurableDraft): void {
    if (this.host.record([draft])) return
    throw new MeowError('state_unwritable', 'the prompt could not be journalled and was not sent', {
      retryable: true,
      hint: 'look at the space and the rights of the state folder',
    })
  }
}

function delivery(receipt: Receipt): Extract<DurableDraft, { type: 'delivery' }> {
  return { type: 'delivery', source: 'bridge', ...receipt }
}
