/** @module adapter/contract - what one vendor's folder provides. */
import type { Grammar } from './grammar.js'
import type { Observation } from './observation.js'
import type { Admission, Reading, ScreenView } from './reading.js'
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
  /** The script that brings `text` (sanitised, as held) to the vendor once. */
  deliver(text: string): readonly Step[]
  /** The script that takes back what a failed delivery left in the prompt box, and nothing else. */
  withdraw?(text: string): readonly Step[]
  /** The script that stops the running turn; `prompt` is what the turn was asked, where known. */
  interrupt(turn: { readonly prompt: string | null }): readonly Step[]
}
