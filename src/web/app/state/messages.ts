/** @module web/state/messages - drafts and the messages sent from them. */
import { type ImageInput, MAX_IMAGES, type SendMessageInput } from '../../../protocol/commands.js'
import type { DeliveryMode } from '../../../protocol/events.js'
import { tooManyImages } from '../model/images.js'
import { againId, type SentMessage } from '../model/receipts.js'
import type { Conversation, Delivery } from '../model/view.js'
import { asFault, hub } from '../net/http.js'
import type { AppState } from './app-state.js'
import { type Draft, EMPTY_DRAFT, loadDraft, saveDraft } from './drafts.js'
import { readImages } from './image-files.js'
import { newMessageId, sendMessage } from './send.js'
import type { Store } from './store.js'

/** A message as the hub is asked to take it; its id is made here, so that a repeated post is known as one. */
type Post = SendMessageInput & { readonly messageId: string; readonly how: DeliveryMode }

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
    const { images, reading, imageNote } = this.draft(sessionId)
    this.#put(sessionId, { ...EMPTY_DRAFT, text, images, reading, imageNote })
  }

  /** Brings a text back into the composer, after what stands there. */
  putBack(sessionId: string, text: string): void {
    const { text: present, sending } = this.draft(sessionId)
    if (!sending) this.edit(sessionId, present === '' ? text : `${present}\n${text}`)
  }

  /** A person pasted, dropped or chose files. */
  async addImages(sessionId: string, files: readonly File[]): Promise<void> {
    const before = this.draft(sessionId)
    if (before.sending) return
    this.#put(sessionId, { ...before, reading: before.reading + 1 })
    const { images, refused } = await readImages(files, before.images.length)
    // Reading took its time: the draft may be another one by now, and have other images.
    const now = this.draft(sessionId)
    const all = [...now.images, ...images]
    const over = all.length > MAX_IMAGES ? [tooManyImages(all.length - MAX_IMAGES)] : []
    const said = [...refused, ...over]
    // With nothing new it is the same message, which may have been tried already.
    const base = images.length === 0 ? now : { ...EMPTY_DRAFT, text: now.text }
    this.#put(sessionId, {
      ...base,
      images: all.slice(0, MAX_IMAGES),
      reading: Math.max(0, now.reading - 1),
      imageNote: said.length > 0 ? said.join(' ') : null,
    })
  }

  removeImage(sessionId: string, imageId: string): void {
    const { text, images, reading, sending } = this.draft(sessionId)
    if (sending) return
    const rest = images.filter(({ id }) => id !== imageId)
    this.#put(sessionId, { ...EMPTY_DRAFT, text, reading, images: rest })
  }

  /** Sends the draft. It leaves the composer only when the hub has it. */
  async send(sessionId: string, how: DeliveryMode): Promise<void> {
    const draft = this.draft(sessionId)
    if (draft.sending || draft.reading > 0 || draft.text.trim() === '') return
    const { text, images } = draft
    // What was tried before keeps its id: it is not sent twice.
    const messageId = draft.messageId ?? newMessageId(crypto)
    this.#put(sessionId, { ...EMPTY_DRAFT, text, images, messageId, sending: true })
    const current = () => this.draft(sessionId).messageId === messageId
    try {
      const attached = images.map(({ mime, base64 }): ImageInput => ({ mime, base64 }))
      const message = { text, messageId, how, ...(attached.length === 0 ? {} : { images: attached }) }
      await this.#post(sessionId, message, () => !current())
      if (current()) this.#put(sessionId, EMPTY_DRAFT)
    } catch (thrown) {
      if (!current()) return
      const fault = asFault(thrown)
      // Refused means not taken: the next attempt is a new message. Without an answer it may have been taken.
      const kept = fault.code === 'network' ? messageId : null
      this.#put(sessionId, { ...EMPTY_DRAFT, text, images, messageId: kept, fault })
    }
  }

  /** Sends a message of which it is not known whether it arrived once more, as a new one. */
  async again(sessionId: string, lost: Delivery): Promise<void> {
    if (lost.text === null) return
    const messageId = againId(lost.messageId)
    const images = lost.images.map((path): ImageInput => ({ path }))
    const attached = images.length === 0 ? {} : { images }
    await this.#post(sessionId, { text: lost.text, messageId, how: lost.how, ...attached }, () =>
      this.#told(sessionId, messageId),
    )
  }

  /** Events came: a draft whose message they tell of has arrived, whatever became of its call. */
  heard(view: Conversation): void {
    const { messageId } = this.draft(view.sessionId)
    if (messageId !== null && view.deliveries.has(messageId)) this.#put(view.sessionId, EMPTY_DRAFT)
    const sent = this.#store.get().sent.get(view.sessionId) ?? []
    const untold = sent.filter((message) => !view.deliveries.has(message.messageId))
    if (untold.length < sent.length) this.#putSent(view.sessionId, untold)
  }

  async #post(sessionId: string, message: Post, arrived: () => boolean): Promise<void> {
    const receipt = await sendMessage({
      post: () => hub.send(sessionId, message),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      random: () => Math.random(),
      arrived,
    })
    if (receipt === null || this.#told(sessionId, message.messageId)) return
    const sent: SentMessage = { ...receipt, text: message.text, how: message.how }
    this.#putSent(sessionId, [...(this.#store.get().sent.get(sessionId) ?? []), sent])
  }

  #told(sessionId: string, messageId: string): boolean {
    return this.#store.get().views.get(sessionId)?.deliveries.has(messageId) === true
  }

  #putSent(sessionId: string, messages: readonly SentMessage[]): void {
    this.#store.set({ sent: new Map(this.#store.get().sent).set(sessionId, messages) })
  }

  #put(sessionId: string, draft: Draft): void {
    saveDraft(sessionStorage, sessionId, draft)
    this.#store.setNow({ drafts: new Map(this.#store.get().drafts).set(sessionId, draft) })
  }
}
