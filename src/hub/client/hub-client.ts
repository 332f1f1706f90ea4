/** @module hub/client/hub-client - a method for every route. */
import type { HubInfo, VendorInfo } from '../../protocol/api.js'
import type {
  AnswerResult,
  CommandResult,
  CreateSessionInput,
  EditQueued,
  InterruptResult,
  QueuedPrompt,
  Receipt,
  RecordOptions,
  RunCommand,
  SendMessageInput,
  SessionCommand,
} from '../../protocol/commands.js'
import { MeowError } from '../../protocol/errors.js'
import type { RecordingInfo, ScreenReading, SessionInfo } from '../../protocol/session.js'
import { isLocked } from '../lock.js'
import { readHubFile, readToken, stateHome, statePaths } from '../state.js'
import { packageVersion } from '../version.js'
import { type Answer, call } from './call.js'
import { type HubStream, openStream } from './hub-stream.js'

export interface HubAddress {
  /** `http://127.0.0.1:7717` */
  readonly url: string
  readonly token: string
}

export interface ConnectOptions {
  /** The state home; the one of the environment unless told. */
  readonly home?: string
  /** Talk to a hub of another version too: to end it. */
  readonly anyVersion?: boolean
  readonly signal?: AbortSignal
}

interface Options {
  readonly signal?: AbortSignal
}

/** A vendor's cold start on a loaded machine, and more. */
const CREATE_MS = 180_000
const SLOW_MS = 60_000
/** A command may have to wait for the model: compacting a long conversation takes minutes. */
const COMMAND_MS = 290_000

export class HubClient {
  readonly url: string
  readonly #address: HubAddress

  constructor(address: HubAddress) {
    this.url = address.url
    this.#address = address
  }

  /**
   * The running hub of a home. `hub_unreachable` when there is none; `conflict` when it has another version.
   *
   * The token goes only to a hub that holds the lock of the home: whoever took the port of a dead one gets nothing.
   */
  static async connect(options: ConnectOptions = {}): Promise<HubClient> {
    const paths = statePaths(options.home ?? stateHome())
    const running = isLocked(paths.lock) ? readHubFile(paths) : null
    const token = running === null ? null : readToken(paths)
    if (running === null || token === null) {
      throw new MeowError('hub_unreachable', `no hub runs for ${paths.home}`, {
        retryable: true,
        hint: 'agent-meow up',
      })
    }
    const client = new HubClient({ url: `http://127.0.0.1:${running.port}`, token })
    const info = await client.info(options)
    const own = packageVersion()
    if (info.version !== own && options.anyVersion !== true) {
      throw new MeowError('conflict', `the hub has version ${info.version}, this program ${own}`, {
        hint: 'agent-meow down && agent-meow up',
      })
    }
    return client
  }

  info(options: Options = {}): Promise<HubInfo> {
    return call(this.#address, 'info', options)
  }

  async vendors(options: Options = {}): Promise<VendorInfo[]> {
    return (await call(this.#address, 'vendors', { ...options, timeoutMs: CREATE_MS })).vendors
  }

  /** Newest first. */
  async sessions(options: Options = {}): Promise<SessionInfo[]> {
    return (await call(this.#address, 'listSessions', options)).sessions
  }

  /** Answers when the vendor takes prompts, or waits for a person's answer. */
  async createSession(request: CreateSessionInput, options: Options = {}): Promise<SessionInfo> {
    return (await call(this.#address, 'createSession', { ...options, body: request, timeoutMs: CREATE_MS }))
      .session
  }

  async session(id: string, options: Options = {}): Promise<SessionInfo> {
    return (await call(this.#address, 'getSession', { ...options, params: { id } })).session
  }

  /** Answers when the vendor's program is gone. */
  async kill(id: string, options: Options = {}): Promise<SessionInfo> {
    return (await call(this.#address, 'killSession', { ...options, params: { id }, timeoutMs: SLOW_MS }))
      .session
  }

  events(id: string, range: { since?: number; limit?: number } = {}): Promise<Answer<'events'>> {
    return call(this.#address, 'events', { params: { id }, query: range })
  }

  /** Answers when the prompt is queued; its receipts follow as `delivery` events. */
  send(id: string, message: SendMessageInput, options: Options = {}): Promise<Receipt> {
    return call(this.#address, 'send', { ...options, params: { id }, body: message, timeoutMs: SLOW_MS })
  }

  receipt(id: string, messageId: string, options: Options = {}): Promise<Receipt> {
    return call(this.#address, 'receipt', { ...options, params: { id, messageId } })
  }

  /** The prompts that wait, in order. */
  async queue(id: string, options: Options = {}): Promise<QueuedPrompt[]> {
    return (await call(this.#address, 'queue', { ...options, params: { id } })).queue
  }

  /** `conflict` when the prompt does not wait any more. */
  editQueued(id: string, messageId: string, change: EditQueued, options: Options = {}): Promise<Receipt> {
    return call(this.#address, 'editQueued', { ...options, params: { id, messageId }, body: change })
  }

  /** The same. */
  withdraw(id: string, messageId: string, options: Options = {}): Promise<Receipt> {
    return call(this.#address, 'withdraw', { ...options, params: { id, messageId } })
  }

  /** Chooses `option` (a key) of an open dialog; answers when the dialog was seen to go. */
  answer(id: string, approvalId: string, option: string, options: Options = {}): Promise<AnswerResult> {
    const params = { id, approvalId }
    return call(this.#address, 'answer', { ...options, params, body: { option }, timeoutMs: SLOW_MS })
  }

  async commands(id: string, options: Options = {}): Promise<SessionCommand[]> {
    return (await call(this.#address, 'commands', { ...options, params: { id } })).commands
  }

  /** Answers when the command's effect was seen. */
  runCommand(id: string, command: RunCommand, options: Options = {}): Promise<CommandResult> {
    return call(this.#address, 'runCommand', {
      ...options,
      params: { id },
      body: command,
      timeoutMs: COMMAND_MS,
    })
  }

  interrupt(id: string, options: Options = {}): Promise<InterruptResult> {
    return call(this.#address, 'interrupt', { ...options, params: { id }, timeoutMs: SLOW_MS })
  }

  async keys(id: string, keys: readonly string[]): Promise<void> {
    await call(this.#address, 'keys', { params: { id }, body: { keys } })
  }

  async resize(id: string, size: { cols: number; rows: number }): Promise<void> {
    await call(this.#address, 'resize', { params: { id }, body: size })
  }

  /** The screen now, as text. */
  terminal(id: string): Promise<Answer<'terminal'>> {
    return call(this.#address, 'terminal', { params: { id } })
  }

  /** What the newest screen was taken for, and why. */
  async reading(id: string, options: Options = {}): Promise<ScreenReading> {
    return (await call(this.#address, 'reading', { ...options, params: { id } })).reading
  }

  /** The command that joins the process from a terminal on this machine; null on the pty backend. */
  async attach(id: string): Promise<Answer<'attach'>['attach']> {
    return (await call(this.#address, 'attach', { params: { id } })).attach
  }

  async startRecording(id: string, options: RecordOptions = {}): Promise<RecordingInfo> {
    return (await call(this.#address, 'record', { params: { id }, body: { action: 'start', ...options } }))
      .recording
  }

  /** Answers when the files are whole and were looked through for secrets. */
  async stopRecording(id: string, options: Options = {}): Promise<RecordingInfo> {
    const body = { action: 'stop' }
    return (await call(this.#address, 'record', { ...options, params: { id }, body, timeoutMs: CREATE_MS }))
      .recording
  }

  /** Newest first. */
  async recordings(options: Options = {}): Promise<RecordingInfo[]> {
    return (await call(this.#address, 'listRecordings', options)).recordings
  }

  /** The text of an asciicast. */
  recording(name: string, options: Options = {}): Promise<string> {
    return call(this.#address, 'recording', { ...options, params: { name }, timeoutMs: SLOW_MS })
  }

  /** What the side channels told while it was made, a JSON value a line. */
  recordingSide(name: string, options: Options = {}): Promise<string> {
    return call(this.#address, 'recordingSide', { ...options, params: { name }, timeoutMs: SLOW_MS })
  }

  /** The conversation that a recording shows: a `ReplaySummary`, then its events, a JSON value a line. */
  recordingEvents(name: string, options: Options = {}): Promise<string> {
    return call(this.#address, 'recordingEvents', { ...options, params: { name }, timeoutMs: CREATE_MS })
  }

  /** A one-time code and the URL that carries it, for a browser. */
  createPairing(): Promise<Answer<'createPairing'>> {
    return call(this.#address, 'createPairing')
  }

  /** Asks the hub to end; see `stopHub` to wait until it has. */
  async shutdown(): Promise<void> {
    await call(this.#address, 'shutdown')
  }

  openapi(): Promise<unknown> {
    return call(this.#address, 'openapi')
  }

  /** Frames of `WS /v1/stream`. */
  stream(options: Options = {}): Promise<HubStream> {
    return openStream(this.#address, options)
  }
}
