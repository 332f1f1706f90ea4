/** @module web/ui/composer/SendButton - sends, and beside it the choice of how. */
import type { DeliveryMode } from '../../../../protocol/events.js'
import { isWay, WAY_LABELS, WAYS } from '../../model/ways.js'

export interface SendButtonProps {
  way: DeliveryMode
  turnRuns: boolean
  sendable: boolean
  sending: boolean
  disabled: boolean
  onWay: (way: DeliveryMode) => void
}

export function SendButton({ way, turnRuns, sendable, sending, disabled, onWay }: SendButtonProps) {
  const label = turnRuns ? WAY_LABELS[way] : 'Send'
  return (
    <span className="send">
      <button
        type="submit"
        className="button primary send-button"
        data-testid="send"
        data-way={way}
        aria-keyshortcuts="Enter"
        disabled={!sendable}
      >
        {sending ? 'Sending…' : label}
      </button>
      <select
        className="send-way"
        aria-label="How to send while a turn runs"
        title="How to send while a turn runs"
        data-testid="way"
        value={way}
        disabled={disabled}
        onChange={(event) => isWay(event.target.value) && onWay(event.target.value)}
      >
        {WAYS.map((one) => (
          <option key={one} value={one}>
            {WAY_LABELS[one]}
          </option>
        ))}
      </select>
    </span>
  )
}
