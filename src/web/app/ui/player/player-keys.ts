/** @module web/ui/player/player-keys - the keyboard of a player: space, arrows, [ and ]. */
import type { Player } from '../../state/player.js'

/** Seconds that an arrow key skips, of watched time. */
const SKIP = 5

/** What a person may be writing or choosing in has its own use for keys. */
const TAKES_KEYS = 'input:not([type=range]), textarea, select, dialog'
const TAKES_SPACE = 'button, summary, a[href]'

export function playerKeys(player: Player): (event: KeyboardEvent) => void {
  return (event) => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const on = target instanceof Element ? target : null
    if (on?.closest(TAKES_KEYS) || (key === ' ' && on?.closest(TAKES_SPACE))) return
    if (act(player, key)) event.preventDefault()
  }
}

/** False for a key that means nothing here. */
function act(player: Player, key: string): boolean {
  switch (key) {
    case ' ':
      player.toggle()
      return true
    case 'ArrowLeft':
    case 'ArrowRight':
      player.skip(key === 'ArrowLeft' ? -SKIP : SKIP)
      return true
    case '[':
    case ']':
      player.jump(key === '[' ? 'previous' : 'next')
      return true
    default:
      return false
  }
}
