/** @module session/ghosts - texts of ours that may turn up in the prompt box when nobody waits for them any more. Pure. */
import type { Adapter, Prompt, Reading } from '../adapter/index.js'

/** How many are looked for; the newest. */
const MOST = 20
/** Shorter ones cannot be told from what a person types in one moment, in characters. */
const SHORTEST = 4

/**
 * Failed prompts. A program may show a paste long after it was given up; that text is ours to take out, and no draft.
 * What a person types grows sign by sign; a paste fills an empty box at once.
 */
export class Ghosts {
  private readonly prompts: Prompt[] = []
  private box = ''
  private boxBefore = ''

  constructor(private readonly stillInBox: Adapter['stillInBox']) {}

  add({ messageId, text, images }: Prompt): void {
    if (text.length < SHORTEST) return
    this.prompts.push({ messageId, text, images })
    if (this.prompts.length > MOST) this.prompts.shift()
  }

  /** Takes out the one whose text fills the box; undefined where none does. Called with every reading. */
  inBox(reading: Reading | null): Prompt | undefined {
    const shown = reading?.composer?.text
    if (shown === undefined || reading?.dialog) return undefined
    if (shown !== this.box) {
      this.boxBefore = this.box
      this.box = shown
    }
    if (shown === '' || this.boxBefore !== '') return undefined
    const at = this.prompts.findIndex((prompt) => this.stillInBox?.(prompt, reading) ?? false)
    return at < 0 ? undefined : this.prompts.splice(at, 1)[0]
  }
}
