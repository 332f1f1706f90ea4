/** @module web/ui/items/UserMessage - what a person said, as they said it. */
import type { Item } from '../../../../protocol/items.js'
import { receiptText } from '../../model/receipts.js'
import type { Delivery } from '../../model/view.js'
import { visible } from '../../model/visible.js'
import { FoldedText } from './FoldedText.js'

export interface UserMessageProps {
  text: string
  item: Item | null
  delivery: Delivery | undefined
}

const LIMITS = { lines: 30, chars: 6000 }

export function UserMessage({ text, item, delivery }: UserMessageProps) {
  const user = item?.kind === 'user_message' ? item : null
  const images = user?.images ?? 0
  const foot: string[] = []
  if (user?.origin === 'terminal') foot.push('typed in the terminal')
  if (images > 0) foot.push(images === 1 ? '1 image' : `${images} images`)
  return (
    <div className="message user">
      <FoldedText className="message-text" text={text} limits={LIMITS} />
      {(foot.length > 0 || delivery !== undefined) && (
        <div className="message-foot">
          {foot.join(' · ')}
          {delivery !== undefined && (
            <span className="receipt" data-testid="receipt" data-state={delivery.state}>
              {foot.length > 0 && ' · '}
              {visible(receiptText(delivery))}
            </span>
          )}
        </div>
      )}
    </div>
  )
}
