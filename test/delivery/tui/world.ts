/** @module test/delivery/tui/world - a real session on the test TUI in memory, in a time of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { Journal } from '../../../src/journal/journal.js'
import { openJournal } from '../../../src/journal/sqlite-journal.js'
import { CreateSession, type Receipt, type SendMessageInput } from '../../../src/protocol/commands.js'
import type { DurableBodies, DurableEvent, DurableType, MeowEvent } from '../../../src/protocol/events.js'
import type { SessionHandle } from '../../../src/session/handle.js'
import { makeLauncher } from '../../../src/session/launch.js'
import { tuiAdapter } from './adapter.js'
import { MemoryHost } from './memory-host.js'
import type { MemoryTerminal } from './memory-terminal.js'
import { type LogEntry, script, type TuiScript } from './script.js'
import { advance, ownTime, PATIENCE_MS, pass, systemTime } from './time.js'

// Nothing runs below a program in memory, and the system's own list of processes takes real time.
vi.mock('../../../src/session/turn-processes.js', () => ({
  TurnProcesses: class {
    turnBegins() {}
    async ofTurn() {
      return []
    }
    async whatEnded() {
      return []
    }
  },
}))

export interface WorldOptions {
  readonly latency?: () => number
  /** The program tells of its turns by a side channel as well; `silent`: that one is there, and tells nothing. */
  readonly hook?: boolean | 'silent'
  /** A second session on the same host, in the same time; it is closed before the first. */
  readonly beside?: World
  /** Whether the journal refuses what is written now. */
  readonly journalRefuses?: () => boolean
  readonly cols?: number
  readonly rows?: number
}

export class World {
  readonly events: MeowEvent[] = []
  readonly notes: string[] = []
  private constructor(
    readonly session: SessionHandle,
    readonly terminal: MemoryTerminal,
    private readonly host: MemoryHost,
    private readonly tidy: () => void,
  ) {}

  /** Starts the program; `vi`'s clock takes over until {@link close}. */
  static async start(given: Partial<TuiScript> = {}, options: WorldOptions = {}): Promise<World> {
    const { beside } = options
    if (!beside) ownTime()
    const what = script(given)
    const host =
      beside?.host ??
      new MemoryHost({ script: what, ...(options.latency ? { latency: options.latency } : {}) })
    const id = beside ? 's_2' : 's_1'
    const home = mkdtempSync(join(tmpdir(), 'md-'))
    const journal = openJournal(':memory:')
    const terminalOf = () => host.terminals.get(id.replaceAll('_', '-'))
    const listeners: ((t: MemoryTerminal) => void)[] = []
    const adapter = tuiAdapter({
      steer: what.midTurn,
      argv: [process.execPath],
      ...(options.hook
        ? {
            hook: {
              listen: (listener) => {
                if (options.hook !== 'silent') listeners.push((t) => t.onTold(listener))
              },
            },
          }
        : {}),
    })
    const launch = makeLauncher({ adapters: [adapter], versionOf: async () => '1' })
    let world: World | null = null
    const early: string[] = []
    const tidy = () => {
      journal.close()
      rmSync(home, { recursive: true, force: true })
      if (!beside) systemTime()
    }
    const request = CreateSession.parse({
      vendor: 'tui',
      cwd: home,
      backend: 'pty',
      cols: options.cols ?? 80,
      rows: options.rows ?? 24,
      env: { PATH: process.env.PATH ?? '', TEST_TUI_BINARY: process.execPath },
    })
    let failed: unknown = null
    const launching = launch(id, request, {
      journal: options.journalRefuses ? refusing(journal, options.journalRefuses) : journal,
      hostFor: async () => host,
      home,
      socketDir: home,
      hook: { url: 'http://127.0.0.1:1/', token: 't' },
      env: {},
      now: () => Date.now(),
      log: (line) => void (world?.notes ?? early).push(line),
      adopt: (handle) => {
        const terminal = terminalOf()
        if (!terminal) return
        for (const listen of listeners) listen(terminal)
        world = new World(handle, terminal, host, tidy)
        handle.onEvents((events) => void world?.events.push(...events))
      },
    }).catch((error: unknown) => {
      failed = error ?? new Error('no reason')
    })
    let done = false
    void launching.then(() => {
      done = true
    })
    await advance(() => done || (what.canonical && world !== null), 'the program to start')
    const made = world as World | null
    if (failed !== null || !made) {
      tidy()
      throw failed ?? new Error('the session was never handed over')
    }
    return made
  }

  get tui() {
    return this.terminal.tui
  }

  get log(): MemoryTerminal['log'] {
    return this.terminal.log
  }

  /** Texts that the program received as this. */
  received(kind: LogEntry['kind']): string[] {
    return this.log.filter((e) => e.kind === kind).map((e) => e.text)
  }

  /** Events of a type, in order. */
  told<T extends DurableType>(type: T): (DurableBodies[T] & DurableEvent)[] {
    return this.events.filter((e) => e.type === type) as unknown as (DurableBodies[T] & DurableEvent)[]
  }

  /** The states of a message's receipts, in order, each once. */
  states(messageId: string): string[] {
    const all = this.told('delivery').filter((d) => d.messageId === messageId)
    return all.map((d) => d.state).filter((state, n, list) => state !== list[n - 1])
  }

  receipt(messageId: string): Receipt {
    const receipt = this.session.receipt(messageId)
    if (!receipt) throw new Error(`there is no message ${messageId}`)
    return receipt
  }

  send(messageId: string, text: string, more: Partial<SendMessageInput> = {}): Promise<Receipt> {
    return this.session.send({ messageId, text, ...more })
  }

  /** A person at the program's own terminal. */
  async person(bytes: string): Promise<void> {
    this.terminal.person(Buffer.from(bytes, 'utf8'))
  }

  /** Lets time pass until the condition holds; it is looked at after every timer. */
  async until(condition: () => boolean, what: string, ms = PATIENCE_MS): Promise<void> {
    await advance(condition, what, ms, () => this.report())
  }

  async settled(...messageIds: string[]): Promise<Receipt[]> {
    const final = (id: string) => ['completed', 'failed'].includes(this.receipt(id).state)
    await this.until(() => messageIds.every(final), `the end of ${messageIds.join(', ')}`)
    return messageIds.map((id) => this.receipt(id))
  }

  /** Lets so much time pass, in ms. */
  async pass(ms: number): Promise<void> {
    await pass(ms)
  }

  /** Resolves with the promise's outcome while time passes. */
  async outcome<T>(promise: Promise<T>): Promise<{ value: T } | { error: unknown }> {
    let result: { value: T } | { error: unknown } | null = null
    void promise.then(
      (value) => {
        result = { value }
      },
      (error: unknown) => {
        result = { error }
      },
    )
    await this.until(() => result !== null, 'the call to settle')
    if (!result) throw new Error('unreachable')
    return result
  }

  /** Lines for a failing test: receipts, log, newest screen. */
  report(): string {
    const receipts = this.told('delivery').map((d) => `${d.messageId} ${d.state} ${d.reason ?? ''}`)
    const log = this.log.map((e) => `${e.seq} ${e.kind} ${JSON.stringify(e.text.slice(0, 80))}`)
    let screen = ''
    try {
      screen = JSON.stringify(this.session.reading?.(), null, 1)
    } catch {
      screen = '(no reading)'
    }
    return [
      'receipts',
      ...receipts.slice(-30),
      'log',
      ...log.slice(-30),
      ...this.notes,
      screen.slice(0, 1500),
    ].join('\n')
  }

  async close(): Promise<void> {
    if (!this.terminal.ended) {
      const killed = this.session.kill()
      await this.outcome(killed)
    }
    await this.outcome(this.session.ended ?? Promise.resolve())
    this.tidy()
  }
}

/** A journal that a full disk keeps from writing, at times. */
function refusing(journal: Journal, refuses: () => boolean): Journal {
  const check = () => {
    if (refuses()) throw new Error('SQLITE_FULL: database or disk is full')
  }
  return {
    ...reading(journal),
    append: (...batch) => {
      check()
      return journal.append(...batch)
    },
    saveSession: (info) => {
      check()
      journal.saveSession(info)
    },
  }
}

function reading(journal: Journal): Omit<Journal, 'append' | 'saveSession'> {
  return {
    read: (...of) => journal.read(...of),
    lastSeq: (id) => journal.lastSeq(id),
    sessions: (limit) => journal.sessions(limit),
    session: (id) => journal.session(id),
    close: () => journal.close(),
  }
}
