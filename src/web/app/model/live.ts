/** @module web/model/live - deltas by offset, running outputs, and the board of a snapshot. */
import type { LiveEvent } from '../../../protocol/events.js'
import type { Board } from '../../../protocol/session.js'
import type { Draft } from './draft.js'
import { initialText } from './durable.js'
import { type ItemEntry, itemKey } from './view.js'

/** Applies one live event; true when text before it is missing. */
export function applyLive(draft: Draft, event: LiveEvent): boolean {
  switch (event.type) {
    case 'session.activity':
      draft.set({ activity: event.activity })
      return false
    case 'session.draft':
      draft.set({ terminalDraft: event.text })
      return false
    case 'session.typing':
      // Who types elsewhere is no part of the conversation: `state/presence.ts` keeps it.
      return false
    case 'tool.output': {
      const entry = draft.item(event.itemId)
      if (entry === undefined) return true
      if (entry.open) draft.put({ ...entry, live: event.text, omitted: event.omitted, stale: false })
      return false
    }
    case 'item.delta':
      return delta(draft, event)
  }
}

/**
 * Text that is already there is dropped; a delta that starts beyond it is a hole. So is one of an unknown item: its
 * `item.started` was missed, and with it the item's place among the others.
 */
function delta(draft: Draft, event: Extract<LiveEvent, { type: 'item.delta' }>): boolean {
  const entry = draft.item(event.itemId)
  if (entry === undefined) return true
  if (!entry.open) return false
  const have = entry.live.length
  if (event.offset > have) return true
  const news = event.delta.slice(have - event.offset)
  if (news === '') return false
  draft.put({ ...entry, live: entry.live + news, stale: false })
  return false
}

function fresh(of: Pick<ItemEntry, 'itemId' | 'turnId' | 'kind'>): ItemEntry {
  return {
    type: 'item',
    key: itemKey(of.itemId),
    itemId: of.itemId,
    turnId: of.turnId,
    kind: of.kind,
    item: null,
    live: '',
    omitted: 0,
    open: true,
    stale: false,
  }
}

/** The board of a snapshot is the truth about everything that is still open. */
export function applyBoard(draft: Draft, board: Board): void {
  const listed = new Set<string>()
  for (const row of board.items) {
    listed.add(row.itemId)
    const entry = draft.item(row.itemId) ?? fresh(row)
    if (!entry.open) continue
    const live = row.text || initialText(row.item)
    const same = live === entry.live && !entry.stale && entry.item !== null
    if (same) continue
    draft.put({
      ...entry,
      item: entry.item ?? row.item,
      live,
      omitted: live === entry.live ? entry.omitted : 0,
      stale: false,
    })
  }
  for (const entry of draft.entries()) {
    if (entry.type !== 'item' || !entry.open || entry.stale || listed.has(entry.itemId)) continue
    draft.put({ ...entry, stale: true })
  }
  draft.set({ openTurn: board.turnId, activity: board.activity, terminalDraft: board.draft ?? null })
}
