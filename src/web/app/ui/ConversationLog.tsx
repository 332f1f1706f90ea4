/** @module web/ui/ConversationLog - the conversation: its newest part first, the rest on demand. */
import { useEffect, useState } from 'react'
import type { Conversation, Delivery, Entry } from '../model/view.js'
import { Pending } from './delivery/Pending.js'
import { EntryView } from './EntryView.js'
import { useStickToBottom } from './useStickToBottom.js'
import { Working } from './Working.js'

export interface ConversationLogProps {
  view: Conversation | undefined
  running: boolean
  /** Nothing grows any more. */
  ended: boolean
  /** Messages that are not yet part of it. */
  pending?: readonly Delivery[]
  /** The time that the view is of, in ms; the present unless told. */
  at?: number | undefined
}

/** Entries that are drawn at first, and further ones with each wish for more. */
const PAGE = 200
const NONE: readonly never[] = []

export function ConversationLog({ view, running, ended, pending = NONE, at }: ConversationLogProps) {
  const { scroller, content, atEnd, toEnd } = useStickToBottom()
  const [limit, setLimit] = useState(PAGE)
  const newest = pending.at(-1)?.messageId

  // Who has just sent something wants to see it.
  useEffect(() => {
    if (newest !== undefined) toEnd()
  }, [newest, toEnd])

  const entries = view?.entries ?? NONE
  const hidden = Math.max(0, entries.length - limit)
  return (
    <div className="log-frame">
      <div className="log-scroller" ref={scroller} data-testid="conversation-scroller">
        <div
          className="log"
          role="log"
          aria-label="Conversation"
          aria-relevant="additions"
          aria-busy={running}
          data-testid="conversation"
          data-last-seq={view?.lastSeq ?? 0}
          ref={content}
        >
          {hidden > 0 && (
            <button type="button" className="button small log-earlier" onClick={() => setLimit(limit + PAGE)}>
              Show earlier ({hidden})
            </button>
          )}
          {view === undefined && <p className="muted log-empty">Loading the conversation…</p>}
          {view !== undefined && entries.slice(hidden).map((entry) => row(view, entry, ended))}
          {view !== undefined && entries.length + pending.length === 0 && (
            <p className="muted log-empty">Nothing has been said yet.</p>
          )}
          {running && view !== undefined && <Working view={view} at={at} />}
          {pending.map((delivery) => (
            <Pending key={delivery.messageId} delivery={delivery} />
          ))}
        </div>
      </div>
      {!atEnd && (
        <button type="button" className="button log-latest" onClick={toEnd}>
          ↓ Latest
        </button>
      )}
    </div>
  )
}

/** Hands each entry only what it shows, so that an unchanged one is not drawn again. */
function row(view: Conversation, entry: Entry, ended: boolean) {
  const turn = entry.type === 'turn' ? view.turns.get(entry.turnId) : undefined
  const delivery = view.deliveries.get(messageOf(entry) ?? '')
  return <EntryView key={entry.key} entry={entry} turn={turn} delivery={delivery} ended={ended} />
}

function messageOf(entry: Entry): string | undefined {
  if (entry.type === 'failed-delivery') return entry.messageId
  return entry.type === 'item' && entry.item?.kind === 'user_message' ? entry.item.messageId : undefined
}
