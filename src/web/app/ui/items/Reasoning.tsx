/** @module web/ui/items/Reasoning - the model's thoughts, folded. */
import { useState } from 'react'
import { visible } from '../../model/visible.js'
import { FoldedText } from './FoldedText.js'

const LIMITS = { lines: 200, chars: 20_000 }
const TEASER = 140

export function Reasoning({ text, running }: { text: string; running: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="reasoning" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="reasoning-word">{running ? 'Thinking…' : 'Thoughts'}</span>
        {!open && <span className="reasoning-teaser">{teaser(text, running)}</span>}
      </summary>
      {open && <FoldedText className="reasoning-text" text={text} limits={LIMITS} />}
    </details>
  )
}

/** The first line; of thoughts that still grow, the newest one. */
function teaser(text: string, running: boolean): string {
  const part = running ? text.slice(-TEASER * 4) : text.slice(0, TEASER * 4)
  const lines = part.split('\n').filter((line) => line.trim() !== '')
  const line = (running ? lines.at(-1) : lines[0]) ?? ''
  return visible(line.replace(/[*_`#]+/g, '').slice(0, TEASER))
}
