/** @module web/model/view - what the page shows of one session; plain data, made by `conversation.ts`. */
import type {
  ApprovalOption,
  DeliveryMode,
  DeliveryState,
  SessionState,
  TurnOutcome,
  Usage,
} from '../../../protocol/events.js'
import type { Item, ItemKind } from '../../../protocol/items.js'

/** One item of the conversation, open or completed. */
export interface ItemEntry {
  readonly type: 'item'
  readonly key: string
  readonly itemId: string
  readonly turnId: string | null
  readonly kind: ItemKind
  /** As started, until `item.completed` replaces it; null when deltas came first. */
  readonly item: Item | null
  /** What deltas have shown so far, or the output of a running call. Empty once completed. */
  readonly live: string
  /** Characters that the hub cut from the head of a running call's output. */
  readonly omitted: number
  readonly open: boolean
  /** Open, but the hub's board no longer knows it. */
  readonly stale: boolean
}

/** The foot of a finished turn. */
export interface TurnEntry {
  readonly type: 'turn'
  readonly key: string
  readonly turnId: string
}

/** A message that was not delivered, at the place where that became known. */
export interface FailedDeliveryEntry {
  readonly type: 'failed-delivery'
  readonly key: string
  readonly messageId: string
}

/** A remark of the bridge: start, end, gap. */
export interface MarkEntry {
  readonly type: 'mark'
  readonly key: string
  readonly tone: 'info' | 'warning' | 'error'
  readonly title: string
  readonly detail: string | null
}

export interface ApprovalEntry {
  readonly type: 'approval'
  readonly key: string
  readonly approvalId: string
  /** `permission`, `question` and the like; null where the source does not say. */
  readonly kind: string | null
  readonly title: string
  readonly detail: string
  /** The answers that can be given from here; none: it is answered in the terminal. */
  readonly options: readonly ApprovalOption[]
  readonly verdict: 'allow' | 'deny' | 'dismissed' | 'answered' | null
  readonly by: string | null
  /** The label of the chosen option, where it is known. */
  readonly option: string | null
}

/** A command of the session that was run from outside the terminal. */
export interface CommandRunEntry {
  readonly type: 'command-run'
  readonly key: string
  readonly command: string
  readonly argument: string | null
  readonly state: 'started' | 'done' | 'failed'
  readonly detail: string | null
}

export type InterruptStage = 'asked' | 'again' | 'seen' | 'failed'

/** The steps of stopping a turn, in order. */
export interface InterruptEntry {
  readonly type: 'interrupt'
  readonly key: string
  readonly stages: readonly { readonly stage: InterruptStage; readonly detail: string }[]
}

export type Entry =
  | ItemEntry
  | TurnEntry
  | FailedDeliveryEntry
  | MarkEntry
  | ApprovalEntry
  | CommandRunEntry
  | InterruptEntry

export interface Turn {
  readonly turnId: string
  /** Null when the page has only seen its end. */
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly outcome: TurnOutcome | null
  readonly detail: string | null
  /** As told with the turn's end; until then the sum of its responses. */
  readonly usage: Usage | null
}

export interface Delivery {
  readonly messageId: string
  readonly state: DeliveryState
  readonly reason: string | null
  readonly text: string | null
  readonly how: DeliveryMode
  /** Paths of its images, on the machine of the session. */
  readonly images: readonly string[]
  /** With `failed`: it may have arrived all the same. */
  readonly undecided: boolean
  /** The `user_message` item that it became. */
  readonly itemId: string | null
}

/** The whole view of one session. Immutable: every change makes a new one that shares what did not change. */
export interface Conversation {
  readonly sessionId: string
  /** Newest durable event applied. */
  readonly lastSeq: number
  readonly entries: readonly Entry[]
  /** Key of an entry to its place in `entries`; entries are never moved or removed. */
  readonly places: ReadonlyMap<string, number>
  readonly turns: ReadonlyMap<string, Turn>
  readonly deliveries: ReadonlyMap<string, Delivery>
  /** Ids of the prompts that wait, in the order in which they will be handed over. */
  readonly queue: readonly string[]
  /** Keys of the approvals that nobody has answered, oldest first. */
  readonly openApprovals: readonly string[]
  /** Key of the interrupt whose end has not been told. */
  readonly openInterrupt: string | null
  /** What a person has typed into the terminal's prompt box and not sent. */
  readonly terminalDraft: string | null
  readonly openTurn: string | null
  readonly activity: string | null
  readonly state: {
    readonly state: SessionState
    readonly rule: string
    readonly evidence: readonly string[]
    readonly since: number
  } | null
  readonly model: string | null
  readonly mode: string | null
  /** The session's sum so far. */
  readonly total: Usage | null
}

/** The view before any event. */
export function emptyConversation(sessionId: string): Conversation {
  return {
    sessionId,
    lastSeq: 0,
    entries: [],
    places: new Map(),
    turns: new Map(),
    deliveries: new Map(),
    queue: [],
    openApprovals: [],
    openInterrupt: null,
    terminalDraft: null,
    openTurn: null,
    activity: null,
    state: null,
    model: null,
    mode: null,
    total: null,
  }
}

/** Key of an item's entry. */
export const itemKey = (itemId: string): string => `item:${itemId}`

/** What there is to read of an entry now: the completed text, else what deltas showed. */
export function shownText(entry: ItemEntry): string {
  const { item } = entry
  if (item?.kind === 'tool_call') return item.output ?? entry.live
  if (!entry.open && item !== null) return item.text
  return entry.live
}
