/** @module web/model/item-status - an item's status in one word, for every kind. */
import type { ToolStatus } from '../../../protocol/items.js'
import type { ItemEntry } from './view.js'

/** `unknown`: it was never completed, and nobody writes it any more. */
export type ItemStatus = ToolStatus | 'unknown'

export function itemStatus(entry: ItemEntry, ended: boolean): ItemStatus {
  const { item } = entry
  if (entry.open) {
    if (entry.stale || ended) return 'unknown'
    return item?.kind === 'tool_call' ? item.status : 'running'
  }
  if (item?.kind === 'tool_call') return item.status === 'running' ? 'unknown' : item.status
  const partial = (item?.kind === 'assistant_message' || item?.kind === 'reasoning') && item.partial === true
  return partial ? 'interrupted' : 'completed'
}
