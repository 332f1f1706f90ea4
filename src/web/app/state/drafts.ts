/** @module web/state/drafts - what a person is writing, per session; its text survives a reload of the page. */
import type { ImageMime } from '../model/images.js'
import type { ApiFault } from '../net/http.js'

/** An image that goes with the message. */
export interface DraftImage {
  /** Names it in this page. */
  readonly id: string
  readonly name: string
  readonly mime: ImageMime
  readonly base64: string
  /** A small picture of it as a `data:` URL. */
  readonly thumbnail: string
}

export interface Draft {
  readonly text: string
  readonly images: readonly DraftImage[]
  /** Batches of files that are still being read: nothing is sent without them. */
  readonly reading: number
  /** What went wrong with images, for the person; null when nothing did. */
  readonly imageNote: string | null
  /** Id of the message that this was last tried to be sent as; a change of text or images drops it. */
  readonly messageId: string | null
  readonly sending: boolean
  readonly fault: ApiFault | null
}

export const EMPTY_DRAFT: Draft = {
  text: '',
  images: [],
  reading: 0,
  imageNote: null,
  messageId: null,
  sending: false,
  fault: null,
}

const KEY = 'agent-meow:draft:'

/** The kept draft; an empty one when there is none or the storage is closed to us. */
export function loadDraft(storage: Storage, sessionId: string): Draft {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY + sessionId) ?? 'null')
    if (typeof value !== 'object' || value === null) return EMPTY_DRAFT
    const { text, messageId, images } = value as Record<string, unknown>
    if (typeof text !== 'string') return EMPTY_DRAFT
    return {
      ...EMPTY_DRAFT,
      text,
      messageId: typeof messageId === 'string' ? messageId : null,
      imageNote: typeof images === 'number' && images > 0 ? lostImages(images) : null,
    }
  } catch {
    return EMPTY_DRAFT
  }
}

/** Keeps a draft, without its images; a storage that is full or closed costs only the reload. */
export function saveDraft(storage: Storage, sessionId: string, { text, messageId, images }: Draft): void {
  try {
    if (text === '' && images.length === 0) storage.removeItem(KEY + sessionId)
    else storage.setItem(KEY + sessionId, JSON.stringify({ text, messageId, images: images.length }))
  } catch {
    // Nothing is lost as long as the page stays open.
  }
}

function lostImages(count: number): string {
  return count === 1
    ? 'The image was not kept over the reload: add it again.'
    : `${count} images were not kept over the reload: add them again.`
}
