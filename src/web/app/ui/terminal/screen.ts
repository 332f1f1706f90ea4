/** @module web/ui/terminal/screen - one terminal emulator in the page, fed by a session's record. */
import type { Terminal } from '@xterm/xterm'
import type { TerminalLink } from '../../state/terminal-link.js'
import { isTyped } from './guard.js'
import { makeTerminal } from './make.js'
import { PaneFit } from './pane-fit.js'

export interface ScreenOptions {
  readonly sessionId: string
  readonly link: TerminalLink
  /** A person wants out of the terminal with the keyboard. */
  readonly leave: () => void
}

/** Shows the terminal in `pane`, whose width decides the size of the letters. */
export class Screen {
  readonly #terminal: Terminal
  readonly #fit: PaneFit
  readonly #stop: () => void
  #typing = false

  constructor(pane: HTMLElement, host: HTMLElement, { sessionId, link, leave }: ScreenOptions) {
    const terminal = makeTerminal()
    this.#terminal = terminal
    terminal.open(host)
    terminal.attachCustomKeyEventHandler((event) => {
      if (!this.#typing) return false
      if (event.type === 'keydown' && event.key === 'Escape' && event.shiftKey) {
        leave()
        return false
      }
      return true
    })
    terminal.onData((data) => {
      if (this.#typing && isTyped(data)) link.input(sessionId, new TextEncoder().encode(data))
    })
    const fit = new PaneFit(pane, terminal)
    this.#fit = fit
    this.#stop = link.watch(sessionId, {
      snapshot: (cols, rows, screen) => {
        terminal.reset()
        fit.resize(cols, rows)
        fit.restart()
        terminal.write(screen)
      },
      bytes: (bytes) => terminal.write(bytes),
      resize: (cols, rows) => fit.resize(cols, rows),
    })
    this.setTyping(false)
  }

  /** Whether a person's keys go to the program. */
  setTyping(typing: boolean): void {
    this.#typing = typing
    this.#terminal.options.disableStdin = !typing
    this.#terminal.options.cursorBlink = typing
    const area = this.#terminal.textarea
    if (area !== undefined) {
      area.tabIndex = typing ? 0 : -1
      area.readOnly = !typing
    }
    if (typing) this.#terminal.focus()
    else this.#terminal.blur()
  }

  dispose(): void {
    this.#stop()
    this.#fit.dispose()
    this.#terminal.dispose()
  }
}
