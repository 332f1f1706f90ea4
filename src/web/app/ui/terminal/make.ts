/** @module web/ui/terminal/make - the page's terminals: how they look, and what their programs may not do. */
import { Terminal } from '@xterm/xterm'
import { FONT } from './fit.js'
import { guard } from './guard.js'

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

/** A guarded terminal that takes no keys; not drawn before it is opened. */
export function makeTerminal(): Terminal {
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
  guard(terminal)
  return terminal
}
