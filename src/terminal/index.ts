/**
 * @module Public face of the terminal room: programs on terminals, and headless screens that read their bytes.
 */
export {
  CAPPED,
  type Cast,
  type CastEvent,
  type CastEventKind,
  type CastHeader,
  castSize,
  type Redactions,
  whyCut,
} from './cast/cast.js'
export { readCast } from './cast/read-cast.js'
export { Redactor, redactText, redactValue } from './cast/redact.js'
export { Secrets, type SecretsOptions } from './cast/secrets.js'
export { openTail } from './cast/sequences.js'
export { type Leftover, patchCast, verifyRedacted } from './cast/verify-cast.js'
export { CastLines, type NewCastHeader, Utf8Text } from './cast/write-cast.js'
export type { Disposable } from './disposable.js'
export type { OnFault } from './events.js'
export { systemClock } from './frame-pacer.js'
export { isKeyName, type KeyName, keyBytes, keyNames } from './keys.js'
export { type ProcessEntry, processesUnder, processMark, untilEnded } from './process-tree.js'
export { openPtyHost, type PtyHostOptions } from './pty-host.js'
export { SCROLLBACK, Screen } from './screen.js'
export type { ScreenRow } from './screen-row.js'
export type {
  CellStyle,
  Color,
  Cursor,
  Frame,
  LogicalLine,
  ScreenClock,
  ScreenModes,
  ScreenOptions,
  ScreenSignals,
  StyledRun,
} from './screen-types.js'
export type {
  AttachCommand,
  Backend,
  LeftTerminal,
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
export { checkTmux } from './tmux-setup.js'
