/**
 * @module Public face of the terminal room: programs on terminals, and headless screens that read their bytes.
 */
export type { Disposable } from './disposable.js'
export type { OnFault } from './events.js'
export { isKeyName, type KeyName, keyNames } from './keys.js'
export { openPtyHost, type PtyHostOptions } from './pty-host.js'
export { Screen } from './screen.js'
export type {
  CellStyle,
  Color,
  Cursor,
  Frame,
  LogicalLine,
  ScreenClock,
  ScreenModes,
  ScreenOptions,
  StyledRun,
} from './screen-types.js'
export type {
  AttachCommand,
  Backend,
  Terminal,
  TerminalExit,
  TerminalGap,
  TerminalHost,
  TerminalInfo,
  TerminalSize,
  TerminalSpec,
} from './terminal.js'
export { openTmuxHost, type TmuxHostOptions } from './tmux-host.js'
export { attachLine, tmuxServerRuns } from './tmux-join.js'
