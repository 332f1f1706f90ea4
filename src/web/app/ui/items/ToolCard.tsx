/** @module web/ui/items/ToolCard - one tool call: what was asked, how it stands, what came back. */
import { useState } from 'react'
import type { ToolCallItem } from '../../../../protocol/items.js'
import { formatDuration } from '../../model/format.js'
import { editSides, inputSummary, inputText } from '../../model/tool-input.js'
import type { ItemEntry } from '../../model/view.js'
import { visible } from '../../model/visible.js'
import { EditDiff } from './EditDiff.js'
import { FoldedText } from './FoldedText.js'
import { STATUS_WORDS } from './tool-words.js'

export interface ToolCardProps {
  entry: ItemEntry
  output: string
  running: boolean
}

const OUTPUT_LIMITS = { lines: 12, chars: 4000 }
const INPUT_LIMITS = { lines: 40, chars: 8000 }

export function ToolCard({ entry, output, running }: ToolCardProps) {
  const [open, setOpen] = useState(false)
  const call = entry.item?.kind === 'tool_call' ? entry.item : null
  const status = running ? 'running' : call === null || call.status === 'running' ? 'unknown' : call.status
  const summary = call === null ? '' : visible(inputSummary(call.tool, call.input))
  return (
    <div className="tool" data-status={status} data-tool={call?.tool}>
      <button
        type="button"
        className="tool-head"
        aria-expanded={open}
        disabled={call === null}
        onClick={() => setOpen(!open)}
      >
        <span className="tool-mark" aria-hidden="true" />
        <span className="tool-name">{call === null ? 'Tool' : visible(call.name)}</span>
        <code className="tool-summary">{summary}</code>
        <span className="tool-status">
          {STATUS_WORDS[status]}
          {call?.durationMs !== undefined && ` · ${formatDuration(call.durationMs)}`}
        </span>
      </button>
      {open && call !== null && <Input call={call} />}
      {output !== '' && (
        <div className="tool-output">
          {entry.omitted > 0 && (
            <div className="fold-rest muted">
              … {entry.omitted.toLocaleString('en')} characters before this
            </div>
          )}
          <FoldedText
            className="output-text"
            text={output}
            limits={OUTPUT_LIMITS}
            end={running ? 'tail' : 'head'}
            output
          />
        </div>
      )}
    </div>
  )
}

function Input({ call }: { call: ToolCallItem }) {
  const sides = call.tool === 'edit' ? editSides(call.input) : null
  if (sides !== null) return <EditDiff removed={sides.removed} added={sides.added} />
  const text = inputText(call.tool, call.input)
  return (
    <div className="tool-input">
      {text === '' ? (
        <span className="muted">No input.</span>
      ) : (
        <FoldedText className="output-text" text={text} limits={INPUT_LIMITS} />
      )}
    </div>
  )
}
