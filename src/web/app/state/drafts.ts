/** @module web/state/drafts - what a person is writing, per session; survives a reload of the page. */
import type { ApiFault } from '../net/http.js'

export interface Draft {
  readonly text: string
  /** Id of the message that this text was last tried to be sent as; a change of the text drops it. */
  readonly messageId: string | null
  readonly sending: boolean
  readonly fault: ApiFault | null
}

export const EMPTY_DRAFT: Draft = { text: '', messageId: null, sending: false, fault: null }

const KEY = 'agent-meow:draft:'

/** The kept draft; an empty one when there is none or the storage is closed to us. */
export function loadDraft(storage: Storage, sessionId: string): Draft {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY + sessionId) ?? 'null')
    if (typeof value !== 'object' || value === null) return EMPTY_DRAFT
    const { text, messageId } = value as Record<string, unknown>
    if (typeof text !== 'string') return EMPTY_DRAFT
    return { ...EMPTY_DRAFT, text, messageId: typeof messageId === 'string' ? messageId : null }
  } catch {
    return EMPTY_DRAFT
  }
}

/** Keeps a draft; a storage that is full or closed costs only the reload. */
export function saveDraft(storage: Storage, sessionId: string, { text, messageId }: Draft): void {
  try {
    if (text === '') storage.removeItem(KEY + sessionId)
    else storage.setItem(KEY + sessionId, JSON.stringify({ text, messageId }))
  } catch {
    // Nothing is lost as long as the page stays open.
  }
}
