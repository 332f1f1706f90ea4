/**
 * @module web/ui/player/cast-screen - a recording's output in a terminal, at any time of it.
 *
 * Forward, the terminal is fed what follows. Back, a second one is fed from the start without being drawn, and takes
 * the first one's place when it has caught up. What programs ask is never answered, and nothing is ever sent.
 */
import type { Terminal } from '@xterm/xterm'
import type { CastFrame, Recorded } from '../../model/recording/cast.js'
import { makeTerminal } from '../terminal/make.js'
import { PaneFit } from '../terminal/pane-fit.js'

/** Text that is written in one go, in UTF-16 units. */
const BATCH = 256 * 1024

export class CastScreen {
  readonly #pane: HTMLElement
  readonly #host: HTMLElement
  readonly #cast: Recorded
  readonly #told: (caughtUp: boolean) => void
  #shown: { readonly terminal: Terminal; readonly fit: PaneFit } | null = null
  /** The terminal that is fed: the shown one, or one that will take its place. */
  #fed: Terminal
  /** Frames that it has. */
  #have = 0
  #want = 0
  #pumping = false
  #disposed = false

  /** `told`: whether the terminal shows what it should. */
  constructor(pane: HTMLElement, host: HTMLElement, cast: Recorded, told: (caughtUp: boolean) => void) {
    this.#pane = pane
    this.#host = host
    this.#cast = cast
    this.#told = told
    this.#fed = this.#fresh()
    void this.#pump()
  }

  /** Shows the screen as it was at a time, in recorded seconds. */
  show(time: number): void {
    const want = countUpTo(this.#cast.frames, time)
    if (want === this.#want) return
    this.#want = want
    void this.#pump()
  }

  dispose(): void {
    this.#disposed = true
    this.#shown?.fit.dispose()
    this.#shown?.terminal.dispose()
    this.#fed.dispose()
  }

  #fresh(): Terminal {
    const terminal = makeTerminal()
    terminal.resize(Math.max(2, this.#cast.cols), this.#cast.rows)
    return terminal
  }

  /** One at a time; what is wanted may change while it works. */
  async #pump(): Promise<void> {
    if (this.#pumping) return
    this.#pumping = true
    let told = false
    for (;;) {
      if (this.#disposed) return
      if (this.#want < this.#have) this.#rewind()
      else if (this.#have === this.#want) break
      else {
        if (!told && this.#want - this.#have > 1) this.#told(false)
        told = true
        await this.#feed()
      }
    }
    this.#draw()
    this.#pumping = false
    this.#told(true)
  }

  #rewind(): void {
    if (this.#fed !== this.#shown?.terminal) this.#fed.dispose()
    this.#fed = this.#fresh()
    this.#have = 0
  }

  /** A size, or as much output as may go at once. */
  async #feed(): Promise<void> {
    const { frames } = this.#cast
    const terminal = this.#fed
    const first = frames[this.#have]
    if (first?.kind === 'size') {
      this.#have += 1
      if (terminal === this.#shown?.terminal) this.#shown.fit.resize(first.cols, first.rows)
      else terminal.resize(Math.max(2, first.cols), first.rows)
      return
    }
    let text = ''
    while (this.#have < this.#want && text.length < BATCH) {
      const frame = frames[this.#have]
      if (frame?.kind !== 'output') break
      text += frame.text
      this.#have += 1
    }
    await new Promise<void>((resolve) => terminal.write(text, resolve))
  }

  /** Puts a terminal that has caught up in the place of the shown one. */
  #draw(): void {
    const terminal = this.#fed
    if (this.#shown?.terminal === terminal) return
    this.#shown?.fit.dispose()
    this.#shown?.terminal.dispose()
    terminal.attachCustomKeyEventHandler(() => false)
    terminal.open(this.#host)
    const area = terminal.textarea
    if (area !== undefined) {
      area.tabIndex = -1
      area.readOnly = true
    }
    this.#shown = { terminal, fit: new PaneFit(this.#pane, terminal) }
  }
}

/** How many frames there are up to a time, that time included. */
function countUpTo(frames: readonly CastFrame[], time: number): number {
  let low = 0
  let high = frames.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((frames[middle]?.at ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return low
}
