/**
 * @module What a terminal is, whatever holds it: one program on one pty, its bytes, its keys, its end.
 *
 * Both backends (tmux and a bare pty) keep exactly this contract and pass one behaviour suite. The record file is the
 * truth: a listener sees the bytes that are in it, by offset, each byte once.
 */
import type { Disposable } from './disposable.js'
import type { KeyName } from './keys.js'

export type { Disposable } from './disposable.js'
export type { KeyName } from './keys.js'

/** What is needed to start one program on a terminal. */
export interface TerminalSpec {
  /** Unique on the host; `[a-z0-9-]`, 1 to 64 characters. It is the tmux session's name. */
  readonly id: string
  /** The program and its arguments, run directly and never by a shell. */
  readonly argv: readonly string[]
  /** An existing folder; a missing one is an error, never silently the home folder. */
  readonly cwd: string
  /** The WHOLE environment of the program: nothing is inherited. Under tmux, TERM, TMUX and TMUX_PANE are tmux's. */
  readonly env: Readonly<Record<string, string>>
  /** Width at birth in cells, 2 to 1000. */
  readonly cols: number
  /** Height at birth in cells, 2 to 1000. */
  readonly rows: number
  /** Where the program's raw output goes from byte 0. Made 0600; an existing file must be empty. */
  readonly recordFile: string
}

/** How the program ended. Both are null when nobody can know (the tmux server died, a person killed the window). */
export interface TerminalExit {
  readonly code: number | null
  /** A name such as `SIGHUP`. */
  readonly signal: string | null
}

export interface TerminalSize {
  readonly cols: number
  readonly rows: number
}

/** Bytes that the program wrote but that the record does not have. */
export interface TerminalGap {
  /** Position in the record where bytes are missing. */
  readonly atOffset: number
  readonly reason: string
}

/** What a person's own terminal runs to be on the very same process. */
export interface AttachCommand {
  readonly argv: readonly string[]
  /** Added to the person's environment. */
  readonly env?: Readonly<Record<string, string>>
}

export type Backend = 'tmux' | 'pty'

/**
 * One program on one terminal. Input methods reject with `terminal_gone` once the program ended.
 *
 * Input keeps the order of the calls. Nothing here waits for the program to react: seeing that is the caller's work.
 */
export interface Terminal {
  readonly id: string
  readonly backend: Backend
  /** The program itself, not a wrapper. */
  readonly pid: number
  readonly size: TerminalSize

  /** Every byte from 0, in order, once; `offset` is the record position of the first one. A late listener catches up. */
  onData(listener: (bytes: Uint8Array, offset: number) => void): Disposable
  /** Called once, after the last byte was delivered to every data listener. A late listener is called too. */
  onExit(listener: (exit: TerminalExit) => void): Disposable
  /**
   * The terminal has another size: by `resize`, or by a person whose terminal attached (tmux). It comes on another road
   * than the bytes: what the program draws for the new size may arrive a few ms before it, or after.
   */
  onResize(listener: (size: TerminalSize) => void): Disposable
  /** The record lost bytes (its writer died); the record goes on after it. */
  onGap(listener: (gap: TerminalGap) => void): Disposable

  /** Text as one paste: bracketed when the program asked for that (DECSET 2004). Line feeds stay line feeds. */
  paste(text: string): Promise<void>
  /** Literal characters, as UTF-8. */
  type(text: string): Promise<void>
  /** Named keys, encoded for the program's cursor-key mode. Throws `invalid_argument` on an unknown name. */
  keys(names: readonly KeyName[]): Promise<void>
  /** Raw input, exactly these bytes (a live terminal in the browser encodes its own keys). */
  write(bytes: Uint8Array): Promise<void>
  /**
   * Asks for another size. Under tmux the size belongs to a person's attached terminal while there is one: the call
   * then changes nothing. `size` tells what holds after it.
   */
  resize(cols: number, rows: number): Promise<void>
  /**
   * Ends the program: SIGHUP, as a closing terminal sends, then after `graceMs` (2000 unless told) SIGKILL of the
   * whole process tree. Resolves when the program and its tree are gone. Harmless after the exit.
   */
  kill(options?: { readonly graceMs?: number }): Promise<TerminalExit>
  /** Null on the pty backend: nothing but the bridge can be on that pty. */
  attachCommand(): AttachCommand | null
}

/** What is known of a terminal that an earlier bridge left. */
export interface LeftTerminal {
  readonly id: string
  /** The program's process id then: another one in its place is not adopted. */
  readonly pid: number
  readonly recordFile: string
  /** Bytes of the record that need not be told again. */
  readonly offset: number
}

/** One line of {@link TerminalHost.list}. */
export interface TerminalInfo {
  readonly id: string
  readonly pid: number
  /** The program ended and its exit was not taken yet. */
  readonly dead: boolean
}

/**
 * Opens terminals, and joins those that outlived an earlier bridge: a tmux server does, together with its record files.
 */
export interface TerminalHost {
  readonly backend: Backend
  /**
   * Starts a program. Errors: `invalid_argument` (bad spec, missing cwd), `terminal_start_failed` (no such program,
   * it cannot be executed, the id is taken, the host is disposed).
   */
  open(spec: TerminalSpec): Promise<Terminal>
  list(): Promise<readonly TerminalInfo[]>
  /**
   * Joins a terminal that an earlier bridge left running; null when it is not there, its program has ended, or another
   * program has its place. Its record is read on from `offset`.
   */
  adopt(left: LeftTerminal): Promise<Terminal | null>
  /** Ends a terminal that an earlier bridge left, with its process tree. False when there is none of that id. */
  endLeft(id: string): Promise<boolean>
  /** Kills every terminal that it opened, and its server: no process and no socket stays. Idempotent. */
  dispose(): Promise<void>
}
