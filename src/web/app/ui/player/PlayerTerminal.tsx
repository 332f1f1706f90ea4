/** @module web/ui/player/PlayerTerminal - the recorded terminal; nothing can be typed into it. */
import { useEffect, useRef } from 'react'
import type { Player } from '../../state/player.js'
import { FaultNote } from '../FaultNote.js'
import { CastScreen } from './cast-screen.js'
import { usePlayer } from './use-player.js'

export function PlayerTerminal({ player }: { player: Player }) {
  const pane = useRef<HTMLElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const cast = usePlayer(player, (state) => state.cast)
  const fault = usePlayer(player, (state) => state.castFault)
  const caughtUp = usePlayer(player, (state) => state.caughtUp)

  useEffect(() => {
    if (cast === null || pane.current === null || host.current === null) return
    const screen = new CastScreen(pane.current, host.current, cast, (is) => player.caughtUp(is))
    player.attach(screen)
    return () => screen.dispose()
  }, [cast, player])

  return (
    <section
      className="player-terminal"
      aria-label="Recorded terminal"
      aria-busy={!caughtUp}
      data-testid="player-terminal"
      data-caught-up={caughtUp}
      ref={pane}
    >
      <div className="terminal-host" ref={host} />
      {fault !== null && <FaultNote fault={fault} />}
      {cast === null && fault === null && <p role="status">Loading the recording…</p>}
      {cast?.cut === true && <p className="player-note">The end of this recording is missing.</p>}
    </section>
  )
}
