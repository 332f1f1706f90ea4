/** @module test/delivery/tui/script - what a test TUI does and which faults it has; all of it by numbers and words. */

/** A dialog and when it opens. */
export interface ScriptedDialog {
  /** `paste`: after a paste, before any key; `enter`: in the place of the nth submission's turn; `turn`: in the nth turn. */
  readonly on: 'boot' | 'paste' | 'submit' | 'turn'
  /** The how-manieth of them, from 1. */
  readonly nth: number
  readonly title: string
  readonly options: readonly string[]
}

export interface TuiScript {
  /** Until raw mode is set and the box is drawn, in ms; what is typed meanwhile is a line of the tty. */
  readonly bootMs: number
  /** The tty stays in canonical mode: lines, cut at 4095 bytes, and no bracketed paste. */
  readonly canonical: boolean
  /** Length of a turn, in ms. */
  readonly turnMs: number
  /** How many Enters are swallowed. */
  readonly swallowEnters: number
  /** Enter within so many ms of a paste is a newline. */
  readonly burstMs: number
  /** A paste is shown (and counts) so many ms later. */
  readonly echoMs: number
  /** A paste is held and never shown. */
  readonly noEcho: boolean
  /** How many pastes are lost altogether. */
  readonly losePastes: number
  /** A paste of so many characters, or of several lines, is shown as a mark. */
  readonly collapseFrom: number
  /** An old mark stands in the transcript for ever. */
  readonly staleMark: boolean
  readonly bracketed: boolean
  /** What Enter does in a turn: into its own queue, into the running turn at its next step, or nothing. */
  readonly midTurn: 'queue' | 'steer' | 'refuse'
  /** A leading `/`, and an `@name` at the end, open a popup that takes the first Enter. */
  readonly popup: boolean
  /** Dim text in an empty box. */
  readonly ghost: string | null
  /** The status row is drawn anew so often, in ms; 0: it stands still. */
  readonly animateMs: number
  readonly dialogs: readonly ScriptedDialog[]
  /** A dialog turns bracketed paste off: a paste's ESC would cancel it. */
  readonly dialogIsMenu: boolean
  /** How long a dialog stands after it was answered, in ms. */
  readonly dialogLagMs: number
  /** How many keys in a dialog do nothing. */
  readonly deafDialogKeys: number
  /** How many accepted prompts never get a turn: a hook of the program's own erased them. */
  readonly erasePrompts: number
  /** How many Escs a turn ignores. */
  readonly ignoreEscs: number
  /** What becomes of its own queue when the turn is stopped. */
  readonly onInterrupt: 'keep' | 'drop' | 'return'
  /** A prompt that was stopped before its answer is put back into the box. */
  readonly restorePrompt: boolean
  /** `/model` asks so many ms after Enter; null: it asks nothing. */
  readonly confirmMs: number | null
  /** The program starts itself anew so many ms after its start, once. */
  readonly restartAtMs: number | null
}

export const PLAIN: TuiScript = {
  bootMs: 5,
  canonical: false,
  turnMs: 300,
  swallowEnters: 0,
  burstMs: 0,
  echoMs: 0,
  noEcho: false,
  losePastes: 0,
  collapseFrom: Number.MAX_SAFE_INTEGER,
  staleMark: false,
  bracketed: true,
  midTurn: 'queue',
  popup: true,
  ghost: null,
  animateMs: 0,
  dialogs: [],
  dialogIsMenu: false,
  dialogLagMs: 0,
  deafDialogKeys: 0,
  erasePrompts: 0,
  ignoreEscs: 0,
  onInterrupt: 'keep',
  restorePrompt: false,
  confirmMs: null,
  restartAtMs: null,
}

export const script = (given: Partial<TuiScript>): TuiScript => ({ ...PLAIN, ...given })

/** Who typed: through the bridge, or at the program's own terminal. */
export type Seat = 'bridge' | 'person'

/** What the program received; the world's truth. */
export interface LogEntry {
  readonly seq: number
  /**
   * `prompt`: it was run, as a turn or within one; `queued`: it came into its own queue, and may yet be run; `lost`:
   * typed before raw mode.
   */
  readonly kind: 'prompt' | 'queued' | 'shell' | 'command' | 'answer' | 'lost'
  readonly text: string
  /** Whose Enter or key it was. */
  readonly by: Seat
}

/** What a hook would tell. */
export type Told =
  | { readonly type: 'accepted'; readonly text: string; readonly queued: boolean }
  | { readonly type: 'started'; readonly text: string; readonly key: string; readonly own: boolean }
  | { readonly type: 'ended'; readonly outcome: 'completed' | 'interrupted' | 'failed' }
  | { readonly type: 'returned'; readonly text: string }

/** What the program needs of its world. */
export interface TuiIo {
  write(text: string): void
  /** Calls back later; returns how to call it off. */
  after(ms: number, callback: () => void): () => void
  now(): number
  log(kind: LogEntry['kind'], text: string, by: Seat): void
  told(fact: Told): void
  exit(code: number): void
}
