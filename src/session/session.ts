/** @module session/session - one wrapped session: terminal, readings, observations, events, commands. */
import type { Adapter, Observation, Reading, SideChannel } from '../adapter/index.js'
import { bounded } from '../protocol/bounded.js'
import type { InterruptResult, Receipt, SendMessage } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import type { EventDraft } from '../protocol/events.js'
import type { IdSource } from '../protocol/ids.js'
import type { Board, ScreenReading, SessionInfo } from '../protocol/session.js'
import {
  type Frame,
  isKeyName,
  type KeyName,
  keyBytes,
  type Screen,
  type Terminal,
  type TerminalExit,
} from '../terminal/index.js'
import type { Conversation } from './conversation.js'
import { Deliveries } from './deliveries.js'
import type { EventLog } from './event-log.js'
import { blocksOf, shownReading } from './explain.js'
import { faultName } from './fault-name.js'
import type { Disposable, SessionDeps, SessionHandle } from './handle.js'
import { interruptTurn } from './interrupt.js'
import { Listeners } from './listeners.js'
import type { SessionRecorder } from './recording.js'
import { screenView } from './screen-view.js'
import type { ScriptIo, Watch } from './script.js'

/** Longest that closing a recording may hold up the end of its session, in ms. */
const RECORD_CLOSE_MS = 5000
/** Longest a stop of a side channel may take before the session is told as ended without it, in ms. */
const CHANNEL_STOP_MS = 5000

export interface SessionParts {
  readonly id: string
  readonly adapter: Adapter
  readonly terminal: Terminal
  readonly screen: Screen
  readonly channels: readonly SideChannel[]
  readonly conversation: Conversation
  readonly log: EventLog
  readonly watch: Watch
  readonly recorder: SessionRecorder
  readonly deps: SessionDeps
  readonly newId: IdSource
}

/** See {@link SessionHandle}. Made by `launch.ts`, which connects the sources. */
export class Session implements SessionHandle {
  readonly id: string
  /** Resolves when `session.ended` is journalled. */
  readonly ended: Promise<void>
  private readonly gone = new AbortController()
  private readonly deliveries: Deliveries
  private readonly terminalBytes: Listeners<[Uint8Array, number]>
  private readonly terminalSizes: Listeners<[{ cols: number; rows: number }]>
  private offset = 0
  private readonly faults = new Set<string>()
  private ready = false
  /** When the newest reading was made, in ms since the epoch. */
  private readAt = 0
  /** Events that the journal refused and that no gap tells of yet. */
  private lost = 0
  private killed = false
  private hands: Promise<unknown> = Promise.resolve()
  private hookHandler: ((body: unknown) => Promise<unknown>) | null = null

  constructor(private readonly parts: SessionParts) {
    this.id = parts.id
    const fault = (error: unknown) =>
      parts.deps.log(`terminal listener of ${parts.id} failed: ${faultName(error)}`)
    this.terminalBytes = new Listeners(fault)
    this.terminalSizes = new Listeners(fault)
    this.deliveries = new Deliveries({
      adapter: parts.adapter,
      io: this.io(),
      signal: this.gone.signal,
      occupied: () => this.occupied(),
      record: (drafts) => this.record(drafts),
      expect: (messageId, text) => parts.conversation.expect(messageId, text),
      forget: (messageId) => parts.conversation.forget(messageId),
      exclusive: (work) => this.exclusive(work),
    })
    parts.log.events.add((events) => this.deliveries.follow(events))
    parts.log.events.add((events) => parts.recorder.told(events))
    parts.recorder.attach({
      snapshot: () => this.terminalSnapshot(),
      gap: (what, detail) => this.gap(what, detail),
    })
    parts.terminal.onData((bytes, offset) => this.guarded('bytes', () => this.bytes(bytes, offset)))
    parts.terminal.onResize((size) => this.guarded('resize', () => this.resized(size)))
    parts.terminal.onGap((gap) => this.gap('record', `${gap.reason} (at byte ${gap.atOffset})`))
    parts.screen.onFrame((frame) => this.guarded('frame', () => this.frame(frame)))
    this.ended = new Promise((resolve) => {
      parts.terminal.onExit((exit) => {
        const fault = (error: unknown) => parts.deps.log(`the end of ${this.id} failed: ${faultName(error)}`)
        void this.exited(exit).catch(fault).finally(resolve)
      })
    })
  }

  /** The newest reading, and whoever waits for one. */
  get watch(): Watch {
    return this.parts.watch
  }

  get recorder(): SessionRecorder {
    return this.parts.recorder
  }

  info(): SessionInfo {
    return this.parts.log.info
  }

  /** Aborted when the vendor's program has ended. */
  get signal(): AbortSignal {
    return this.gone.signal
  }

  setHookHandler(handler: (body: unknown) => Promise<unknown>): void {
    this.hookHandler = handler
  }

  /** A fact from a source: told as events, then everyone who waits looks again. */
  observe(observation: Observation): void {
    this.parts.recorder.observed(observation)
    this.record(this.parts.conversation.observe(observation))
    this.parts.watch.observe(observation)
    this.settled()
  }

  /** False when the journal refused: told as a gap, where that much can still be written. */
  record(drafts: readonly EventDraft[]): boolean {
    if (drafts.length === 0) return true
    const what = `${this.lost} events could not be journalled`
    const missing: EventDraft = { type: 'gap', source: 'bridge', what: 'journal', detail: what }
    try {
      this.parts.log.record(this.lost === 0 ? drafts : [missing, ...drafts])
      this.lost = 0
      return true
    } catch (error) {
      // Told with the next event that can be written.
      this.lost += drafts.length
      this.parts.deps.log(`journal of ${this.id} refused ${drafts.length} events: ${faultName(error)}`)
      return false
    }
  }

  private gap(what: string, detail: string): void {
    this.record([{ type: 'gap', source: 'bridge', what, detail }])
  }

  /** A fault in reading one session's screen must not harm the others, nor be hidden; each kind is told once. */
  private guarded(what: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      const name = `${what} ${faultName(error)}`
      if (this.faults.has(name) || this.faults.size > 20) return
      this.faults.add(name)
      this.parts.deps.log(`session ${this.id}: ${name}`)
      this.gap(`session.${what}`, name)
    }
  }

  async send(message: SendMessage): Promise<Receipt> {
    this.mustLive()
    return this.deliveries.send(message.messageId ?? this.parts.newId('m'), message.text)
  }

  receipt(messageId: string): Receipt | undefined {
    return this.deliveries.receipt(messageId)
  }

  async interrupt(): Promise<InterruptResult> {
    this.mustLive()
    const { adapter, conversation } = this.parts
    return await interruptTurn({
      adapter,
      conversation,
      io: this.io(),
      signal: this.gone.signal,
      exclusive: (work) => this.exclusive(work),
      underWay: () => this.deliveries.underWay,
      waiting: () => this.deliveries.waiting,
    })
  }

  /** What keeps a prompt from being typed, whatever the screen shows. */
  private occupied(): string | null {
    const { turnId, currentState } = this.parts.conversation
    if (this.killed) return 'the session is being ended'
    if (currentState === 'blocked') return 'a dialog is open; it is answered in the terminal'
    if (!this.ready) return 'the program does not take prompts yet'
    if (turnId !== null || currentState === 'running') return 'a turn runs'
    return currentState === 'idle' ? null : `the state is ${currentState}`
  }

  async kill(): Promise<void> {
    this.killed = true
    if (!this.gone.signal.aborted) await this.parts.terminal.kill()
    await this.ended
  }

  snapshot(since: number) {
    const { journal } = this.parts.deps
    const board = this.parts.conversation.board()
    const told: Board = { ...board, items: board.items.map((i) => ({ ...i, turnId: board.turnId })) }
    const lastSeq = this.info().lastSeq
    return { info: this.info(), events: journal.read(this.id, since), board: told, lastSeq }
  }

  onEvents(listener: Parameters<SessionHandle['onEvents']>[0]): Disposable {
    return this.parts.log.events.add(listener)
  }

  onInfo(listener: (info: SessionInfo) => void): Disposable {
    return this.parts.log.infos.add(listener)
  }

  terminalSnapshot() {
    const { cols, rows } = this.parts.terminal.size
    return { cols, rows, offset: this.offset, screen: this.parts.screen.serialize() }
  }

  onTerminal(listener: (bytes: Uint8Array, offset: number) => void): Disposable {
    return this.terminalBytes.add(listener)
  }

  onTerminalResize(listener: (size: { cols: number; rows: number }) => void): Disposable {
    return this.terminalSizes.add(listener)
  }

  async keys(names: readonly string[]): Promise<void> {
    this.mustLive()
    await this.press(names)
  }

  async input(bytes: Uint8Array): Promise<void> {
    this.mustLive()
    this.parts.recorder.input(bytes)
    await this.parts.terminal.write(bytes)
  }

  async resize(cols: number, rows: number): Promise<void> {
    this.mustLive()
    await this.parts.terminal.resize(cols, rows)
  }

  reading(): ScreenReading {
    const { adapter, deps, screen, terminal, watch } = this.parts
    if (watch.reading === null) {
      throw new MeowError('conflict', `session ${this.id} has drawn nothing yet`, { retryable: true })
    }
    const { state, stateRule, stateSince } = this.info()
    const now = deps.now()
    return {
      ...shownReading(watch.reading),
      ageMs: Math.max(0, now - this.readAt),
      told: { state, rule: stateRule, ageMs: Math.max(0, now - stateSince) },
      blocks: blocksOf(adapter, watch.reading, { ...terminal.size, screen: screen.serialize() }),
    }
  }

  attachCommand(): { argv: string[]; env: Record<string, string> } | null {
    const command = this.parts.terminal.attachCommand()
    return command && { argv: [...command.argv], env: { ...command.env } }
  }

  async handleHook(body: unknown): Promise<unknown> {
    if (!this.hookHandler) throw new MeowError('unsupported', 'this vendor has no hooks')
    return await this.hookHandler(body)
  }

  private async press(names: readonly string[]): Promise<void> {
    const { recorder, screen, terminal } = this.parts
    const keys = keyNames(names)
    recorder.input(keyBytes(keys, screen.modes.applicationCursor))
    await terminal.keys(keys)
  }

  private io(): Omit<ScriptIo, 'receipt'> {
    const { terminal, channels, recorder, watch } = this.parts
    return {
      paste: async (text) => {
        recorder.input(text)
        await terminal.paste(text)
      },
      keys: (names) => this.press(names),
      call: async (method, params) => {
        const channel = channels.find((c) => c.call)
        if (!channel?.call) throw new MeowError('unsupported', `no side channel takes the call ${method}`)
        return await channel.call(method, params)
      },
      watch,
    }
  }

  /** One writer at a time: a prompt being typed and an interrupt never mix their keys. */
  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    const run = this.hands.then(work, work)
    this.hands = run.catch(() => undefined)
    return run
  }

  private bytes(bytes: Uint8Array, offset: number): void {
    this.parts.recorder.output(bytes)
    this.parts.screen.write(bytes)
    this.offset = offset + bytes.length
    this.terminalBytes.tell(bytes, offset)
  }

  private resized(size: { cols: number; rows: number }): void {
    this.parts.recorder.resized(size)
    this.parts.screen.resize(size.cols, size.rows)
    this.parts.log.patch(size)
    this.terminalSizes.tell(size)
  }

  private frame(frame: Frame): void {
    const { adapter, watch } = this.parts
    const reading = adapter.read(screenView(frame))
    this.readAt = this.parts.deps.now()
    watch.read(reading)
    this.readState(reading)
    this.settled()
  }

  /** The screen says the state until the vendor is ready, and later where no other source does. */
  private readState(reading: Reading): void {
    const { adapter, conversation } = this.parts
    // Where another source says that a dialog is open, the screen says which one.
    const asks = conversation.currentState === 'blocked' && reading.dialog !== null
    if (this.ready && adapter.stateWriter === 'observations' && !asks) return
    if (!this.ready && reading.state !== 'blocked' && conversation.currentState === 'starting') return
    this.record(
      conversation.observe({
        type: 'state',
        source: 'screen',
        state: reading.state,
        rule: reading.rule,
        evidence: [...reading.evidence],
      }),
    )
  }

  /** After every change: is the vendor ready, can a prompt go? */
  private settled(): void {
    this.deliveries.pump()
  }

  /** The vendor takes prompts from now on. */
  becomeReady(): void {
    if (this.ready) return
    this.ready = true
    const { conversation } = this.parts
    if (conversation.currentState === 'starting' || conversation.currentState === 'unknown') {
      this.record(
        conversation.observe({
          type: 'state',
          source: 'bridge',
          state: 'idle',
          rule: 'session.ready',
          evidence: ['the vendor takes prompts'],
        }),
      )
    }
    this.settled()
  }

  private async exited(exit: TerminalExit): Promise<void> {
    const { channels, conversation, recorder, screen, deps } = this.parts
    this.gone.abort()
    for (const channel of channels) {
      await bounded(channel.stop(), CHANNEL_STOP_MS, 'it to stop').catch((error: unknown) => {
        deps.log(`side channel ${channel.name} of ${this.id}: ${faultName(error)}`)
      })
    }
    this.deliveries.close()
    this.record(conversation.close(this.killed ? 'interrupted' : 'failed', "the vendor's program ended"))
    this.record([
      {
        type: 'session.ended',
        source: 'bridge',
        reason: this.killed ? 'killed' : this.ready ? 'exited' : 'start_failed',
        exitCode: exit.code,
        signal: exit.signal,
        detail: exit.code === null && exit.signal === null ? 'how it ended is not known' : null,
      },
    ])
    await bounded(recorder.close(exit), RECORD_CLOSE_MS, 'its recording to be closed').catch(
      (error: unknown) => {
        deps.log(`recording of ${this.id}: ${faultName(error)}`)
      },
    )
    screen.dispose()
  }

  private mustLive(): void {
    if (this.gone.signal.aborted) {
      throw new MeowError('conflict', `session ${this.id} has ended`, {
        hint: 'agent-meow ls shows the sessions that are alive',
      })
    }
  }
}

function keyNames(names: readonly string[]): KeyName[] {
  return names.map((name) => {
    if (!isKeyName(name)) throw new MeowError('invalid_argument', `no key is called ${name}`)
    return name
  })
}
