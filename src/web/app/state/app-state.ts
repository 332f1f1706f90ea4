/** @module web/state/app-state - everything the page knows. */
import type { RecordingInfo } from '../../../protocol/session.js'
import type { SentMessage } from '../model/receipts.js'
import type { SessionMap } from '../model/sessions.js'
import type { Conversation } from '../model/view.js'
import type { ApiFault } from '../net/http.js'
import type { Connection } from '../net/socket.js'
import type { Draft } from './drafts.js'
import type { RecordingPlace } from './route.js'

export type Access =
  /** Asking the hub whether it knows this browser. */
  | { readonly kind: 'checking' }
  | { readonly kind: 'unpaired'; readonly fault: ApiFault | null }
  /** No answer at all. */
  | { readonly kind: 'unreachable'; readonly fault: ApiFault }
  | { readonly kind: 'paired' }

/** A line above the page that stays until it is dismissed. */
export interface Banner {
  readonly tone: 'info' | 'error'
  readonly text: string
  readonly hint: string | null
}

export type Layout = 'conversation' | 'split' | 'terminal'

export interface AppState {
  readonly access: Access
  readonly connection: Connection
  readonly sessions: SessionMap
  /** The list has arrived at least once. */
  readonly sessionsKnown: boolean
  readonly selected: string | null
  readonly views: ReadonlyMap<string, Conversation>
  readonly sent: ReadonlyMap<string, readonly SentMessage[]>
  readonly drafts: ReadonlyMap<string, Draft>
  readonly banner: Banner | null
  readonly layout: Layout
  /** Newest first; null until the hub has told them. */
  readonly recordings: readonly RecordingInfo[] | null
  /** Why they are not known, or not anew. */
  readonly recordingsFault: ApiFault | null
  /** The recording that is shown in place of a session. */
  readonly playing: RecordingPlace | null
}

export const INITIAL: AppState = {
  access: { kind: 'checking' },
  connection: { status: 'connecting' },
  sessions: new Map(),
  sessionsKnown: false,
  selected: null,
  views: new Map(),
  sent: new Map(),
  drafts: new Map(),
  banner: null,
  layout: 'conversation',
  recordings: null,
  recordingsFault: null,
  playing: null,
}
