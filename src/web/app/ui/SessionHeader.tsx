/** @module web/ui/SessionHeader - name, state, model, cost; what is shown; ends the session. */
import { useState } from 'react'
import type { SessionInfo } from '../../../protocol/session.js'
import { describeTokens, formatCost, formatCount, shortPath, tokenCount } from '../model/format.js'
import type { Shown } from '../model/sessions.js'
import { visible } from '../model/visible.js'
import { EndSessionDialog } from './EndSessionDialog.js'
import { LayoutSwitch } from './LayoutSwitch.js'
import { MenuButton } from './MenuButton.js'
import { RecordButton } from './recordings/RecordButton.js'
import { StateBadge } from './StateBadge.js'

export interface SessionHeaderProps {
  info: SessionInfo
  shown: Shown
  onMenu: () => void
}

export function SessionHeader({ info, shown, onMenu }: SessionHeaderProps) {
  const [ending, setEnding] = useState(false)
  const tokens = tokenCount(shown.tokens)
  return (
    <header className="session-header">
      <MenuButton onClick={onMenu} />
      <div className="session-title">
        <div className="session-title-line">
          <h1>{visible(info.name)}</h1>
          <span role="status" data-testid="state" data-state={shown.state}>
            <StateBadge state={shown.state} />
          </span>
        </div>
        <div className="session-meta muted">
          <span>
            {info.vendor}
            {info.vendorVersion !== null && ` ${visible(info.vendorVersion)}`}
          </span>
          {shown.model !== null && <span>{visible(shown.model)}</span>}
          {shown.mode !== null && <span>{visible(shown.mode)}</span>}
          <span className="session-meta-cwd" title={visible(info.cwd)}>
            {visible(shortPath(info.cwd))}
          </span>
        </div>
      </div>
      <div className="session-actions">
        <span className="cost" title={describeTokens(shown.tokens)}>
          <span data-testid="cost">{formatCost(shown.tokens, shown.usd)}</span>
          {tokens > 0 && (
            <span className="muted" data-testid="tokens">
              {` ${formatCount(tokens)} tokens`}
            </span>
          )}
        </span>
        <LayoutSwitch />
        <RecordButton sessionId={info.id} ended={shown.state === 'ended'} />
        <button
          type="button"
          className="button small"
          data-testid="end-session"
          disabled={shown.state === 'ended'}
          onClick={() => setEnding(true)}
        >
          End
        </button>
      </div>
      {ending && <EndSessionDialog info={info} onClose={() => setEnding(false)} />}
    </header>
  )
}
