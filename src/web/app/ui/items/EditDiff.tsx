/** @module web/ui/items/EditDiff - removed and added lines, of an edit or of a ready-made diff. */
import { preview } from '../../model/preview.js'
import { visible } from '../../model/visible.js'

const LIMITS = { lines: 200, chars: 20_000 }

export function EditDiff({ removed, added }: { removed: string; added: string }) {
  return (
    <div className="diff">
      <Side sign="−" kind="removed" text={removed} />
      <Side sign="+" kind="added" text={added} />
    </div>
  )
}

function Side({ sign, kind, text }: { sign: string; kind: 'removed' | 'added'; text: string }) {
  if (text === '') return null
  const cut = preview(text, 'head', LIMITS)
  const lines = visible(cut.text.replace(/\n$/, ''))
    .split('\n')
    .map((line) => `${sign} ${line}`)
  if (cut.chars > 0) lines.push('…')
  return <div className={`diff-${kind}`}>{lines.join('\n')}</div>
}

/** A unified diff, line by line. */
export function UnifiedDiff({ text }: { text: string }) {
  const cut = preview(text, 'head', { lines: 400, chars: 40_000 })
  const lines = visible(cut.text).split('\n')
  return (
    <div className="diff">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other name
        <div key={at} className={lineClass(line)}>
          {line === '' ? ' ' : line}
        </div>
      ))}
      {cut.chars > 0 && <div className="muted">… {cut.lines} more lines</div>}
    </div>
  )
}

function lineClass(line: string): string {
  if (line.startsWith('+')) return 'diff-added'
  if (line.startsWith('-')) return 'diff-removed'
  return line.startsWith('@@') ? 'diff-hunk' : 'diff-same'
}
