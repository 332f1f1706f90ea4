/** @module web/ui/player/PlayerConversation - the conversation as far as the recording has come. */
import { visible } from '../../model/visible.js'
import type { Player } from '../../state/player.js'
import { ConversationLog } from '../ConversationLog.js'
import { FaultNote } from '../FaultNote.js'
import { usePlayer } from './use-player.js'

export function PlayerConversation({ player }: { player: Player }) {
  const view = usePlayer(player, (state) => state.view)
  const summary = usePlayer(player, (state) => state.summary)
  const fault = usePlayer(player, (state) => state.replayFault)
  const ended = usePlayer(player, ({ at, length }) => at >= length)
  const seconds = usePlayer(player, ({ at }) => Math.floor(at))
  const running = view?.state?.state === 'running'
  return (
    <div className="player-conversation">
      {fault !== null && (
        <div className="player-note">
          <p>The conversation could not be read back.</p>
          <FaultNote fault={fault} />
        </div>
      )}
      {summary?.detail != null && (
        <p className="player-note" role="status" data-testid="replay-note">
          {visible(`Not the whole conversation: ${summary.detail}.`)}
        </p>
      )}
      {fault === null && (
        <ConversationLog
          view={view ?? undefined}
          running={running && !ended}
          ended={ended}
          at={seconds * 1000}
        />
      )}
    </div>
  )
}
