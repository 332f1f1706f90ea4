/** @module web/ui/items/AssistantMessage - what the model wrote, as it is written. */
import { FoldedText } from './FoldedText.js'
import { Markdown } from './Markdown.js'

export interface AssistantMessageProps {
  text: string
  running: boolean
  partial: boolean
}

/** Longer texts are shown plain and folded: laying them out as markdown would stall the page. */
const MARKDOWN_MAX = 60_000
const LIMITS = { lines: 200, chars: 20_000 }

export function AssistantMessage({ text, running, partial }: AssistantMessageProps) {
  return (
    <div className="message assistant" dir="auto">
      {text.length > MARKDOWN_MAX ? (
        <FoldedText className="message-text" text={text} limits={LIMITS} />
      ) : (
        <Markdown text={text} growing={running} />
      )}
      {partial && <div className="cut-off">Cut off here: the turn was interrupted.</div>}
    </div>
  )
}
