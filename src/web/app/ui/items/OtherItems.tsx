/** @module web/ui/items/OtherItems - notices, commands, compactions, and kinds that are shown as they are. */

import { UnifiedDiff } from './EditDiff.js'
import { FoldedText } from './FoldedText.js'
import { Markdown } from './Markdown.js'

const LIMITS = { lines: 20, chars: 4000 }

export function Notice({ text, level }: { text: string; level: 'info' | 'warning' | 'error' }) {
  return (
    <div className="notice" data-level={level}>
      <FoldedText className="notice-text" text={text} limits={LIMITS} />
    </div>
  )
}

export function CommandLine({ text }: { text: string }) {
  return <FoldedText className="command" text={text} limits={LIMITS} />
}

export function Compaction({ text }: { text: string }) {
  return (
    <details className="compaction">
      <summary>The conversation was compacted</summary>
      <FoldedText className="reasoning-text" text={text} limits={{ lines: 200, chars: 20_000 }} />
    </details>
  )
}

export function PlainItem({ kind, text }: { kind: 'plan' | 'diff' | 'image' | 'panel'; text: string }) {
  return (
    <section className="plain-item" aria-label={kind}>
      <div className="plain-item-kind">{kind}</div>
      {kind === 'diff' ? (
        <UnifiedDiff text={text} />
      ) : kind === 'plan' ? (
        <Markdown text={text} growing={false} />
      ) : (
        <FoldedText className="output-text" text={text} limits={LIMITS} output />
      )}
    </section>
  )
}
