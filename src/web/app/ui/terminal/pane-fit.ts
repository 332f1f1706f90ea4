/** @module web/ui/terminal/pane-fit - a terminal of fixed columns in a pane: letters that fit, the cursor in sight. */
import type { Terminal } from '@xterm/xterm'
import { cellRatio, fontSize } from './fit.js'

/** Takes care of an opened terminal until it is disposed of; the terminal stays the caller's. */
export class PaneFit {
  readonly #terminal: Terminal
  readonly #pane: HTMLElement
  readonly #ratio = cellRatio()
  readonly #stop: (() => void)[] = []
  /** The pane shows the cursor's line, until a person scrolls elsewhere. */
  #following = true

  constructor(pane: HTMLElement, terminal: Terminal) {
    this.#pane = pane
    this.#terminal = terminal
    const parsed = terminal.onWriteParsed(() => this.#follow())
    const sizes = new ResizeObserver(() => this.#fit())
    sizes.observe(pane)
    const scrolled = () => {
      this.#following = pane.scrollHeight - pane.scrollTop - pane.clientHeight < 2
    }
    pane.addEventListener('wheel', scrolled, { passive: true })
    pane.addEventListener('touchmove', scrolled, { passive: true })
    this.#stop.push(
      () => parsed.dispose(),
      () => sizes.disconnect(),
      () => pane.removeEventListener('wheel', scrolled),
      () => pane.removeEventListener('touchmove', scrolled),
    )
  }

  /** Another screen begins: its cursor is followed again. */
  restart(): void {
    this.#following = true
  }

  resize(cols: number, rows: number): void {
    this.#terminal.resize(Math.max(2, cols), Math.max(1, rows))
    this.#fit()
  }

  dispose(): void {
    for (const stop of this.#stop) stop()
  }

  #fit(): void {
    const width = this.#pane.clientWidth
    if (width > 0) this.#terminal.options.fontSize = fontSize(width, this.#terminal.cols, this.#ratio)
  }

  /** Brings the cursor's line into the pane when the terminal is taller than it. */
  #follow(): void {
    const height = this.#terminal.element?.clientHeight ?? 0
    if (!this.#following || height <= this.#pane.clientHeight) return
    const line = height / this.#terminal.rows
    const bottom = (this.#terminal.buffer.active.cursorY + 3) * line
    const { scrollTop, clientHeight } = this.#pane
    if (bottom > scrollTop + clientHeight) this.#pane.scrollTop = bottom - clientHeight
    else if (bottom - 4 * line < scrollTop) this.#pane.scrollTop = Math.max(0, bottom - 4 * line)
  }
}
