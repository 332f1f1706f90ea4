/** @module web/ui/recordings/RecordButton - begins and ends the recording of a living session. */
import { useState } from 'react'
import { recordingHash } from '../../state/route.js'
import { useApp, useAppState } from '../hooks.js'

export function RecordButton({ sessionId, ended }: { sessionId: string; ended: boolean }) {
  const app = useApp()
  const known = useAppState((state) => state.recordings !== null)
  const running = useAppState(
    (state) =>
      state.recordings?.some((one) => one.sessionId === sessionId && one.state === 'recording') ?? false,
  )
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  // A hub that tells of no recordings makes none.
  if (!known || (ended && made === null)) return null

  const press = async () => {
    setBusy(true)
    setMade(null)
    const recording = await app.record(sessionId, running ? 'stop' : 'start')
    if (running && recording !== null) setMade(recording.name)
    setBusy(false)
  }
  return (
    <>
      {made !== null && (
        <a className="link-button" href={recordingHash(made)} data-testid="play-made">
          Play the recording
        </a>
      )}
      {!ended && (
        <button
          type="button"
          className="button small record-button"
          data-testid="record"
          data-recording={running}
          disabled={busy}
          onClick={() => void press()}
        >
          <span className="record-dot" aria-hidden="true" />
          {running ? 'Stop recording' : 'Record'}
        </button>
      )}
    </>
  )
}
