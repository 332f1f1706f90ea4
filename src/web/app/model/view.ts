/** @module web/model/view - what the page shows of one session; plain data, made by `conversation.ts`. */
import type { DeliveryState, SessionState, TurnOutcome, Usage } from '../../../protocol/events.js'
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
  readonly title: string
  readonly detail: string
  readonly verdict: 'allow' | 'deny' | 'dismissed' | 'answered' | null
  readonly by: string | null
}

export type Entry = ItemEntry | TurnEntry | FailedDeliveryEntry | MarkEntry | ApprovalEntry

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
