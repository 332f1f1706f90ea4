/** @module session/session - one wrapped session: terminal, readings, observations, events, commands. */
import { once, setMaxListeners } from 'node:events'
import type { Adapter, Observation, SideChannel, VendorCommand } from '../adapter/index.js'
import type {
  AnswerResult,
  CommandResult,
  EditQueued,
  InterruptResult,
  QueuedPrompt,
  Receipt,
  RunCommand,
  SendMessageInput,
  SessionCommand,
} from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import type { EventDraft } from '../protocol/events.js'
import type { IdSource } from '../protocol/ids.js'
import type { Board, ScreenReading, SessionInfo } from '../protocol/session.js'
import type { Screen, Terminal, TerminalExit } from '../terminal/index.js'
import { answerDialog, gone } from './answer.js'
import type { Conversation } from './conversation.js'
import { Deliveries } from './deliveries.js'
import { endSession } from './end-session.js'
import type { EventLog } from './event-log.js'
import { readingOf } from './explain.js'
import { faultName } from './fault-name.js'
import type { Disposable, SessionDeps, SessionHandle } from './handle.js'
import { Hands } from './hands.js'
import { imageFiles } from './images.js'
import { interruptTurn } from './interrupt.js'
import { Listeners } from './listeners.js'
import type { SessionRecorder } from './recording.js'
import { type Resumed, Resumption } from './resumption.js'
import { commandsOf, runCommand } from './run-command.js'
import { ScreenSide } from './screen-side.js'
import type { Watch } from './script.js'
import { TurnProcesses } from './turn-processes.js'

/** What a prompt waits for while a turn runs. */
const TURN_RUNS = 'a turn runs'

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
  /** The session's own folder. */
  readonly sessionDir: string
  /** Set when the program ran before this bridge did. */
  readonly resumed: Resumed | null
}

/** See {@link SessionHandle}. Made by `launch.ts`, which connects the sources. */
export class Session implements SessionHandle {
  readonly id: string
  /** Resolves when `session.ended` is journalled. */
  readonly ended: Promise<void>
  readonly deliveries: Deliveries
  private readonly gone = new AbortController()
  /** Settles when the vendor's program has ended. */
  private readonly over: Promise<unknown>
  private readonly hands: Hands
  private readonly side: ScreenSide
  private readonly processes: TurnProcesses
  private readonly terminalBytes: Listeners<[Uint8Array, number]>
  private readonly terminalSizes: Listeners<[{ cols: number; rows: number }]>
  private offset = 0
  private readonly faults = new Set<string>()
  private ready = false
  /** Events that the journal refused and that no gap tells of yet. */
  private lost = 0
  private killed = false
  private hookHandler: ((body: unknown) => Promise<unknown>) | null = null
  readonly resumption: Resumption

  constructor(private readonly parts: SessionParts) {
    const { adapter, conversation, log, recorder, terminal, watch } = parts
    this.id = parts.id
    // Scripts, waits and side channels all listen for the end.
    setMaxListeners(100, this.gone.signal)
    this.over = once(this.gone.signal, 'abort')
    const fault = (error: unknown) =>
      parts.deps.log(`terminal listener of ${parts.id} failed: ${faultName(error)}`)
    this.terminalBytes = new Listeners(fault)
    this.terminalSizes = new Listeners(fault)
    this.resumption = new Resumption(parts.resumed, conversation, watch, this.gone.signal)
    this.hands = new Hands(parts)
    this.processes = new TurnProcesses(() => terminal.pid)
    this.side = new ScreenSide({
      adapter,
      watch,
      ready: () => this.ready,
      state: () => conversation.currentState,
      typing: () => this.hands.busy,
      observe: (told) => {
        for (const o of told) this.take(o)
      },
      tell: (drafts) => void this.record(drafts),
      now: parts.deps.now,
    })
    this.deliveries = new Deliveries({
      adapter,
      io: this.hands.io,
      signal: this.gone.signal,
      occupied: () => this.occupied(),
      steerable: () => this.ready && conversation.currentState === 'running' && !watch.reading?.dialog,
      turnId: () => conversation.turnId,
      interrupt: () => this.interrupt(),
      record: (drafts) => this.record(drafts),
      expect: (messageId, text) => conversation.expect(messageId, text),
      forget: (messageId) => conversation.forget(messageId),
      doubt: (messageId) => conversation.doubt(messageId),
      exclusive: (work) => this.hands.exclusive(work),
      now: parts.deps.now,
    })
    log.events.add((events) => {
      this.deliveries.follow(events)
      if (events.some((e) => e.type === 'turn.started')) this.processes.turnBegins()
      recorder.told(events)
    })
    recorder.attach({
      snapshot: () => this.terminalSnapshot(),
      gap: (what, detail) => this.gap(what, detail),
    })
    this.ended = this.connect()
  }

  private connect(): Promise<void> {
    const { terminal, screen, deps } = this.parts
    terminal.onData((bytes, offset) => this.guarded('bytes', () => this.bytes(bytes, offset)))
    terminal.onResize((size) => this.guarded('resize', () => this.resized(size)))
    terminal.onGap((gap) => this.gap('record', `${gap.reason} (at byte ${gap.atOffset})`))
    screen.onFrame((frame) =>
      this.guarded('frame', () => {
        if (this.resumption.redrawing) return
        this.side.frame(frame)
        this.settled()
      }),
    )
    return new Promise((resolve) => {
      terminal.onExit((exit) => {
        const fault = (error: unknown) => deps.log(`the end of ${this.id} failed: ${faultName(error)}`)
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
    for (const o of this.resumption.take(observation)) this.take(o)
  }

  private take(observation: Observation): void {
    const { conversation, watch } = this.parts
    if (observation.type === 'prompt.returned') this.deliveries.returned(observation)
    this.record(conversation.observe(observation))
    watch.observe(observation)
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

  async send(message: SendMessageInput): Promise<Receipt> {
    this.mustLive()
    const { adapter, sessionDir, newId } = this.parts
    const messageId = message.messageId ?? newId('m')
    const { text, how = 'queue', images = [] } = message
    const known = this.deliveries.receipt(messageId)
    if (images.length > 0 && !adapter.images)
      throw new MeowError('unsupported', `${adapter.vendor.name} takes no images with a prompt`)
    const files = known ? [] : imageFiles(sessionDir, messageId, images)
    return this.deliveries.send({ messageId, text, how, images: files })
  }

  receipt(messageId: string): Receipt | undefined {
    return this.deliveries.receipt(messageId)
  }

  queue(): QueuedPrompt[] {
    return this.deliveries.list()
  }

  editQueued(messageId: string, change: EditQueued): Receipt {
    this.mustLive()
    return this.deliveries.edit(messageId, change)
  }

  withdraw(messageId: string): Receipt {
    this.mustLive()
    return this.deliveries.withdraw(messageId)
  }

  async interrupt(): Promise<InterruptResult> {
    this.mustLive()
    const { adapter, conversation } = this.parts
    return await interruptTurn({
      ...this.scripting(),
      exclusive: (work) => this.hands.breakIn(work),
      adapter,
      conversation,
      record: (drafts) => this.record(drafts),
      processes: this.processes,
      underWay: () => this.deliveries.underWay,
      waiting: () => this.deliveries.waiting,
    })
  }

  async answer(approvalId: string, option: string, by: string): Promise<AnswerResult> {
    this.mustLive()
    const { adapter, conversation, watch } = this.parts
    const { approvals } = conversation
    // In the first moment after a restart the card is there, and the dialog is not yet read again.
    await this.resumption.isKnown()
    if (!approvals.wasAsked(approvalId))
      throw new MeowError('not_found', `there is no approval ${approvalId} in this session`)
    const key = approvals.keyOf(approvalId)
    const dialog = key === null ? null : this.side.dialogs.find(key)
    if (!dialog || this.side.dialogs.current?.key !== key) throw gone(dialog, watch.reading?.dialog ?? null)
    const pressing = (chosen: string | null) =>
      approvals.answering(approvalId, chosen === null ? null : { by, option: chosen })
    const stands = () => this.side.dialogs.current?.key === key
    return await answerDialog({ ...this.scripting(), adapter, pressing, stands }, approvalId, dialog, option)
  }

  commands(): SessionCommand[] {
    return commandsOf(this.parts.adapter)
  }

  async runCommand(command: RunCommand): Promise<CommandResult> {
    this.mustLive()
    const { adapter, newId } = this.parts
    return await runCommand(
      {
        ...this.scripting(),
        exclusive: (work) => this.hands.exclusive(work, true),
        adapter,
        refuses: (one) => this.refuses(one),
        record: (drafts) => this.record(drafts),
        newId: () => newId('cmd'),
        gone: this.over,
      },
      command,
    )
  }

  typing(client: string, active: boolean): void {
    if (this.gone.signal.aborted) return
    this.record([{ type: 'session.typing', source: 'bridge', client, active }])
  }

  private scripting() {
    return {
      io: this.hands.io,
      signal: this.gone.signal,
      exclusive: <T>(work: () => Promise<T>) => this.hands.exclusive(work),
    }
  }

  /** What keeps a prompt from being typed, whatever the screen shows. */
  private occupied(): string | null {
    const { turnId, currentState } = this.parts.conversation
    if (this.killed) return 'the session is being ended'
    if (currentState === 'blocked') return 'a dialog is open'
    if (!this.ready) return 'the program does not take prompts yet'
    if (turnId !== null || currentState === 'running') return TURN_RUNS
    return currentState === 'idle' ? null : `the state is ${currentState}`
  }

  /** Why a command cannot be run at this moment. */
  private refuses(command: VendorCommand): MeowError | null {
    const { adapter, watch } = this.parts
    const occupied = this.occupied()
    const running = occupied === TURN_RUNS
    if (watch.reading?.dialog) return new MeowError('blocked', 'a dialog is open; answer it first')
    if (occupied !== null && !(running && command.whileRunning))
      return new MeowError('conflict', `not now: ${occupied}`, { retryable: true })
    const admission = adapter.admits(watch.reading)
    if (admission.ok) return null
    return new MeowError('draft_present', `not now: ${admission.reason}`, { retryable: true })
  }

  async kill(): Promise<void> {
    this.killed = true
    if (!this.gone.signal.aborted) await this.parts.terminal.kill()
    await this.ended
  }

  snapshot(since: number) {
    const { journal } = this.parts.deps
    const board = this.parts.conversation.board()
    const items = board.items.map((i) => ({ ...i, turnId: board.turnId }))
    const told: Board = { ...board, draft: this.side.draftText, items }
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
    await this.hands.pressForPerson(names)
  }

  async input(bytes: Uint8Array): Promise<void> {
    this.mustLive()
    await this.hands.input(bytes)
  }

  async resize(cols: number, rows: number): Promise<void> {
    this.mustLive()
    await this.parts.terminal.resize(cols, rows)
  }

  reading(): ScreenReading {
    return readingOf(this.parts, this.info(), this.side.readAt)
  }

  attachCommand(): { argv: string[]; env: Record<string, string> } | null {
    const command = this.parts.terminal.attachCommand()
    return command && { argv: [...command.argv], env: { ...command.env } }
  }

  async handleHook(body: unknown): Promise<unknown> {
    if (!this.hookHandler) throw new MeowError('unsupported', 'this vendor has no hooks')
    return await this.hookHandler(body)
  }

  private bytes(bytes: Uint8Array, offset: number): void {
    if (!this.resumption.redrawing) this.parts.recorder.output(bytes)
    this.parts.screen.write(bytes)
    this.offset = offset + bytes.length
    this.terminalBytes.tell(bytes, offset)
    if (this.resumption.drawnTo(this.offset)) this.parts.screen.refresh()
  }

  private resized(size: { cols: number; rows: number }): void {
    this.parts.recorder.resized(size)
    this.parts.screen.resize(size.cols, size.rows)
    this.parts.log.patch(size)
    this.terminalSizes.tell(size)
  }

  /** After every change: can a prompt go? */
  private settled(): void {
    this.deliveries.pump()
  }

  /** The vendor takes prompts from now on. */
  becomeReady(): void {
    if (this.ready) return
    this.ready = true
    const { conversation } = this.parts
    if (conversation.currentState === 'starting' || conversation.currentState === 'unknown') {
      const evidence = ['the vendor takes prompts']
      const rule = 'session.ready'
      this.record(conversation.observe({ type: 'state', source: 'bridge', state: 'idle', rule, evidence }))
    }
    this.settled()
  }

  /** A turn is open. */
  get turnRuns(): boolean {
    return this.parts.conversation.turnId !== null
  }

  /** Resolves when the sources of a resumed session have told what they had; after `withinMs` without them. */
  async caughtUp(withinMs: number): Promise<void> {
    if (await this.resumption.caughtUp(withinMs)) return
    this.gap('restart', `a source had not caught up after ${withinMs / 1000} s`)
    this.observe({ type: 'caught_up', source: 'bridge' })
  }

  /** Dialogs that stood there before a restart and do not any more are told as gone. */
  goneMeanwhile(): void {
    this.record(this.parts.conversation.approvals.goneMeanwhile())
  }

  private async exited(exit: TerminalExit): Promise<void> {
    this.gone.abort()
    this.side.end()
    const { killed, ready, deliveries, parts } = this
    await endSession({ ...parts, exit, killed, ready, deliveries, record: (drafts) => this.record(drafts) })
  }

  private mustLive(): void {
    if (this.gone.signal.aborted) {
      throw new MeowError('conflict', `session ${this.id} has ended`, {
        hint: 'agent-meow ls shows the sessions that are alive',
      })
    }
  }
}
