/** @module web/ui/player/use-player - how the player's components reach its state. */
import { useSyncExternalStore } from 'react'
import type { Player, PlayerState } from '../../state/player.js'

/** A part of the state; `pick` must return the same object while nothing changed. */
export function usePlayer<T>({ store }: Player, pick: (state: PlayerState) => T): T {
  return useSyncExternalStore(store.subscribe, () => pick(store.get()))
}
