/** @module web/ui/hooks - how components reach the controller and its state. */
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import type { App } from '../state/app.js'
import type { AppState } from '../state/app-state.js'

export const AppContext = createContext<App | null>(null)

export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('no AppContext above this component')
  return app
}

/** A part of the state; `pick` must return the same object while nothing changed. */
export function useAppState<T>(pick: (state: AppState) => T): T {
  const { store } = useApp()
  return useSyncExternalStore(store.subscribe, () => pick(store.get()))
}

/** The time, anew every `everyMs` while `active`. */
export function useNow(everyMs: number, active: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!active) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, active])
  return now
}
