/** @module web/ui/player/Transport - the player's controls. */
import { formatClock } from '../../model/format.js'
import { SPEEDS } from '../../model/recording/pace.js'
import { IDLE_LIMIT } from '../../model/recording/timeline.js'
import type { Player } from '../../state/player.js'
import { SeekBar } from './SeekBar.js'
import { usePlayer } from './use-player.js'

export function Transport({ player }: { player: Player }) {
  const ready = usePlayer(player, (state) => state.cast !== null)
  const playing = usePlayer(player, (state) => state.playing)
  const marked = usePlayer(player, (state) => state.markers.length > 0)
  const speed = usePlayer(player, (state) => state.speed)
  const cutPauses = usePlayer(player, (state) => state.cutPauses)
  return (
    <div className="transport" role="toolbar" aria-label="Player" data-playing={playing}>
      <SeekBar player={player} />
      <div className="transport-buttons">
        <button
          type="button"
          className="button primary small transport-toggle"
          data-testid="player-toggle"
          aria-keyshortcuts="Space"
          disabled={!ready}
          onClick={() => player.toggle()}
        >
          {playing ? 'Pause' : 'Play'}
        </button>
        <button
          type="button"
          className="button small"
          aria-label="Previous marker"
          aria-keyshortcuts="["
          title="Previous turn or dialog ([)"
          data-testid="player-previous"
          disabled={!ready || !marked}
          onClick={() => player.jump('previous')}
        >
          ‹ Marker
        </button>
        <button
          type="button"
          className="button small"
          aria-label="Next marker"
          aria-keyshortcuts="]"
          title="Next turn or dialog (])"
          data-testid="player-next"
          disabled={!ready || !marked}
          onClick={() => player.jump('next')}
        >
          Marker ›
        </button>
        <Time player={player} />
        <span className="transport-space" />
        <button
          type="button"
          role="switch"
          className="switch"
          aria-checked={cutPauses}
          title={`Pauses are watched in ${IDLE_LIMIT} s at most`}
          data-testid="player-pauses"
          onClick={() => player.setCutPauses(!cutPauses)}
        >
          <span className="switch-knob" aria-hidden="true" />
          Cut long pauses
        </button>
        <label className="transport-speed">
          <span>Speed</span>
          <select
            value={speed}
            data-testid="player-speed"
            onChange={(event) => player.setSpeed(Number(event.target.value))}
          >
            {SPEEDS.map((one) => (
              <option key={one} value={one}>
                {one}×
              </option>
            ))}
          </select>
        </label>
      </div>
    </div>
  )
}

function Time({ player }: { player: Player }) {
  const at = usePlayer(player, (state) => Math.floor(state.at))
  const length = usePlayer(player, (state) => state.length)
  return (
    <span className="transport-time" data-testid="player-time">
      {formatClock(at)} / {formatClock(length)}
    </span>
  )
}
