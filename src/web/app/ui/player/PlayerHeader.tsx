/** @module web/ui/player/PlayerHeader - which recording, of what, and the state at this time of it. */
import { formatClock, formatDate } from '../../model/format.js'
import { visible } from '../../model/visible.js'
import type { Player } from '../../state/player.js'
import { sessionHash } from '../../state/route.js'
import { useAppState } from '../hooks.js'
import { MenuButton } from '../MenuButton.js'
import { StateBadge } from '../StateBadge.js'
import { usePlayer } from './use-player.js'

export interface PlayerHeaderProps {
  player: Player
  name: string
  onMenu: () => void
}

export function PlayerHeader({ player, name, onMenu }: PlayerHeaderProps) {
  const info = useAppState((state) => state.recordings?.find((one) => one.name === name))
  const session = useAppState((state) =>
    info === undefined ? undefined : state.sessions.get(info.sessionId),
  )
  const length = usePlayer(player, (state) => state.length)
  const state = usePlayer(player, ({ view }) => view?.state?.state)
  return (
    <header className="session-header">
      <MenuButton onClick={onMenu} />
      <div className="session-title">
        <div className="session-title-line">
          <h1>{visible(name)}</h1>
          {state !== undefined && (
            <span data-testid="player-state" data-state={state}>
              <StateBadge state={state} />
            </span>
          )}
        </div>
        <div className="session-meta muted">
          {info !== undefined && (
            <>
              <span>
                {visible(info.vendor)}
                {info.vendorVersion !== null && ` ${visible(info.vendorVersion)}`}
              </span>
              <span>{formatDate(info.startedAt)}</span>
            </>
          )}
          {length > 0 && <span>{formatClock(length)}</span>}
          {info?.state === 'recording' && <span>still being recorded</span>}
        </div>
      </div>
      <div className="session-actions">
        {session !== undefined && (
          <a className="link-button" href={sessionHash(session.id)}>
            Session
          </a>
        )}
        <a
          className="link-button"
          href={`/v1/recordings/${encodeURIComponent(name)}`}
          download={`${name}.cast`}
        >
          Download
        </a>
      </div>
    </header>
  )
}
