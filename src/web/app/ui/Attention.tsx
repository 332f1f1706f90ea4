/** @module web/ui/Attention - a dialog waits, or the screen is not recognised: said with the evidence. */
import type { Shown } from '../model/sessions.js'
import { visible } from '../model/visible.js'
import { useApp, useAppState } from './hooks.js'

/** Lines of evidence that are shown. */
const LINES = 8

export function Attention({ shown }: { shown: Shown }) {
  const app = useApp()
  const layout = useAppState((state) => state.layout)
  if (shown.state !== 'blocked' && shown.state !== 'unknown') return null
  const blocked = shown.state === 'blocked'
  return (
    <div className="attention" data-state={shown.state} role="status" data-testid="attention">
      <div className="attention-line">
        <strong>
          {blocked
            ? 'A dialog waits for you: answer it in the terminal.'
            : 'The screen is not recognised right now.'}
        </strong>
        {layout === 'conversation' && (
          <button type="button" className="button small" onClick={() => app.setLayout('split')}>
            Show the terminal
          </button>
        )}
      </div>
      {shown.evidence.length > 0 && (
        <details open={blocked}>
          <summary>What was seen</summary>
          <pre className="evidence">
            {visible(shown.evidence.slice(0, LINES).join('\n'))}
            {`\n(rule ${shown.rule})`}
          </pre>
        </details>
      )}
    </div>
  )
}
