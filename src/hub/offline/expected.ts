/** @module hub/offline/expected - a replay's events as a fixture keeps them: what must not change, and nothing else. */
import { isLive } from '../../protocol/events.js'
import type { ReplayedEvent } from '../../session/replay.js'

/** Numbered anew when anything before them changes: they would make every line differ. */
const NUMBERED: ReadonlySet<string> = new Set(['itemId', 'turnId', 'approvalId', 'callId'])

/** One JSON line an event; `t` in seconds, to a hundredth. Live-only events are left out. */
export function expectedLines(events: readonly ReplayedEvent[]): string[] {
  const places = new Map<string, number>()
  return events.flatMap((event) => {
    if (isLive(event)) return []
    const { t, ...rest } = event
    const lean = event.type === 'item.started' ? begun(event, places) : withoutNumbers(rest)
    return [JSON.stringify({ t: Math.round(t * 100) / 100, ...(lean as object) })]
  })
}

type Begun = Extract<ReplayedEvent, { type: 'item.started' }>

/** Its content comes again when it is completed; `before`: so many items back is the place where it belongs. */
function begun({ type, source, itemId, kind, before }: Begun, places: Map<string, number>): object {
  const place = places.size
  places.set(itemId, place)
  const at = before === undefined ? undefined : places.get(before)
  return { type, source, kind, ...(at === undefined ? {} : { before: place - at }) }
}

function withoutNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNumbers)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !NUMBERED.has(name))
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNumbers(inner)]))
}
