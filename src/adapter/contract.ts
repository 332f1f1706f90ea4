/** @module adapter/contract - what one vendor's folder provides. */
import type { SessionCommand } from '../protocol/commands.js'
import type { Grammar } from './grammar.js'
import type { Observation } from './observation.js'
import type { Admission, Dialog, Reading, ScreenView } from './reading.js'
import type { Seen, Step } from './steps.js'

export interface VendorFacts {
  /** Folder name and CLI word: `claude`. */
  readonly id: string
  readonly name: string
  /** Programs to look for on PATH, first found wins. An environment variable may name another. */
  readonly binaries: readonly string[]
  readonly binaryVariable: string
  /** Versions the tests ran with, newest last. */
  readonly testedVersions: readonly string[]
  /** One command that installs it. */
  readonly installHint: string
  /** One command or sentence that logs it in. */
  readonly loginHint: string
  /** Arguments that print its version. */
  readonly versionArgs: readonly string[]
}

/** Whether the vendor can be used, as far as files and variables tell. */
export interface AuthStatus {
  readonly status: 'ok' | 'missing' | 'unknown'
  /** What was found or looked for. */
  readonly detail: string
}

/** Read-only access to what decides auth and launch; injected so that both stay pure. */
export interface HostProbe {
  readonly env: Readonly<Record<string, string>>
  /** File text, or null when it cannot be read. */
  readFile(path: string): string | null
  exists(path: string): boolean
}

export interface LaunchRequest {
  readonly sessionId: string
  /** Absolute path of the vendor's program. */
  readonly binary: string
  readonly cwd: string
  readonly model: string | null
  /** Further arguments, as the person gave them. */
  readonly args: readonly string[]
  /** The environment for the vendor, as the person has it. */
  readonly env: Readonly<Record<string, string>>
  /** A private folder (0700) of this session for its settings files. */
  readonly sessionDir: string
  /** A short private folder (0700) for unix sockets. */
  readonly socketDir: string
  /** Where the vendor's HTTP hooks may post; the bearer token is good for this session's hooks only. */
  readonly hook: { readonly url: string; readonly token: string }
  readonly probe: HostProbe
  /** Makes a random UUID (injected). */
  readonly uuid: () => string
}

export interface LaunchPlan {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Files to write before the start, 0600, inside `sessionDir`. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
  /** The vendor's session id when we chose it. */
  readonly vendorSessionId: string | null
  /** Facts for the vendor's own sources (paths, socket), opaque to the session. */
  readonly facts: Readonly<Record<string, string>>
}

/** What a source gets from the session. */
export interface SourceContext {
  emit(observation: Observation): void
  /** The vendor's process id, once started. */
  readonly pid: Promise<number>
  /** Handles posts to the session's hook URL; one handler a session. */
  onHook(handler: (body: unknown) => Promise<unknown>): void
  readonly probe: HostProbe
  readonly signal: AbortSignal
  /**
   * The program ran before this bridge did: what the source still has is told again (known keys are dropped), then
   * `caught_up`.
   */
  readonly resumed: boolean
}

/** A side channel: tailer, hook receiver, RPC client. Started before the vendor. */
export interface SideChannel {
  readonly name: string
  start(context: SourceContext): Promise<void>
  /** Ends it; what it still holds is told first. */
  stop(): Promise<void>
  /** Runs a `call` step; absent where the vendor has no such channel. */
  call?(method: string, params: unknown): Promise<unknown>
}

/** One cell of the declared matrix: a requirement's id and what this vendor has. */
export interface Capability {
  readonly row: string
  readonly level: 'supported' | 'partial' | 'unsupported' | 'not_yet'
  readonly note: string
}

/** What reads a vendor's screen, and all that a replay needs; vendors that cannot be wrapped yet have at least this. */
export interface VendorReader {
  readonly vendor: VendorFacts
  /** Pure: what one settled screen says. */
  read(screen: ScreenView): Reading
  readonly grammar: Grammar
}

/** A prompt as it is handed to a vendor. */
export interface Prompt {
  /** Names it for good: a side channel that knows it does nothing again. */
  readonly messageId: string
  /** Sanitised, as the vendor will hold it. */
  readonly text: string
  /** Absolute paths of image files. */
  readonly images: readonly string[]
}

/** A command of the session: how it is run, and what shows that it was done. */
export interface VendorCommand extends SessionCommand {
  /** Its effect is the end of the program. */
  readonly ends?: boolean
  /**
   * The script; it ends with what must be seen. Throws `invalid_argument` for an argument that cannot be.
   * @param argument sanitised, without line breaks; '' when absent
   */
  steps(argument: string): readonly Step[]
}

export interface Adapter {
  readonly vendor: VendorFacts
  capabilities(version: string | null): readonly Capability[]
  auth(probe: HostProbe): AuthStatus
  /** Pure: what to start and which files to write. */
  launch(request: LaunchRequest): LaunchPlan
  /** Pure: what one settled screen says. */
  read(screen: ScreenView): Reading
  /** How its conversation is drawn; absent where no grammar was written. */
  readonly grammar?: Grammar
  sources(plan: LaunchPlan): readonly SideChannel[]
  /** Where no side channel tells the conversation, the screen does. */
  readonly contentWriter?: 'screen'
  /** Whether the session's state comes from readings (`screen`) or from observations. */
  readonly stateWriter: 'screen' | 'observations'
  /** Whether the vendor takes prompts: asked until it says yes, once a launch. */
  ready(seen: Seen): boolean
  /** Whether a prompt may be brought now: no dialog is up, no draft of a person is in the way. */
  admits(reading: Reading | null): Admission
  /**
   * The text as the vendor will hold it (a program may expand tabs); the very text when absent. Throws `unsupported`
   * for one that the vendor takes for something else whatever is done.
   */
  held?(text: string): string
  /** The script that brings a prompt to the vendor once. */
  deliver(prompt: Prompt): readonly Step[]
  /**
   * The script that brings a prompt into the turn that runs; absent where the vendor has no such way. `accepted` means
   * that the vendor has it, in its own queue or before the model.
   */
  steer?(prompt: Prompt): readonly Step[]
  /** Its side channel knows a prompt by its id: `deliver` may be run again after a restart and does nothing twice. */
  readonly repeatable?: boolean
  /** How images reach the vendor: its bytes, or only their paths; absent: not at all. */
  readonly images?: 'bytes' | 'paths'
  /** The script that takes back what a failed delivery left in the prompt box, and nothing else. */
  withdraw?(text: string): readonly Step[]
  /**
   * After a restart in the middle of a delivery: whether the prompt box still holds this prompt, unsent. Then it is
   * taken back and handed over again.
   */
  stillInBox?(prompt: Prompt, reading: Reading | null): boolean
  /** The script that stops the running turn; `prompt` is what the turn was asked, where known. */
  interrupt(turn: { readonly prompt: string | null }): readonly Step[]
  /**
   * The keys that choose an option of an open dialog, once. That the dialog still stands before, and is gone after, is
   * the session's to see. Absent: dialogs are answered in the terminal.
   */
  answer?(dialog: Dialog, key: string): readonly Step[]
  /** Commands of the session; `slash` is the vendor's own command line, typed as it is. */
  readonly commands?: readonly VendorCommand[]
}

/** What reads an adapter's screen; null where it has no grammar. */
export function readerOf(adapter: Adapter): VendorReader | null {
  const { vendor, grammar } = adapter
  return grammar ? { vendor, grammar, read: (screen) => adapter.read(screen) } : null
}
