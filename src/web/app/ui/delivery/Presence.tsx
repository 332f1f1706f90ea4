/** @module web/ui/delivery/Presence - that someone else writes: in the terminal's prompt box, or in another page. */
import type { Conversation } from '../../model/view.js'
import { visible } from '../../model/visible.js'
import { useAppState } from '../hooks.js'

/** Characters of a draft that are shown. */
const SHOWN = 300

export function Presence({ sessionId, view }: { sessionId: string; view: Conversation | undefined }) {
  const typing = useAppState((state) => state.typists.has(sessionId))
  const draft = view?.terminalDraft ?? null
  return (
    <div className="presence">
      {draft !== null && draft !== '' && (
        <p data-testid="terminal-draft">
          Someone is typing in the terminal:{' '}
          <q className="presence-draft" dir="auto">
            {visible(draft.length > SHOWN ? `${draft.slice(0, SHOWN)}…` : draft)}
          </q>
        </p>
      )}
      <p role="status" data-testid="typing">
        {typing && 'Someone is typing in another page'}
      </p>
    </div>
  )
}
