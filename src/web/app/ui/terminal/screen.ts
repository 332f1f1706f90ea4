/** @module web/ui/terminal/screen - one terminal emulator in the page, fed by a session's record. */
import { Terminal } from '@xterm/xterm'
import type { TerminalLink } from '../../state/terminal-link.js'
import { cellRatio, FONT, fontSize } from './fit.js'
import { guard, isTyped } from './guard.js'

export interface ScreenOptions {
  readonly sessionId: string
  readonly link: TerminalLink
  /** A person wants out of the terminal with the keyboard. */
  readonly leave: () => void
}

const THEME = {
  background: '#15171a',
  foreground: '#d7dade',
  cursor: '#d7dade',
  selectionBackground: '#3d4a5c',
  black: '#2a2d31',
  red: '#e06c6c',
  green: '#7cc27c',
  yellow: '#d9b35f',
  blue: '#6ea5e8',
  magenta: '#c08be0',
  cyan: '#5fc0c4',
  white: '#c9ccd1',
  brightBlack: '#7d838c',
  brightRed: '#f08a8a',
  brightGreen: '#98da98',
  brightYellow: '#ecca7f',
  brightBlue: '#8fbdf5',
  brightMagenta: '#d5a8ef',
  brightCyan: '#85d8dc',
  brightWhite: '#f2f3f5',
}

/** Shows the terminal in `pane`, whose width decides the size of the letters. */
export class Screen {
  readonly #terminal: Terminal
  readonly #pane: HTMLElement
  readonly #ratio = cellRatio()
  readonly #stop: (() => void)[] = []
  #typing = false
  /** The pane shows the cursor's line, until a person scrolls elsewhere. */
  #following = true

  constructor(pane: HTMLElement, host: HTMLElement, { sessionId, link, leave }: ScreenOptions) {
    this.#pane = pane
    const terminal = new Terminal({
      fontFamily: FONT,
      fontSize: 12,
      scrollback: 1000,
      disableStdin: true,
      cursorInactiveStyle: 'outline',
      linkHandler: { activate: () => {}, allowNonHttpProtocols: false },
      windowOptions: {},
      theme: THEME,
      minimumContrastRatio: 3,
    })
    this.#terminal = terminal
    guard(terminal)
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
    terminal.onWriteParsed(() => this.#follow())
    const sizes = new ResizeObserver(() => this.#fit())
    sizes.observe(pane)
    const scrolled = () => {
      this.#following = pane.scrollHeight - pane.scrollTop - pane.clientHeight < 2
    }
    pane.addEventListener('wheel', scrolled, { passive: true })
    pane.addEventListener('touchmove', scrolled, { passive: true })
    this.#stop.push(
      () => sizes.disconnect(),
      () => pane.removeEventListener('wheel', scrolled),
      () => pane.removeEventListener('touchmove', scrolled),
      link.watch(sessionId, {
        snapshot: (cols, rows, screen) => {
          terminal.reset()
          this.#resize(cols, rows)
          this.#following = true
          terminal.write(screen)
        },
        bytes: (bytes) => terminal.write(bytes),
        resize: (cols, rows) => this.#resize(cols, rows),
      }),
    )
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
    for (const stop of this.#stop) stop()
    this.#terminal.dispose()
  }

  #resize(cols: number, rows: number): void {
    this.#terminal.resize(Math.max(2, cols), Math.max(1, rows))
    this.#fit()
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
