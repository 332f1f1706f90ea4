/** @module web/ui/Workspace - list of sessions at the left (a drawer on narrow screens), the selected one beside it. */
import { lazy, Suspense, useEffect, useState } from 'react'
import { BannerLine } from './BannerLine.js'
import { useApp, useAppState } from './hooks.js'
import { NewSessionDialog } from './NewSessionDialog.js'
import { NoSession } from './NoSession.js'
import { SessionView } from './SessionView.js'
import { Sidebar } from './Sidebar.js'
import { STATE_WORDS } from './StateBadge.js'

// With its terminal it is heavy, and seldom looked at.
const PlayerView = lazy(() => import('./player/PlayerView.js'))

export function Workspace() {
  const app = useApp()
  const [drawer, setDrawer] = useState(false)
  const [creating, setCreating] = useState(false)
  const selected = useAppState((state) => state.selected)
  const info = useAppState((state) => (selected === null ? undefined : state.sessions.get(selected)))

  const playing = useAppState((state) => state.playing)

  useEffect(() => {
    const shown = playing?.name ?? (info && `${info.name} · ${STATE_WORDS[info.state]}`)
    document.title = shown === undefined ? 'agent-meow' : `${shown} · agent-meow`
  }, [info, playing])

  useEffect(() => {
    if (!drawer) return
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setDrawer(false)
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [drawer])

  const create = () => {
    setDrawer(false)
    setCreating(true)
  }
  const openDrawer = () => setDrawer(true)
  return (
    <div className="workspace" data-drawer={drawer}>
      <Sidebar
        onSelect={(id) => {
          app.select(id)
          setDrawer(false)
        }}
        onPlay={(name) => {
          app.play(name)
          setDrawer(false)
        }}
        onCreate={create}
      />
      {drawer && (
        <button
          type="button"
          className="drawer-shade"
          aria-label="Close the list"
          onClick={() => setDrawer(false)}
        />
      )}
      <main className="main">
        <BannerLine />
        {playing !== null ? (
          <Suspense fallback={<p className="pane-loading">Loading the player…</p>}>
            <PlayerView key={playing.name} place={playing} onMenu={openDrawer} />
          </Suspense>
        ) : info === undefined ? (
          <NoSession onMenu={openDrawer} onCreate={create} />
        ) : (
          <SessionView key={info.id} info={info} onMenu={openDrawer} />
        )}
      </main>
      {creating && <NewSessionDialog onClose={() => setCreating(false)} />}
    </div>
  )
}
