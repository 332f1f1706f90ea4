/** @module web/ui/EndSessionDialog - asks before a program is ended. */
import { useState } from 'react'
import type { SessionInfo } from '../../../protocol/session.js'
import { visible } from '../model/visible.js'
import { type ApiFault, asFault } from '../net/http.js'
import { Dialog } from './Dialog.js'
import { FaultNote } from './FaultNote.js'
import { useApp } from './hooks.js'

export function EndSessionDialog({ info, onClose }: { info: SessionInfo; onClose: () => void }) {
  const app = useApp()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<ApiFault | null>(null)

  const end = async () => {
    setBusy(true)
    setFault(null)
    try {
      await app.endSession(info.id)
      onClose()
    } catch (thrown) {
      setFault(asFault(thrown))
      setBusy(false)
    }
  }
  return (
    <Dialog title="End this session?" onClose={onClose} testId="end-dialog">
      <p>
        The program of <strong>{visible(info.name)}</strong> is ended, also in its terminal. The conversation
        stays readable here.
      </p>
      {fault !== null && <FaultNote fault={fault} />}
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          Keep it
        </button>
        <button
          type="button"
          className="button danger"
          data-testid="end-confirm"
          disabled={busy}
          onClick={() => void end()}
        >
          {busy ? 'Ending…' : 'End session'}
        </button>
      </div>
    </Dialog>
  )
}
