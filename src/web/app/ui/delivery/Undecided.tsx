/** @module web/ui/delivery/Undecided - a message that may have arrived: what to look at, and a person's decision. */
import { useId } from 'react'
import { againId } from '../../model/receipts.js'
import type { Delivery } from '../../model/view.js'
import { visible } from '../../model/visible.js'
import { FaultNote } from '../FaultNote.js'
import { useApp, useAppState } from '../hooks.js'
import { FoldedText } from '../items/FoldedText.js'
import { useAction } from '../useAction.js'

const LIMITS = { lines: 6, chars: 1500 }

export interface UndecidedProps {
  delivery: Delivery
  /** Null where nothing can be decided. */
  sessionId: string | null
}

export function Undecided({ delivery, sessionId }: UndecidedProps) {
  const app = useApp()
  const heading = useId()
  const { busy, fault, run } = useAction()
  const { messageId, text, reason } = delivery
  const dropped = useAppState((state) => state.dropped.has(messageId))
  const again = useAppState(
    (state) => state.views.get(sessionId ?? '')?.deliveries.has(againId(messageId)) === true,
  )
  const ended = useAppState((state) => state.sessions.get(sessionId ?? '')?.state === 'ended')
  if (dropped || again) {
    return (
      <p className="mark" data-testid="undecided-done" data-message-id={messageId}>
        {again
          ? 'A message that may have arrived was sent again.'
          : 'A message that may have arrived was dropped.'}
      </p>
    )
  }
  return (
    <section
      className="card undecided"
      aria-labelledby={heading}
      data-testid="undecided"
      data-message-id={messageId}
    >
      <strong id={heading} role="alert">
        This may have arrived
      </strong>
      <FoldedText className="message-text" text={text ?? ''} limits={LIMITS} />
      {reason !== null && <p data-testid="receipt">{visible(reason)}</p>}
      <p className="muted">
        Look at the terminal and at the conversation above: if the prompt stands there or is being answered,
        drop this one.
      </p>
      {fault !== null && <FaultNote fault={fault} />}
      {sessionId !== null && (
        <div className="card-buttons">
          <button type="button" className="button small" onClick={() => app.setLayout('split')}>
            Show the terminal
          </button>
          <button
            type="button"
            className="button small"
            disabled={busy || ended || text === null}
            onClick={() => void run(() => app.delivery.sendAgain(sessionId, delivery))}
          >
            Send again
          </button>
          <button
            type="button"
            className="button small"
            disabled={busy}
            onClick={() => void run(() => app.delivery.drop(sessionId, messageId))}
          >
            Drop
          </button>
        </div>
      )}
    </section>
  )
}
