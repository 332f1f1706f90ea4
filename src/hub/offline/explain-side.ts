/** @module hub/offline/explain-side - what a recording's side channels had told at a moment: the state, and the conversation. */
import type { Item, ItemKind } from '../../protocol/items.js'
import type { ScreenReading } from '../../protocol/session.js'
import type { ReplayedEvent } from '../../session/replay.js'
import type { OpenedRecording } from './recording-file.js'
import { replayRecording } from './replay-recording.js'

/** An item as far as it was told. */
export interface ToldItem {
  readonly kind: ItemKind
  /** Its text; a call's name, and what it answered. */
  readonly text: string
  /** It was not complete yet. */
  readonly open: boolean
}

/** What the log beside a recording says; a session takes the content from there, and mostly the state. */
export interface ToldBySide {
  /** The log. */
  readonly file: string
  readonly told: ScreenReading['told']
  /** In the order of their beginnings. */
  readonly items: readonly ToldItem[]
}

/** Up to the moment, in ms from the start; up to the end without one. Null where no log is used. */
export async function explainSide(recording: OpenedRecording, atMs?: number): Promise<ToldBySide | null> {
  const { side, cast } = recording
  if (side === null) return null
  const events = await replayRecording(recording, atMs === undefined ? {} : { untilMs: atMs })
  const end = Math.max(cast.events.at(-1)?.at ?? 0, side.facts.at(-1)?.at ?? 0)
  return { file: side.file, told: lastState(events, atMs ?? end), items: itemsOf(events) }
}

function lastState(events: readonly ReplayedEvent[], moment: number): ScreenReading['told'] {
  const last = events.findLast((event) => event.type === 'session.state')
  if (last === undefined) return null
  return { state: last.state, rule: last.rule, ageMs: Math.max(0, moment - last.t * 1000) }
}

function itemsOf(events: readonly ReplayedEvent[]): ToldItem[] {
  const items = new Map<string, ToldItem>()
  for (const event of events) {
    if (event.type === 'item.started')
      items.set(event.itemId, { kind: event.kind, text: textOf(event.item), open: true })
    else if (event.type === 'item.completed')
      items.set(event.itemId, { kind: event.item.kind, text: textOf(event.item), open: false })
    else if (event.type === 'item.delta') {
      const before = items.get(event.itemId)
      if (before !== undefined) items.set(event.itemId, { ...before, text: before.text + event.delta })
    }
  }
  return [...items.values()]
}

function textOf(item: Item): string {
  if (item.kind !== 'tool_call') return item.text
  return `${item.name} (${item.status})${item.output === undefined ? '' : ` -> ${item.output}`}`
}
