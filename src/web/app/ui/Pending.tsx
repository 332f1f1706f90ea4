/** @module web/ui/Pending - messages from the page that are on their way, or did not arrive. */
import type { DeliveryState } from '../../../protocol/events.js'
import type { Delivery } from '../model/view.js'
import { visible } from '../model/visible.js'
import { useApp, useAppState } from './hooks.js'

const WORDS: Readonly<Record<DeliveryState, string>> = {
  queued: 'queued',
  typed: 'typed into the terminal',
  accepted: 'accepted',
  started: 'started',
  completed: 'completed',
  failed: 'not delivered',
}

export function Pending({ delivery }: { delivery: Delivery }) {
  return (
    <div
      className="message user pending"
      data-testid="pending"
      data-message-id={delivery.messageId}
      data-state={delivery.state}
    >
      <div className="message-text">{visible(delivery.text ?? '')}</div>
      <div className="message-foot" role="status">
        {WORDS[delivery.state]}
        {delivery.reason !== null && `: ${visible(delivery.reason)}`}
      </div>
    </div>
  )
}

/** Stays in the conversation; nothing when the message became part of it after all. */
export function FailedDelivery({ delivery }: { delivery: Delivery }) {
  const app = useApp()
  const sessionId = useAppState((state) => state.selected)
  if (delivery.itemId !== null || delivery.state !== 'failed') return null
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
        <span role="alert">
          {WORDS.failed}
          {delivery.reason !== null && `: ${visible(delivery.reason)}`}
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
