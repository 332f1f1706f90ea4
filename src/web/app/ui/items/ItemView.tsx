/** @module web/ui/items/ItemView - one item, by its kind. */
import type { ReactNode } from 'react'
import { itemStatus } from '../../model/item-status.js'
import { type Delivery, type ItemEntry, shownText } from '../../model/view.js'
import { AssistantMessage } from './AssistantMessage.js'
import { CommandLine, Compaction, Notice, PlainItem } from './OtherItems.js'
import { Reasoning } from './Reasoning.js'
import { ToolCard } from './ToolCard.js'
import { UserMessage } from './UserMessage.js'

export interface ItemViewProps {
  entry: ItemEntry
  delivery: Delivery | undefined
  ended: boolean
}

export function ItemView({ entry, delivery, ended }: ItemViewProps) {
  const status = itemStatus(entry, ended)
  return (
    <article
      className="item"
      data-testid="item"
      data-kind={entry.kind}
      data-item-id={entry.itemId}
      data-status={status}
      aria-busy={status === 'running'}
    >
      {body(entry, status === 'running', delivery)}
    </article>
  )
}

function body(entry: ItemEntry, running: boolean, delivery: Delivery | undefined): ReactNode {
  const { item } = entry
  const text = shownText(entry)
  switch (entry.kind) {
    case 'user_message':
      return <UserMessage text={text} item={item} delivery={delivery} />
    case 'assistant_message':
      return <AssistantMessage text={text} running={running} partial={isPartial(entry)} />
    case 'reasoning':
      return <Reasoning text={text} running={running} />
    case 'tool_call':
      return <ToolCard entry={entry} output={text} running={running} />
    case 'notice':
      return <Notice text={text} level={item?.kind === 'notice' ? item.level : 'info'} />
    case 'command':
      return <CommandLine text={text} />
    case 'compaction':
      return <Compaction text={text} />
    case 'plan':
    case 'diff':
    case 'image':
    case 'panel':
      return <PlainItem kind={entry.kind} text={text} />
  }
}

function isPartial({ item }: ItemEntry): boolean {
  return item?.kind === 'assistant_message' && item.partial === true
}
