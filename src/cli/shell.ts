/** @module cli/shell - what a command has of the person: their terminal, their environment, their Ctrl-C. */
import type { VendorInfo } from '../protocol/api.js'
import type { HubAccess } from './hub-access.js'

export interface Shell {
  /** Writes to stdout: results only. */
  out(text: string): void
  /** Writes a line to stderr: progress, hints, questions. */
  tell(line: string): void
  /** All of stdin, until its end. */
  readStdin(): Promise<string>
  /** A question that is answered by y or n; only asked on a terminal. */
  ask(question: string): Promise<boolean>
  /** Runs a program on the person's own terminal and answers its exit code. */
  handOver(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<number>
  /** The person's terminal in raw mode; null when stdin or stdout is none. */
  openTty(): Tty | null
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Both stdin and stdout are a terminal. */
  readonly interactive: boolean
  readonly columns: number
  readonly rows: number
  readonly color: boolean
  /** Aborted by the first Ctrl-C (or SIGTERM). */
  readonly signal: AbortSignal
  readonly hubs: HubAccess
  /** The way to the hub of another environment (the demo has its own state home). */
  hubsFor(env: Readonly<Record<string, string>>): HubAccess
  /** How a person calls this program here: `agent-meow`, or node and the script in a checkout. */
  readonly self: string
  /** The vendors' programs, as this environment finds them. */
  vendors(): Promise<VendorInfo[]>
  now(): number
}

/** A terminal in raw mode, until it is closed. */
export interface Tty {
  write(bytes: Uint8Array | string): void
  onInput(listener: (bytes: Uint8Array) => void): void
  onResize(listener: (size: { cols: number; rows: number }) => void): void
  close(): void
}
