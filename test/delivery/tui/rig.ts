/** @module test/delivery/tui/rig - one program in memory and the bridges that come and go over it, killed wherever one likes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJournal } from '../../../src/journal/sqlite-journal.js'
import { CreateSession, type Receipt } from '../../../src/protocol/commands.js'
import type { DurableEvent } from '../../../src/protocol/events.js'
import type { SessionDeps, SessionHandle } from '../../../src/session/handle.js'
import { makeLauncher } from '../../../src/session/launch.js'
import { makeResumer } from '../../../src/session/resume-session.js'
import { tuiAdapter } from './adapter.js'
import { Life, mortalJournal } from './life.js'
import { MemoryHost } from './memory-host.js'
import type { MemoryTerminal } from './memory-terminal.js'
import { script, type TuiScript } from './script.js'
import { advance, ownTime, PATIENCE_MS, pass, systemTime } from './time.js'

const ID = 's_1'

export interface RigOptions {
  /** The program tells of its turns by a side channel as well, which can tell all of it again. */
  readonly hook: boolean
  /** How long nobody is there after each death, in ms. */
  readonly awayMs: number
  /** With which of its effects each bridge dies, the first from the call of {@link Rig.mortal}; one that is not named lives. */
  readonly deaths: readonly number[]
}

interface Bridge {
  readonly life: Life
  readonly session: SessionHandle
}

export class Rig {
  private readonly home = mkdtempSync(join(tmpdir(), 'mr-'))
  private readonly journal = openJournal(':memory:')
  private readonly terminals = new Map<string, MemoryTerminal>()
  private readonly script: TuiScript
  private bridge: Bridge | null = null
  private readonly deaths: number[]
  /** The last effect of each bridge that died. */
  readonly died: string[] = []
  readonly notes: string[] = []

  private constructor(
    given: Partial<TuiScript>,
    private readonly options: RigOptions,
  ) {
    this.script = script(given)
    this.deaths = [...options.deaths]
  }

  static async start(given: Partial<TuiScript>, options: RigOptions): Promise<Rig> {
    ownTime()
    const rig = new Rig(given, options)
    const life = new Life()
    const request = CreateSession.parse({
      vendor: 'tui',
      cwd: rig.home,
      backend: 'tmux',
      cols: 80,
      rows: 24,
      env: { PATH: process.env.PATH ?? '', TEST_TUI_BINARY: process.execPath },
    })
    const launch = makeLauncher({ adapters: [rig.adapter(life)], versionOf: async () => '1' })
    let session: SessionHandle | null = null
    void launch(ID, request, rig.deps(life)).then((handle) => {
      session = handle
    })
    await advance(() => session !== null, 'the program to start')
    if (session) rig.bridge = { life, session }
    return rig
  }

  /** From now on bridges die as they were told to. */
  mortal(): void {
    const nth = this.deaths.shift()
    if (nth !== undefined) this.mustBridge().life.endsWith(nth)
  }

  /** The bridge dies at this moment; the next one comes when the time is over. */
  async kill(): Promise<void> {
    this.mustBridge().life.end()
    await this.again()
  }

  get terminal(): MemoryTerminal {
    const [terminal] = this.terminals.values()
    if (!terminal) throw new Error('there is no program')
    return terminal
  }

  get tui() {
    return this.terminal.tui
  }

  get session(): SessionHandle {
    return this.mustBridge().session
  }

  /** What the present bridge has done so far. */
  get effects(): readonly string[] {
    return this.mustBridge().life.effects
  }

  /** The whole journal of the session. */
  get events(): DurableEvent[] {
    return this.journal.read(ID, 0)
  }

  receipt(messageId: string): Receipt | undefined {
    return this.session.receipt(messageId)
  }

  /** States and reasons of a message, as journalled. */
  states(messageId: string): Extract<DurableEvent, { type: 'delivery' }>[] {
    return this.events.flatMap((e) => (e.type === 'delivery' && e.messageId === messageId ? [e] : []))
  }

  /** Lets time pass until it holds, with a new bridge in the place of one that died. */
  async until(condition: () => boolean, what: string, ms = PATIENCE_MS): Promise<void> {
    for (;;) {
      const { life } = this.mustBridge()
      await advance(
        () => life.dead || condition(),
        what,
        ms,
        () => this.report(),
      )
      if (!life.dead) return
      await this.again()
    }
  }

  /** A client's call, made again when its bridge died before it answered; what the next one then says counts. */
  async call<T>(
    what: string,
    work: (session: SessionHandle) => Promise<T> | T,
  ): Promise<T | { error: unknown }> {
    for (;;) {
      const { life, session } = this.mustBridge()
      let result: { value: T | { error: unknown } } | null = null
      void Promise.resolve()
        .then(() => work(session))
        .then(
          (value) => {
            result = { value }
          },
          (error: unknown) => {
            result = { value: { error } }
          },
        )
      await advance(
        () => life.dead || result !== null,
        what,
        PATIENCE_MS,
        () => this.report(),
      )
      if (!life.dead && result) return (result as { value: T | { error: unknown } }).value
      await this.again()
    }
  }

  /** Lets so much time pass, in ms, with a bridge that lives: what one has missed is waited for again. */
  async pass(ms: number): Promise<void> {
    for (;;) {
      const { life } = this.mustBridge()
      const end = Date.now() + ms
      const timer = setTimeout(() => undefined, ms)
      await advance(() => life.dead || Date.now() >= end, `${ms} ms`, ms + 1)
      clearTimeout(timer)
      if (!life.dead) return
      await this.again()
    }
  }

  report(): string {
    const told = this.events.flatMap((e) =>
      e.type === 'delivery' ? [`${e.messageId} ${e.state} ${e.reason}`] : [],
    )
    const log = this.terminal.log.map((e) => `${e.kind} ${JSON.stringify(e.text.slice(0, 60))}`)
    return [
      `died with: ${this.died.join(' | ')}`,
      ...told.slice(-20),
      ...log,
      ...this.notes,
      `box: ${this.tui.draft}`,
    ].join('\n')
  }

  async close(): Promise<void> {
    try {
      const { session, life } = this.mustBridge()
      life.lives()
      if (!life.dead && !this.terminal.ended) {
        let over = false
        void session.kill().finally(() => {
          over = true
        })
        await advance(() => over, 'the end')
      }
    } finally {
      this.journal.close()
      rmSync(this.home, { recursive: true, force: true })
      systemTime()
    }
  }

  /** Nobody is there for a while; then the next bridge joins the program, as often as it dies over that. */
  private async again(): Promise<void> {
    this.died.push(this.mustBridge().life.effects.at(-1) ?? '')
    await pass(this.options.awayMs)
    if (this.terminal.ended) throw new Error('the program ended while no bridge was there')
    const info = this.journal.session(ID)
    if (!info) throw new Error('the journal has no session')
    const life = new Life()
    const nth = this.deaths.shift()
    if (nth !== undefined) life.endsWith(nth)
    let session: SessionHandle | null = null
    let failed: unknown = null
    const resumed = makeResumer([this.adapter(life)])(info, this.deps(life))
    void resumed.then(
      (handle) => {
        session = handle
        if (handle === null) failed = new Error('the session could not be resumed')
      },
      (error: unknown) => {
        failed = error
      },
    )
    await advance(() => life.dead || session !== null || failed !== null, 'the next bridge')
    if (failed !== null && !life.dead) throw failed
    // A bridge that died over it leaves the place to the next one.
    this.bridge = { life, session: session ?? this.session }
    if (life.dead) await this.again()
  }

  private adapter(life: Life) {
    const program = () => [...this.terminals.values()][0]
    const listen: Parameters<MemoryTerminal['onTold']>[0][] = []
    const hear: Parameters<MemoryTerminal['onTold']>[0] = (fact) => {
      if (!life.dead) for (const one of listen) one(fact)
    }
    return tuiAdapter({
      steer: this.script.midTurn,
      argv: [process.execPath],
      ...(this.options.hook
        ? {
            hook: {
              listen: (listener) => {
                if (listen.push(listener) > 1) return
                const there = program()
                if (there) there.onTold(hear)
                else this.waiting.push((t) => t.onTold(hear))
              },
              past: () => program()?.facts ?? [],
            },
          }
        : {}),
    })
  }

  private readonly waiting: ((terminal: MemoryTerminal) => void)[] = []

  private deps(life: Life): SessionDeps {
    return {
      journal: mortalJournal(this.journal, life),
      hostFor: async () =>
        new MemoryHost({ script: this.script, backend: 'tmux', life, terminals: this.terminals }),
      home: this.home,
      socketDir: this.home,
      hook: { url: 'http://127.0.0.1:1/', token: 't' },
      env: {},
      now: () => Date.now(),
      log: (line) => void (life.dead || this.notes.push(line)),
      adopt: () => {
        for (const one of this.waiting.splice(0)) one(this.terminal)
      },
    }
  }

  private mustBridge(): Bridge {
    if (!this.bridge) throw new Error('no bridge was started')
    return this.bridge
  }
}
