/** @module web/ui/recordings/RecordingList - the recordings, below the sessions; folded until a person wants them. */
import { memo, useEffect, useState } from 'react'
import type { RecordingInfo } from '../../../../protocol/session.js'
import { formatClock, formatDate } from '../../model/format.js'
import { visible } from '../../model/visible.js'
import { useApp, useAppState } from '../hooks.js'

/** Rows that are drawn at first, and further ones with each wish for more. */
const PAGE = 50

export function RecordingList({ onPlay }: { onPlay: (recording: string) => void }) {
  const app = useApp()
  const recordings = useAppState((state) => state.recordings)
  const fault = useAppState((state) => state.recordingsFault)
  const playing = useAppState((state) => state.playing?.name ?? null)
  const [open, setOpen] = useState(playing !== null)
  const [limit, setLimit] = useState(PAGE)

  useEffect(() => {
    if (open) void app.loadRecordings()
  }, [open, app])

  return (
    <details className="recordings" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary data-testid="recordings">
        Recordings
        {recordings !== null && recordings.length > 0 && <span className="muted"> {recordings.length}</span>}
      </summary>
      {open && (
        <nav className="recording-list" aria-label="Recordings" data-testid="recording-list">
          {recordings?.slice(0, limit).map((info) => (
            <RecordingRow key={info.name} info={info} current={info.name === playing} onPlay={onPlay} />
          ))}
          {recordings !== null && recordings.length > limit && (
            <button type="button" className="link-button" onClick={() => setLimit(limit + PAGE)}>
              Show more ({recordings.length - limit})
            </button>
          )}
          {recordings?.length === 0 && (
            <p className="muted session-list-empty">None yet: “Record” in a session makes one.</p>
          )}
          {fault !== null && <p className="muted session-list-empty">Not known: {fault.message}</p>}
        </nav>
      )}
    </details>
  )
}

interface RowProps {
  info: RecordingInfo
  current: boolean
  onPlay: (recording: string) => void
}

const RecordingRow = memo(function RecordingRow({ info, current, onPlay }: RowProps) {
  return (
    <button
      type="button"
      className="session-row"
      data-testid="recording-item"
      data-recording={info.name}
      aria-current={current ? 'page' : undefined}
      onClick={() => onPlay(info.name)}
    >
      <span className="session-row-line">
        <span className="session-name">{visible(info.name)}</span>
        <span className="muted">{lengthOf(info)}</span>
      </span>
      <span className="session-row-line muted">
        <span>
          {visible(info.vendor)}
          {info.vendorVersion !== null && ` ${visible(info.vendorVersion)}`}
        </span>
        <span>{formatDate(info.startedAt)}</span>
      </span>
    </button>
  )
})

/** What the list knows of the length; a recording that lost its hub has no known end. */
function lengthOf({ state, startedAt, endedAt }: RecordingInfo): string {
  if (state === 'recording') return 'recording…'
  return endedAt === null ? 'length unknown' : formatClock((endedAt - startedAt) / 1000)
}
