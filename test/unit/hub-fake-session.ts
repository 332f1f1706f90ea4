/** @module test/unit/hub-fake-session - a session without a vendor: what it tells is what the test tells it. */

import type { Journal, UnplacedEvent } from '../../src/journal/journal.js'
import type {
  AnswerResult,
  CommandResult,
  CreateSession,
  EditQueued,
  InterruptResult,
  QueuedPrompt,
  Receipt,
  RunCommand,
  SendMessageInput,
  SessionCommand,
} from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import {
  type DurableDraft,
  EVENT_VERSION,
  type LiveEvent,
  type MeowEvent,
} from '../../src/protocol/events.js'
import type { Board, SessionInfo } from '../../src/protocol/session.js'
import type { Disposable, LaunchSession, SessionDeps, SessionHandle } from '../../src/session/handle.js'
import { Listeners } from '../../src/session/listeners.js'
import { startingInfo } from '../../src/session/starting.js'
import { FakeQueue } from './hub-fake-queue.js'
import { FAKE_COMMANDS, FakeVendor } from './hub-fake-vendor.js'

const fault = (error: unknown): void => {
  throw error
}

export class FakeSession implements SessionHandle {
  readonly id: string
  readonly journal: Journal
  readonly deps: SessionDeps
  readonly sent: SendMessageInput[] = []
  readonly prompts = new FakeQueue((draft) => this.happen(draft))
  readonly vendor = new FakeVendor((draft) => this.happen(draft))
  readonly pressed: string[][] = []
  readonly typed: Buffer[] = []
  readonly hooks: unknown[] = []
  readonly typists: [string, boolean][] = []
  readonly #pieces: Buffer[] = []
  #length = 0
  board: Board = { turnId: null, activity: null, items: [] }
  killed = 0
  #info: SessionInfo
  #n = 0
  readonly #events = new Listeners<[readonly MeowEvent[]]>(fault)
  readonly #infos = new Listeners<[SessionInfo]>(fault)
  readonly #bytes = new Listeners<[Uint8Array, number]>(fault)
  readonly #sizes = new Listeners<[{ cols: number; rows: number }]>(fault)

  constructor(id: string, request: CreateSession, deps: SessionDeps) {
    this.id = id
    this.deps = deps
    this.journal = deps.journal
    this.#info = { ...startingInfo(id, request, deps.now()), state: 'idle', pid: 4242 }
    this.journal.saveSession(this.#info)
  }

  /** How many follow the session. */
  get listeners(): number {
    return this.#events.size + this.#infos.size + this.#bytes.size + this.#sizes.size
  }

  /** Durable events (journalled first) and live ones, in one batch. */
  tell(...texts: (string | { delta: string })[]): void {
    const durable: UnplacedEvent[] = []
    const live: LiveEvent[] = []
    for (const text of texts) {
      this.#n += 1
      const id = `e_${this.#n}`
      const envelope = { v: EVENT_VERSION, sessionId: this.id, id, ts: this.#n, source: 'screen' } as const
      if (typeof text === 'string') {
        const item = { kind: 'notice', text, level: 'info' } as const
        durable.push({ ...envelope, type: 'item.completed', itemId: id, turnId: null, item })
      } else {
        const body = {
          itemId: 'i_1',
          turnId: null,
          kind: 'assistant_message',
          offset: 0,
          delta: text.delta,
        } as const
        live.push({ ...envelope, type: 'item.delta', ...body })
      }
    }
    const placed = this.journal.append(this.id, durable)
    if (placed.length > 0) this.patch({ lastSeq: this.journal.lastSeq(this.id) }, false)
    this.#events.tell([...placed, ...live])
    if (placed.length > 0) this.#infos.tell(this.#info)
  }

  /** One durable event: journalled, then told. */
  happen(draft: DurableDraft): void {
    this.#n += 1
    const envelope = { v: EVENT_VERSION, sessionId: this.id, id: `e_${this.#n}`, ts: this.#n } as const
    const placed = this.journal.append(this.id, [{ ...envelope, ...draft }])
    this.patch({ lastSeq: this.journal.lastSeq(this.id) }, false)
    this.#events.tell(placed)
    this.#infos.tell(this.#info)
  }

  /** Journals without telling: as a listener that was added too late sees it. */
  journalOnly(text: string): void {
    this.#n += 1
    const envelope = {
      v: EVENT_VERSION,
      sessionId: this.id,
      id: `e_${this.#n}`,
      ts: 1,
      source: 'screen',
    } as const
    const item = { kind: 'notice', text, level: 'info' } as const
    this.journal.append(this.id, [{ ...envelope, type: 'item.completed', itemId: 'x', turnId: null, item }])
    this.patch({ lastSeq: this.journal.lastSeq(this.id) }, false)
  }

  patch(change: Partial<SessionInfo>, tell = true): void {
    this.#info = { ...this.#info, ...change }
    this.journal.saveSession(this.#info)
    if (tell) this.#infos.tell(this.#info)
  }

  draw(text: string | Buffer): void {
    const bytes = Buffer.from(text)
    const offset = this.#length
    this.#pieces.push(bytes)
    this.#length += bytes.length
    this.#bytes.tell(bytes, offset)
  }

  /** Tells bytes as a listener that caught up, or missed some, hears them. */
  tellBytes(text: string, offset: number): void {
    this.#bytes.tell(Buffer.from(text), offset)
  }

  /** The record so far. */
  get record(): Buffer {
    return Buffer.concat(this.#pieces)
  }

  get recorded(): number {
    return this.#length
  }

  end(reason: 'exited' | 'killed' = 'exited'): void {
    this.prompts.close()
    this.#n += 1
    const placed = this.journal.append(this.id, [
      {
        v: EVENT_VERSION,
        sessionId: this.id,
        id: `e_${this.#n}`,
        ts: this.#n,
        source: 'bridge',
        type: 'session.ended',
        reason,
        exitCode: 0,
        signal: null,
        detail: null,
      },
    ])
    this.patch({ state: 'ended', endedAt: 1, lastSeq: this.journal.lastSeq(this.id) }, false)
    this.#events.tell(placed)
    this.#infos.tell(this.#info)
  }

  info(): SessionInfo {
    return this.#info
  }

  async send(message: SendMessageInput): Promise<Receipt> {
    this.sent.push(message)
    return this.prompts.send(message)
  }

  receipt(messageId: string): Receipt | undefined {
    return this.prompts.receipt(messageId)
  }

  queue(): QueuedPrompt[] {
    return this.prompts.list()
  }

  editQueued(messageId: string, change: EditQueued): Receipt {
    return this.prompts.edit(messageId, change)
  }

  withdraw(messageId: string): Receipt {
    return this.prompts.withdraw(messageId)
  }

  async answer(approvalId: string, option: string, by: string): Promise<AnswerResult> {
    return this.vendor.answer(approvalId, option, by)
  }

  commands(): SessionCommand[] {
    return [...FAKE_COMMANDS]
  }

  async runCommand(command: RunCommand): Promise<CommandResult> {
    return this.vendor.run(command)
  }

  typing(client: string, active: boolean): void {
    this.typists.push([client, active])
    this.#n += 1
    const envelope = { v: EVENT_VERSION, sessionId: this.id, id: `e_${this.#n}`, ts: this.#n } as const
    this.#events.tell([{ ...envelope, source: 'bridge', type: 'session.typing', client, active }])
  }

  async interrupt(): Promise<InterruptResult> {
    return { result: 'idle', turnId: null, evidence: ['no turn open'] }
  }

  async kill(): Promise<void> {
    this.killed += 1
    if (this.#info.state !== 'ended') this.end('killed')
  }

  snapshot(since: number) {
    return {
      info: this.#info,
      events: this.journal.read(this.id, since),
      board: this.board,
      lastSeq: this.#info.lastSeq,
    }
  }

  onEvents(listener: (events: readonly MeowEvent[]) => void): Disposable {
    return this.#events.add(listener)
  }

  onInfo(listener: (info: SessionInfo) => void): Disposable {
    return this.#infos.add(listener)
  }

  terminalSnapshot() {
    const { cols, rows } = this.#info
    return { cols, rows, offset: this.#length, screen: this.#pieces.slice(-2).join('') }
  }

  onTerminal(listener: (bytes: Uint8Array, offset: number) => void): Disposable {
    return this.#bytes.add(listener)
  }

  onTerminalResize(listener: (size: { cols: number; rows: number }) => void): Disposable {
    return this.#sizes.add(listener)
  }

  async keys(names: readonly string[]): Promise<void> {
    if (names.includes('Nope')) throw new MeowError('invalid_argument', 'no key is called Nope')
    this.pressed.push([...names])
  }

  async input(bytes: Uint8Array): Promise<void> {
    this.typed.push(Buffer.from(bytes))
  }

  async resize(cols: number, rows: number): Promise<void> {
    this.patch({ cols, rows })
    this.#sizes.tell({ cols, rows })
  }

  attachCommand(): { argv: string[]; env: Record<string, string> } | null {
    return { argv: ['tmux', 'attach'], env: {} }
  }

  async handleHook(body: unknown): Promise<unknown> {
    this.hooks.push(body)
    return { seen: body }
  }
}

/** A launch that makes {@link FakeSession}s; `vendor: 'broken'` fails, `'slow'` waits for `release`. */
export function fakeLauncher() {
  const sessions: FakeSession[] = []
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const launch: LaunchSession = async (id, request, deps) => {
    if (request.vendor === 'broken')
      throw new MeowError('vendor_missing', 'not installed', { hint: 'install it' })
    if (request.vendor === 'late') await released
    const session = new FakeSession(id, request, deps)
    sessions.push(session)
    if (request.vendor === 'slow') {
      session.patch({ state: 'starting' }, false)
      deps.adopt?.(session)
      await released
      session.patch({ state: 'idle' })
    }
    if (request.vendor === 'fails-late') throw new MeowError('vendor_start_failed', 'ended at once')
    return session
  }
  return { sessions, launch, release: () => release() }
}
