/** @module web/ui/NoSession - the main part while no session is shown. */
import { useAppState } from './hooks.js'
import { MenuButton } from './MenuButton.js'

export function NoSession({ onMenu, onCreate }: { onMenu: () => void; onCreate: () => void }) {
  const selected = useAppState((state) => state.selected)
  const known = useAppState((state) => state.sessionsKnown)
  return (
    <div className="no-session">
      <div className="no-session-bar">
        <MenuButton onClick={onMenu} />
      </div>
      <div className="no-session-body">
        {!known ? (
          <p role="status">Loading sessions…</p>
        ) : selected !== null ? (
          <p role="status">The hub knows no session with this address. Choose one from the list.</p>
        ) : (
          <>
            <h1>No sessions yet</h1>
            <p className="muted">
              Start a coding agent here, or run <code>agent-meow run</code> in a terminal: it shows up in the
              list.
            </p>
            <button type="button" className="button primary" onClick={onCreate}>
              New session
            </button>
          </>
        )}
      </div>
    </div>
  )
}
