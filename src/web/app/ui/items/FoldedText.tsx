/** @module web/ui/items/FoldedText - a long text: its head (or newest part), the rest on demand. */
import { useMemo, useState } from 'react'
import { countLines, type PreviewLimits, preview } from '../../model/preview.js'
import { visible, visibleOutput } from '../../model/visible.js'

export interface FoldedTextProps {
  text: string
  limits: PreviewLimits
  className: string
  /** `tail` for output that still grows. */
  end?: 'head' | 'tail'
  /** Output of a program: its colours are dropped. */
  output?: boolean
}

/** What is drawn at most, also when unfolded. */
const UNFOLDED = { lines: 20_000, chars: 400_000 }

export function FoldedText({ text, limits, className, end = 'head', output = false }: FoldedTextProps) {
  const [unfolded, setUnfolded] = useState(false)
  const { cut, drawn } = useMemo(() => {
    const kept = preview(text, end, unfolded ? UNFOLDED : limits)
    return { cut: kept, drawn: output ? visibleOutput(kept.text) : visible(kept.text) }
  }, [text, end, unfolded, limits, output])
  const foldable = unfolded || cut.chars > 0
  return (
    <>
      {end === 'tail' && cut.chars > 0 && <Rest lines={cut.lines} chars={cut.chars} where="above" />}
      <div className={className} dir="auto">
        {drawn}
      </div>
      {end === 'head' && unfolded && cut.chars > 0 && (
        <Rest lines={cut.lines} chars={cut.chars} where="below" />
      )}
      {foldable && (
        <button
          type="button"
          className="link-button fold-button"
          aria-expanded={unfolded}
          onClick={() => setUnfolded(!unfolded)}
        >
          {unfolded ? 'Show less' : `Show all (${size(text)})`}
        </button>
      )}
    </>
  )
}

function Rest({ lines, chars, where }: { lines: number; chars: number; where: string }) {
  const what = lines > 0 ? `${lines.toLocaleString('en')} lines` : `${chars.toLocaleString('en')} characters`
  return <div className="fold-rest muted">{`… ${what} ${where} are not shown`}</div>
}

function size(text: string): string {
  const lines = countLines(text)
  return lines > 1
    ? `${lines.toLocaleString('en')} lines`
    : `${Math.ceil(text.length / 1024).toLocaleString('en')} KB in one line`
}
