/** @module web/state/kept - small choices that this browser remembers: how to send, and what was dropped. */
import type { DeliveryMode } from '../../../protocol/events.js'
import { isWay } from '../model/ways.js'

const WAYS_KEY = 'agent-meow:ways'
const DROPPED_KEY = 'agent-meow:dropped'
/** What was remembered longest ago is forgotten first. */
const MOST_WAYS = 50
const MOST_DROPPED = 500

/** How each session's prompts are sent, where it is not the usual way. */
export function loadWays(storage: Storage): ReadonlyMap<string, DeliveryMode> {
  const ways = new Map<string, DeliveryMode>()
  for (const pair of list(storage, WAYS_KEY)) {
    if (!Array.isArray(pair)) continue
    const [sessionId, way]: unknown[] = pair
    if (typeof sessionId === 'string' && isWay(way)) ways.set(sessionId, way)
  }
  return ways
}

/** The ways with one more, also kept. */
export function withWay(
  storage: Storage,
  ways: ReadonlyMap<string, DeliveryMode>,
  sessionId: string,
  way: DeliveryMode,
): ReadonlyMap<string, DeliveryMode> {
  const next = new Map(ways)
  next.delete(sessionId)
  if (way !== 'queue') next.set(sessionId, way)
  keep(storage, WAYS_KEY, [...next].slice(-MOST_WAYS))
  return next
}

/** Ids of undecided messages that a person has dealt with. */
export function loadDropped(storage: Storage): ReadonlySet<string> {
  return new Set(list(storage, DROPPED_KEY).filter((id) => typeof id === 'string'))
}

/** The ids with one more, also kept. */
export function withDropped(
  storage: Storage,
  dropped: ReadonlySet<string>,
  messageId: string,
): ReadonlySet<string> {
  const next = new Set([...dropped, messageId])
  keep(storage, DROPPED_KEY, [...next].slice(-MOST_DROPPED))
  return next
}

function list(storage: Storage, key: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(key) ?? '[]')
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

function keep(storage: Storage, key: string, value: readonly unknown[]): void {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch {
    // It holds as long as the page stays open.
  }
}
