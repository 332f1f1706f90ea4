/** @module web/ui/items/tool-words - a call's status for people. */
import type { ItemStatus } from '../../model/item-status.js'

export const STATUS_WORDS: Readonly<Record<ItemStatus, string>> = {
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  denied: 'denied',
  interrupted: 'interrupted',
  unknown: 'not known',
}
