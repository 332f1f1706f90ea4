/** @module web/ui/delivery/QueueRow - one prompt that waits: its way, its text, what it waits for, what can be done. */
import { waitsFor } from '../../model/receipts.js'
import type { Delivery } from '../../model/view.js'
import { visible } from '../../model/visible.js'
import { WAY_WORDS } from '../../model/ways.js'
import { FoldedText } from '../items/FoldedText.js'
import { type Editing, QueueEditor } from './QueueEditor.js'

export interface QueueRowProps {
  delivery: Delivery
  /** From 0. */
  place: number
  last: boolean
  busy: boolean
  turnRuns: boolean
  editing: Editing | null
  onEditing: (editing: Editing | null) => void
  onSave: (editing: Editing) => void
  onMove: (direction: 'up' | 'down') => void
  onSteer: () => void
  onRemove: () => void
}

const LIMITS = { lines: 2, chars: 240 }

export function QueueRow({ delivery, place, last, busy, turnRuns, editing, ...on }: QueueRowProps) {
  const { messageId, how, images } = delivery
  const text = delivery.text ?? ''
  const name = `prompt ${place + 1}`
  const begin = () => on.onEditing({ messageId, text, base: text })
  return (
    <li className="queue-row" data-testid="queued" data-message-id={messageId} data-how={how}>
      <div className="queue-row-main">
        {editing === null ? (
          <FoldedText className="queue-text" text={text} limits={LIMITS} />
        ) : (
          <QueueEditor
            editing={editing}
            present={text}
            label={`Text of ${name}`}
            busy={busy}
            onEditing={on.onEditing}
            onSave={on.onSave}
          />
        )}
        <div className="queue-foot">
          <span className="queue-way" data-how={how}>
            {WAY_WORDS[how]}
          </span>
          {images.length > 0 && <span>{images.length === 1 ? '1 image' : `${images.length} images`}</span>}
          <span data-testid="receipt">{visible(waitsFor(delivery, place))}</span>
        </div>
      </div>
      <fieldset className="queue-buttons" aria-label={`Change ${name}`}>
        {turnRuns && how !== 'steer' && (
          <button
            type="button"
            className="button small"
            aria-label={`Steer now: ${name}`}
            onClick={on.onSteer}
          >
            Steer now
          </button>
        )}
        <button
          type="button"
          className="button small"
          aria-label={`Edit ${name}`}
          disabled={editing !== null}
          onClick={begin}
        >
          Edit
        </button>
        <button
          type="button"
          className="icon-button"
          data-move="up"
          aria-label={`Move ${name} up`}
          disabled={place === 0}
          onClick={() => on.onMove('up')}
        >
          ↑
        </button>
        <button
          type="button"
          className="icon-button"
          data-move="down"
          aria-label={`Move ${name} down`}
          disabled={last}
          onClick={() => on.onMove('down')}
        >
          ↓
        </button>
        <button type="button" className="icon-button" aria-label={`Remove ${name}`} onClick={on.onRemove}>
          ✕
        </button>
      </fieldset>
    </li>
  )
}
