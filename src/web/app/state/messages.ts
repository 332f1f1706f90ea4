/** @module web/state/messages - drafts and the messages sent from them. */
import type { SentMessage } from '../model/receipts.js'
import type { Conversation } from '../model/view.js'
import { asFault, hub } from '../net/http.js'
import type { AppState } from './app-state.js'
import { type Draft, EMPTY_DRAFT, loadDraft, saveDraft } from './drafts.js'
import { newMessageId, sendMessage } from './send.js'
import type { Store } from './store.js'

export class Messages {
  readonly #store: Store<AppState>

  constructor(store: Store<AppState>) {
    this.#store = store
  }

  draft(sessionId: string): Draft {
    return this.#store.get().drafts.get(sessionId) ?? EMPTY_DRAFT
  }

  /** Brings back what was kept over a reload. */
  load(sessionId: string): void {
    if (this.#store.get().drafts.has(sessionId)) return
    this.#put(sessionId, loadDraft(sessionStorage, sessionId))
  }

  /** A person typed. */
  edit(sessionId: string, text: string): void {
    this.#put(sessionId, { ...EMPTY_DRAFT, text })
  }

  /** Brings a text back into the composer, after what stands there. */
  putBack(sessionId: string, text: string): void {
    const { text: present, sending } = this.draft(sessionId)
    if (!sending) this.edit(sessionId, present === '' ? text : `${present}\n${text}`)
  }

  /** Sends the draft. It leaves the composer only when the hub has it. */
  async send(sessionId: string): Promise<void> {
    const draft = this.draft(sessionId)
    if (draft.sending || draft.text.trim() === '') return
    const { text } = draft
    // The same text that was tried before keeps its id: it is not sent twice.
    const messageId = draft.messageId ?? newMessageId(crypto)
    this.#put(sessionId, { text, messageId, sending: true, fault: null })
    try {
      const receipt = await sendMessage({
        post: () => hub.send(sessionId, text, messageId),
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        random: () => Math.random(),
        arrived: () => this.draft(sessionId).messageId !== messageId,
      })
      if (receipt !== null) this.#sent(sessionId, { ...receipt, text })
      if (this.draft(sessionId).messageId === messageId) this.#put(sessionId, EMPTY_DRAFT)
    } catch (thrown) {
      if (this.draft(sessionId).messageId !== messageId) return
      const fault = asFault(thrown)
      // Refused means not taken: the next attempt is a new message. Without an answer it may have been taken.
      const kept = fault.code === 'network' ? messageId : null
      this.#put(sessionId, { text, messageId: kept, sending: false, fault })
    }
  }

  /** Events came: a draft whose message they tell of has arrived, whatever became of its call. */
  heard(view: Conversation): void {
    const { messageId } = this.draft(view.sessionId)
    if (messageId !== null && view.deliveries.has(messageId)) this.#put(view.sessionId, EMPTY_DRAFT)
    const sent = this.#store.get().sent.get(view.sessionId) ?? []
    const untold = sent.filter((message) => !view.deliveries.has(message.messageId))
    if (untold.length < sent.length) this.#putSent(view.sessionId, untold)
  }

  #sent(sessionId: string, message: SentMessage): void {
    if (this.#store.get().views.get(sessionId)?.deliveries.has(message.messageId) === true) return
    this.#putSent(sessionId, [...(this.#store.get().sent.get(sessionId) ?? []), message])
  }

  #putSent(sessionId: string, messages: readonly SentMessage[]): void {
    this.#store.set({ sent: new Map(this.#store.get().sent).set(sessionId, messages) })
  }

  #put(sessionId: string, draft: Draft): void {
    saveDraft(sessionStorage, sessionId, draft)
    this.#store.setNow({ drafts: new Map(this.#store.get().drafts).set(sessionId, draft) })
  }
}
