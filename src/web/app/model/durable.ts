/** @module web/model/durable - what each journalled event does to a view. */
import type { DurableEvent, Usage } from '../../../protocol/events.js'
import type { Item, ItemKind } from '../../../protocol/items.js'
import { interrupted, ranCommand, requested, resolved } from './asked.js'
import type { Draft } from './draft.js'
import { delivered, linked, reordered } from './queue.js'
import { addUsage } from './usage.js'
import { type Entry, itemKey, type MarkEntry } from './view.js'

/** Applies one event whose `seq` the caller has checked. */
export function applyDurable(draft: Draft, event: DurableEvent): void {
  switch (event.type) {
    case 'session.started': {
      const version = event.vendorVersion === null ? '' : ` ${event.vendorVersion}`
      draft.set({ model: event.model ?? draft.get('model') })
      mark(draft, event.seq, 'info', `${event.vendor}${version} started`, event.cwd)
      return
    }
    case 'session.ended':
      draft.set({
        openTurn: null,
        activity: null,
        queue: [],
        openApprovals: [],
        openInterrupt: null,
        terminalDraft: null,
      })
      // What is still open will never be completed.
      for (const entry of draft.entries()) {
        if (entry.type === 'item' && entry.open) draft.put({ ...entry, stale: true })
      }
      mark(draft, event.seq, event.reason === 'killed' ? 'info' : 'warning', ...ending(event))
      return
    case 'session.superseded':
      mark(draft, event.seq, 'warning', 'This session goes on in another one', event.by)
      return
    case 'session.state':
      draft.set({
        state: { state: event.state, rule: event.rule, evidence: event.evidence, since: event.ts },
        activity: event.state === 'running' ? draft.get('activity') : null,
      })
      return
    case 'turn.started':
      draft.set({ openTurn: event.turnId })
      draft.putTurn({
        turnId: event.turnId,
        startedAt: event.ts,
        endedAt: null,
        outcome: null,
        detail: null,
        usage: draft.turn(event.turnId)?.usage ?? null,
      })
      return
    case 'turn.completed': {
      const turn = draft.turn(event.turnId)
      if (draft.get('openTurn') === event.turnId) draft.set({ openTurn: null, activity: null })
      draft.putTurn({
        turnId: event.turnId,
        startedAt: turn?.startedAt ?? null,
        endedAt: event.ts,
        outcome: event.outcome,
        detail: event.detail,
        usage: event.usage ?? turn?.usage ?? null,
      })
      draft.put({ type: 'turn', key: `turn:${event.turnId}`, turnId: event.turnId })
      return
    }
    case 'item.started':
      started(draft, event)
      return
    case 'item.completed':
      completed(draft, event)
      return
    case 'usage':
      usage(draft, event.turnId, event.usage, event.session)
      return
    case 'model':
      draft.set({ model: event.model })
      return
    case 'mode':
      draft.set({ mode: event.mode })
      return
    case 'delivery':
      delivered(draft, event)
      return
    case 'queue':
      reordered(draft, event.order)
      return
    case 'approval.requested':
      requested(draft, event)
      return
    case 'approval.resolved':
      resolved(draft, event)
      return
    case 'interrupt':
      interrupted(draft, event)
      return
    case 'session.command':
      ranCommand(draft, event)
      return
    case 'gap':
      mark(draft, event.seq, 'warning', `Something is missing here: ${event.what}`, event.detail)
      return
    case 'session.vendor':
    case 'agent':
      return
  }
}

/** Adds a remark; `at` makes its key. */
export function mark(
  draft: Draft,
  at: number | string,
  tone: MarkEntry['tone'],
  title: string,
  detail: string | null,
): void {
  draft.put({ type: 'mark', key: `mark:${at}`, tone, title, detail })
}

function link(draft: Draft, { item, itemId }: ItemEvent): void {
  if (item.kind === 'user_message' && item.messageId !== undefined)
    linked(draft, item.messageId, itemId, item.text)
}

interface ItemEvent {
  readonly itemId: string
  readonly turnId: string | null
  readonly item: Item
}

function started(
  draft: Draft,
  event: ItemEvent & { readonly kind: ItemKind; readonly before?: string | undefined },
): void {
  const known = draft.item(event.itemId)
  if (known !== undefined && !known.open) return
  const entry: Entry = {
    type: 'item',
    key: itemKey(event.itemId),
    itemId: event.itemId,
    turnId: event.turnId,
    kind: event.kind,
    item: event.item,
    live: known?.live || initialText(event.item),
    omitted: known?.omitted ?? 0,
    open: true,
    stale: false,
  }
  draft.put(entry, event.before === undefined ? undefined : itemKey(event.before))
  link(draft, event)
}

function completed(draft: Draft, event: ItemEvent): void {
  draft.put({
    type: 'item',
    key: itemKey(event.itemId),
    itemId: event.itemId,
    turnId: event.turnId,
    kind: event.item.kind,
    item: event.item,
    live: '',
    omitted: 0,
    open: false,
    stale: false,
  })
  link(draft, event)
}

function usage(draft: Draft, turnId: string | null, response: Usage, session: Usage): void {
  draft.set({ total: session })
  const turn = turnId === null ? undefined : draft.turn(turnId)
  if (turn === undefined || turn.outcome !== null) return
  draft.putTurn({ ...turn, usage: turn.usage === null ? response : addUsage(turn.usage, response) })
}

function ending(event: Extract<DurableEvent, { type: 'session.ended' }>): [string, string | null] {
  const titles = {
    exited: 'The program ended',
    killed: 'The session was ended',
    start_failed: 'The program did not start',
    lost: 'The program is gone',
  }
  const how =
    event.signal !== null
      ? ` (signal ${event.signal})`
      : event.exitCode !== null && event.exitCode !== 0
        ? ` (exit code ${event.exitCode})`
        : ''
  return [`${titles[event.reason]}${how}`, event.detail]
}

/** Text that an item was started with: deltas continue it. */
export function initialText(item: Item): string {
  return item.kind === 'tool_call' ? (item.output ?? '') : item.text
}
