/** @module web/ui/EntryView - one entry of the conversation, by its type. */
import { memo } from 'react'
import type { Delivery, Entry, MarkEntry, Turn } from '../model/view.js'
import { visible } from '../model/visible.js'
import { FailedDelivery } from './delivery/Pending.js'
import { Approval, CommandRun, Interrupt } from './delivery/Told.js'
import { ItemView } from './items/ItemView.js'
import { TurnFooter } from './TurnFooter.js'

export interface EntryViewProps {
  entry: Entry
  turn: Turn | undefined
  delivery: Delivery | undefined
  /** The session has ended: nothing grows any more. */
  ended: boolean
}

export const EntryView = memo(function EntryView({ entry, turn, delivery, ended }: EntryViewProps) {
  switch (entry.type) {
    case 'item':
      return <ItemView entry={entry} delivery={delivery} ended={ended} />
    case 'turn':
      return turn === undefined ? null : <TurnFooter turn={turn} />
    case 'failed-delivery':
      return delivery === undefined ? null : <FailedDelivery delivery={delivery} />
    case 'mark':
      return <Mark entry={entry} />
    case 'approval':
      return <Approval entry={entry} />
    case 'command-run':
      return <CommandRun entry={entry} />
    case 'interrupt':
      return <Interrupt entry={entry} />
  }
})

function Mark({ entry }: { entry: MarkEntry }) {
  return (
    <p className="mark" data-testid="mark" data-tone={entry.tone}>
      <span>{visible(entry.title)}</span>
      {entry.detail !== null && <span className="mark-detail"> {visible(entry.detail)}</span>}
    </p>
  )
}
