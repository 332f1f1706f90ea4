/** @module session/handle - what the hub sees of one session. */

import type { Journal } from '../journal/journal.js'
import type {
  AnswerResult,
  CommandResult,
  CreateSession,
  EditQueued,
  InterruptResult,
  QueuedPrompt,
  Receipt,
  RecordOptions,
  RunCommand,
  SendMessageInput,
  SessionCommand,
} from '../protocol/commands.js'
import type { DurableEvent, MeowEvent } from '../protocol/events.js'
import type { Board, RecordingInfo, ScreenReading, SessionInfo } from '../protocol/session.js'
import type { TerminalHost } from '../terminal/index.js'

export interface Disposable {
  dispose(): void
}

/** Records a session's terminal and what its side channels tell; see `docs/recordings.md`. */
export interface Recorder {
  /** The recording that runs, with its size so far. */
  current(): RecordingInfo | null
  /** `conflict` while one runs, or when the file is there already; `invalid_argument` on a bad file. */
  start(options?: RecordOptions): Promise<RecordingInfo>
  /** Resolves when the files are whole and looked through; `conflict` when none runs. */
  stop(): Promise<RecordingInfo>
}

export interface SessionHandle {
  readonly id: string
  /** Resolves when the session has ended, journalled or not. */
  readonly ended?: Promise<void>
  /** Absent where there is no terminal to record. */
  readonly recorder?: Recorder
  info(): SessionInfo
  /** Resolves when the message is queued; its receipts follow as `delivery` events. */
  send(message: SendMessageInput): Promise<Receipt>
  receipt(messageId: string): Receipt | undefined
  /** The prompts that wait, in order. */
  queue(): QueuedPrompt[]
  /** `not_found`: no such message; `conflict`: it does not wait any more. */
  editQueued(messageId: string, change: EditQueued): Receipt
  /** The same errors. */
  withdraw(messageId: string): Receipt
  /**
   * Answers the vendor's dialog. `not_found`: it never was; `conflict`: it is gone or another stands there;
   * `delivery_failed`: the key was pressed and the dialog did not go.
   */
  answer(approvalId: string, option: string, by: string): Promise<AnswerResult>
  commands(): SessionCommand[]
  /** Runs a command; resolves when its effect was seen. */
  runCommand(command: RunCommand): Promise<CommandResult>
  /** A person at a client types a prompt. */
  typing(client: string, active: boolean): void
  interrupt(): Promise<InterruptResult>
  /** Ends the vendor's program; resolves when it is gone and `session.ended` is journalled. */
  kill(): Promise<void>
  /** Durable events after `since`, the board and the summary, taken at one instant. */
  snapshot(since: number): { info: SessionInfo; events: DurableEvent[]; board: Board; lastSeq: number }
  /** Batches, journalled before they are told. */
  onEvents(listener: (events: readonly MeowEvent[]) => void): Disposable
  onInfo(listener: (info: SessionInfo) => void): Disposable
  /** The screen as escape sequences, and the record's offset that it stands at. */
  terminalSnapshot(): { cols: number; rows: number; offset: number; screen: string }
  onTerminal(listener: (bytes: Uint8Array, offset: number) => void): Disposable
  onTerminalResize(listener: (size: { cols: number; rows: number }) => void): Disposable
  keys(names: readonly string[]): Promise<void>
  input(bytes: Uint8Array): Promise<void>
  resize(cols: number, rows: number): Promise<void>
  /** What the newest screen was taken for; `conflict` before there is one. Absent where no screen is read. */
  reading?(): ScreenReading
  /** The command with which a person's terminal joins the same process; null on the pty backend. */
  attachCommand(): { argv: string[]; env: Record<string, string> } | null
  /** Answers a post of the vendor's hooks. */
  handleHook(body: unknown): Promise<unknown>
}

export interface SessionDeps {
  readonly journal: Journal
  readonly hostFor: (backend: 'tmux' | 'pty') => Promise<TerminalHost>
  /** State folder of the bridge; the session makes its own folder below it. */
  readonly home: string
  readonly socketDir: string
  /** The hub's URL for this session's hooks, and the token it will accept there. */
  readonly hook: { url: string; token: string }
  /** Environment for the vendor when the request carries none. */
  readonly env: Readonly<Record<string, string>>
  readonly now: () => number
  readonly log: (line: string) => void
  /**
   * Called once the session has its terminal and before it takes prompts: from then on its hooks, events and terminal
   * are served, so that a person can answer what the vendor asks at its start.
   */
  readonly adopt?: (handle: SessionHandle) => void
}

/** Starts a vendor's program and returns once it takes prompts, or throws and leaves nothing running. */
export type LaunchSession = (id: string, request: CreateSession, deps: SessionDeps) => Promise<SessionHandle>
