/** @module web/ui/useAction - one call at a time, and what went wrong with the last one. */
import { useState } from 'react'
import { type ApiFault, asFault } from '../net/http.js'

export interface Action {
  readonly busy: boolean
  readonly fault: ApiFault | null
  /** True when it went well. Nothing is tried again by itself. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>
  readonly clear: () => void
}

export function useAction(): Action {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<ApiFault | null>(null)
  const run = async (act: () => Promise<unknown>) => {
    setBusy(true)
    setFault(null)
    try {
      await act()
      return true
    } catch (thrown) {
      setFault(asFault(thrown))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, fault, run, clear: () => setFault(null) }
}
