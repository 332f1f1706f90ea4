/** @module web/ui/Working - what is going on right now, and since when. */
import { formatDuration } from '../model/format.js'
import type { Conversation } from '../model/view.js'
import { visible } from '../model/visible.js'
import { useNow } from './hooks.js'

export interface WorkingProps {
  view: Conversation
  /** The time that the view is of, in ms; the present unless told. */
  at?: number | undefined
}

export function Working({ view, at }: WorkingProps) {
  const present = useNow(1000, at === undefined)
  const now = at ?? present
  const startedAt = view.openTurn === null ? null : (view.turns.get(view.openTurn)?.startedAt ?? null)
  const seconds = startedAt === null ? 0 : Math.floor((now - startedAt) / 1000)
  // What was waited for is there once an item is being written.
  const waiting = !view.entries.some((entry) => entry.type === 'item' && entry.open && !entry.stale)
  const doing = waiting && view.activity !== null ? visible(view.activity) : 'Working'
  return (
    <p className="working" data-testid="working">
      <span className="working-dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>{doing}</span>
      {seconds > 0 && (
        <span className="muted">{seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000)}</span>
      )}
    </p>
  )
}
