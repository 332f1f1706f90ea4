/** @module web/ui/delivery/Pending - messages from a page that are on their way, or did not arrive. */
import { receiptText } from '../../model/receipts.js'
import type { Delivery } from '../../model/view.js'
import { visible } from '../../model/visible.js'
import { useApp, useAppState } from '../hooks.js'
import { Undecided } from './Undecided.js'

export function Pending({ delivery }: { delivery: Delivery }) {
  return (
    <div
      className="message user pending"
      data-testid="pending"
      data-message-id={delivery.messageId}
      data-state={delivery.state}
    >
      <div className="message-text">{visible(delivery.text ?? '')}</div>
      <div className="message-foot" role="status" data-testid="receipt">
        {visible(receiptText(delivery))}
      </div>
    </div>
  )
}

/** Stays in the conversation; nothing when the message became part of it after all. */
export function FailedDelivery({ delivery }: { delivery: Delivery }) {
  const app = useApp()
  // In a recording there is nothing to decide.
  const sessionId = useAppState((state) => (state.playing === null ? state.selected : null))
  if (delivery.itemId !== null || delivery.state !== 'failed') return null
  if (delivery.undecided) return <Undecided delivery={delivery} sessionId={sessionId} />
  const { text } = delivery
  return (
    <div
      className="message user failed"
      data-testid="failed-delivery"
      data-message-id={delivery.messageId}
      data-state="failed"
    >
      <div className="message-text">{visible(text ?? '')}</div>
      <div className="message-foot">
        <span role="alert" data-testid="receipt">
          {visible(receiptText(delivery))}
        </span>
        {text !== null && sessionId !== null && (
          <button type="button" className="link-button" onClick={() => app.messages.putBack(sessionId, text)}>
            Put back into the composer
          </button>
        )}
      </div>
    </div>
  )
}
