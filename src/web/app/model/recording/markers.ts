/** @module web/model/recording/markers - the places that a person wants to jump to. */
import type { CastMark } from './cast.js'
import type { TimedEvent } from './events.js'

export interface Marker {
  /** Recorded seconds. */
  readonly at: number
  readonly kind: 'turn' | 'blocked'
  readonly label: string
}

/** Markers that are kept; a bar has no room for more. */
const MOST = 500
/** How far behind a marker "the one before" is that very marker, in seconds. */
const JUST_PASSED = 1

/**
 * Turns and dialogs. The session itself marked them while it was recorded, by all that it knew; without such marks the
 * conversation that was read back tells them.
 */
export function markersOf(marks: readonly CastMark[], events: readonly TimedEvent[]): Marker[] {
  const marked = numbered(marks.flatMap(({ at, label }) => fromLabel(at, label)))
  return marked.length > 0 ? marked : numbered(events.flatMap(fromEvent))
}

type Found = { readonly at: number; readonly kind: Marker['kind'] }

function fromLabel(at: number, label: string): Found[] {
  if (label.startsWith('turn.started ')) return [{ at, kind: 'turn' }]
  return /^(state blocked\b|approval\.requested )/.test(label) ? [{ at, kind: 'blocked' }] : []
}

function fromEvent({ at, event }: TimedEvent): Found[] {
  if (event.type === 'turn.started') return [{ at, kind: 'turn' }]
  const blocked =
    (event.type === 'session.state' && event.state === 'blocked') || event.type === 'approval.requested'
  return blocked ? [{ at, kind: 'blocked' }] : []
}

/** A dialog is told by its state and by its question: at one time they are one marker. */
function numbered(found: readonly Found[]): Marker[] {
  const markers: Marker[] = []
  let turns = 0
  for (const { at, kind } of found) {
    const last = markers.at(-1)
    if (kind === 'blocked' && last?.kind === 'blocked' && at - last.at < JUST_PASSED) continue
    if (kind === 'turn') turns += 1
    markers.push({ at, kind, label: kind === 'turn' ? `Turn ${turns}` : 'A dialog opens' })
    if (markers.length === MOST) break
  }
  return markers
}

/** The first marker behind a time; null when there is none. */
export function nextMarker(markers: readonly Marker[], at: number): Marker | null {
  return markers.find((marker) => marker.at > at + 0.001) ?? null
}

/** The last marker before a time, as players do: one that was only just passed is passed over. */
export function previousMarker(markers: readonly Marker[], at: number): Marker | null {
  return (
    markers.findLast((marker) => marker.at < at - JUST_PASSED) ??
    markers.findLast(({ at: t }) => t < at - 0.001) ??
    null
  )
}
