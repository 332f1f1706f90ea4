/** @module web/ui/composer/InterruptButton - stops the running turn, step by step, and says what was seen. */
import { useEffect, useState } from 'react'
import type { InterruptEntry } from '../../model/view.js'
import { visible } from '../../model/visible.js'
import { asFault } from '../../net/http.js'
import { useApp } from '../hooks.js'

type Outcome = { readonly tone: 'info' | 'error'; readonly text: string } | null

/** How long the answer stays. */
const SHOWN_MS = 8000

export interface InterruptButtonProps {
  sessionId: string
  active: boolean
  /** The interrupt that is under way, whoever asked for it. */
  underWay: InterruptEntry | null
}

export function InterruptButton({ sessionId, active, underWay }: InterruptButtonProps) {
  const app = useApp()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>(null)

  useEffect(() => {
    if (outcome?.tone !== 'info') return
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])

  const interrupt = async () => {
    setBusy(true)
    setOutcome(null)
    try {
      const { result, evidence } = await app.interrupt(sessionId)
      const seen = evidence.length === 0 ? '' : `; seen: ${evidence.join(', ')}`
      setOutcome({ tone: 'info', text: result === 'idle' ? 'Nothing was running.' : `Interrupted${seen}` })
    } catch (thrown) {
      const fault = asFault(thrown)
      setOutcome({ tone: 'error', text: `Not interrupted: ${fault.message} ${fault.hint ?? ''}` })
    } finally {
      setBusy(false)
    }
  }
  const step = underWay?.stages.at(-1)
  const stage =
    step === undefined ? null : `${step.stage === 'again' ? 'Asked again' : 'Asked'}: ${step.detail}`
  const said = outcome?.text ?? stage
  return (
    <>
      <span
        className="interrupt-outcome"
        role="status"
        data-tone={outcome?.tone}
        data-testid="interrupt-outcome"
      >
        {said !== null && visible(said)}
      </span>
      <button
        type="button"
        className="button interrupt-button"
        data-testid="interrupt"
        disabled={!active || busy}
        onClick={() => void interrupt()}
      >
        {busy ? 'Interrupting…' : 'Interrupt'}
      </button>
    </>
  )
}
