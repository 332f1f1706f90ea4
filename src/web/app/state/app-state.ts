/** @module web/state/app-state - everything the page knows. */
import type { Scope } from '../../../protocol/commands.js'
import type { DeliveryMode } from '../../../protocol/events.js'
import type { RecordingInfo } from '../../../protocol/session.js'
import type { SentMessage } from '../model/receipts.js'
import type { SessionMap } from '../model/sessions.js'
import type { Conversation } from '../model/view.js'
import type { ApiFault } from '../net/http.js'
import type { Connection } from '../net/socket.js'
import type { Draft } from './drafts.js'
import type { Typists } from './presence.js'
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
  /** How prompts are sent while a turn runs, where it is not `queue`. */
  readonly ways: ReadonlyMap<string, DeliveryMode>
  /** Undecided messages that a person has dealt with. */
  readonly dropped: ReadonlySet<string>
  readonly typists: Typists
  /** What this page may not do, as far as it is known. */
  readonly denied: ReadonlySet<Scope>
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
  ways: new Map(),
  dropped: new Set(),
  typists: new Map(),
  denied: new Set(),
  banner: null,
  layout: 'conversation',
  recordings: null,
  recordingsFault: null,
  playing: null,
}
