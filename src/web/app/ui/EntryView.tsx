/** @module web/ui/EntryView - one entry of the conversation, by its type. */
import { memo } from 'react'
import type { ApprovalEntry, Delivery, Entry, MarkEntry, Turn } from '../model/view.js'
import { visible } from '../model/visible.js'
import { ItemView } from './items/ItemView.js'
import { FailedDelivery } from './Pending.js'
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

const VERDICTS = {
  allow: 'allowed',
  deny: 'denied',
  dismissed: 'dismissed',
  answered: 'answered in the terminal',
} as const

function Approval({ entry }: { entry: ApprovalEntry }) {
  return (
    <div className="approval" data-testid="approval" data-verdict={entry.verdict ?? 'open'}>
      <strong>{visible(entry.title)}</strong>
      {entry.detail !== '' && <pre className="evidence">{visible(entry.detail)}</pre>}
      <span className="muted">
        {entry.verdict === null
          ? 'Waits for an answer in the terminal.'
          : `${VERDICTS[entry.verdict]} by ${visible(entry.by ?? 'somebody')}`}
      </span>
    </div>
  )
}
