/** @module web/ui/player/SeekBar - where it stands, and the places to jump to. */
import { type CSSProperties, memo } from 'react'
import { formatClock } from '../../model/format.js'
import type { Marker } from '../../model/recording/markers.js'
import type { Timeline } from '../../model/recording/timeline.js'
import type { Player } from '../../state/player.js'
import { usePlayer } from './use-player.js'

export function SeekBar({ player }: { player: Player }) {
  const watched = usePlayer(player, (state) => state.watched)
  const at = usePlayer(player, (state) => state.at)
  const length = usePlayer(player, (state) => state.length)
  const timeline = usePlayer(player, (state) => state.timeline)
  const markers = usePlayer(player, (state) => state.markers)
  const most = timeline.watchedLength
  return (
    <div className="seek" style={placed(most === 0 ? 0 : watched / most)}>
      <input
        type="range"
        min={0}
        max={most}
        step="any"
        value={Math.min(watched, most)}
        disabled={most === 0}
        aria-label="Position"
        aria-valuetext={`${formatClock(at)} of ${formatClock(length)}`}
        data-testid="player-seek"
        onChange={(event) => player.seekWatched(Number(event.target.value))}
      />
      <Markers markers={markers} timeline={timeline} onJump={(seconds) => player.seek(seconds)} />
    </div>
  )
}

interface MarkersProps {
  markers: readonly Marker[]
  timeline: Timeline
  onJump: (seconds: number) => void
}

/** With the keyboard they are reached by the buttons for the next and the previous one. */
const Markers = memo(
  function Markers({ markers, timeline, onJump }: MarkersProps) {
    const most = timeline.watchedLength
    if (most === 0) return null
    return markers.map(({ at, kind, label }) => (
      <button
        key={`${kind}:${at}`}
        type="button"
        tabIndex={-1}
        className="seek-marker"
        data-testid="player-marker"
        data-kind={kind}
        style={placed(timeline.watched(at) / most)}
        title={`${label} (${formatClock(at)})`}
        aria-label={`${label}, ${formatClock(at)}`}
        onClick={() => onJump(at)}
      />
    ))
  },
  (a, b) => a.markers === b.markers && a.timeline === b.timeline,
)

/** For the style sheet: a part of the bar, from 0 to 1. */
function placed(at: number): CSSProperties {
  return { ['--at' as string]: at }
}
