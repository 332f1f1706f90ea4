/** @module test/recording/situations/situation - what a situation is. */
import type { Wish } from '../kit.js'
import type { Scene } from '../scene.js'

export interface Situation {
  readonly name: string
  readonly cols: number
  readonly rows: number
  readonly wish: Wish
  /** Files of the working directory. */
  readonly files: Readonly<Record<string, string>>
  /** From the program's start to its last quiet moment. */
  play(scene: Scene): Promise<void>
}

type Options = Partial<Pick<Situation, 'cols' | 'rows' | 'files'>> & { readonly wish?: Partial<Wish> }

const WISH: Wish = { permission: 'auto', trusted: true, inline: false }

/** A situation that begins with a ready prompt. */
export function situation(
  name: string,
  play: (scene: Scene) => Promise<void>,
  { cols = 100, rows = 32, files = {}, wish = {} }: Options = {},
): Situation {
  return {
    name,
    cols,
    rows,
    files,
    wish: { ...WISH, ...wish },
    play: async (scene) => {
      if (wish.trusted !== false) await scene.ready()
      await play(scene)
    },
  }
}
