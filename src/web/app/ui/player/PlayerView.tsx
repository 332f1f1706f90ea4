/** @module web/ui/player/PlayerView - a recording: its terminal at the left, its conversation beside it, controls below. */
import '@xterm/xterm/css/xterm.css'
import '../../styles/player.css'
import { useEffect, useState } from 'react'
import { Player } from '../../state/player.js'
import { type RecordingPlace, recordingHash } from '../../state/route.js'
import { PlayerConversation } from './PlayerConversation.js'
import { PlayerHeader } from './PlayerHeader.js'
import { PlayerTerminal } from './PlayerTerminal.js'
import { playerKeys } from './player-keys.js'
import { Transport } from './Transport.js'

/** A moment of rest before the address tells the place: a bar that is dragged passes many. */
const ADDRESS_MS = 400

export default function PlayerView({ place, onMenu }: { place: RecordingPlace; onMenu: () => void }) {
  const { name, at } = place
  const [player, setPlayer] = useState<Player | null>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const made = new Player(name, (seconds) => {
      clearTimeout(timer)
      timer = setTimeout(() => history.replaceState(null, '', recordingHash(name, seconds)), ADDRESS_MS)
    })
    setPlayer(made)
    void made.load()
    const onKey = playerKeys(made)
    addEventListener('keydown', onKey)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', onKey)
      made.dispose()
    }
  }, [name])

  // The address named another time: at first, and whenever a link in the page does.
  useEffect(() => {
    if (player !== null && at !== null) player.seek(at)
  }, [player, at])

  if (player === null) return null
  return (
    <section className="player" aria-label="Recording" data-testid="player">
      <PlayerHeader player={player} name={name} onMenu={onMenu} />
      <div className="player-body">
        <PlayerTerminal player={player} />
        <PlayerConversation player={player} />
      </div>
      <Transport player={player} />
    </section>
  )
}
