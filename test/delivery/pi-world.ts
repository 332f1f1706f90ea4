/** @module test/delivery/pi-world - a real Pi in a real session, and a scripted model behind it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { scriptedHome } from '../../adapters/pi/demo.js'
import { adapter } from '../../adapters/pi/index.js'
import type { Journal } from '../../src/journal/journal.js'
import { openJournal } from '../../src/journal/sqlite-journal.js'
import { type ModelServer, startModelServer } from '../../src/model-server/index.js'
import { CreateSession, type Receipt, type SendMessageInput } from '../../src/protocol/commands.js'
import type { DurableBodies, DurableEvent, DurableType, MeowEvent } from '../../src/protocol/events.js'
import type { SessionHandle } from '../../src/session/handle.js'
import { makeLauncher } from '../../src/session/launch.js'
import { openPtyHost, type TerminalHost } from '../../src/terminal/index.js'
import { VENDOR_BIN } from '../support/vendor-homes.js'
import { Waiting } from '../support/waiting.js'

/** Longest wait for anything, in ms. */
const SEEN_MS = 60_000
/** So many that no conversation of a test is compacted. */
const WINDOW = 1_000_000_000

export class PiWorld {
  readonly events: MeowEvent[] = []
  private readonly waiting = new Waiting()
  private count = 0

  private constructor(
    readonly root: string,
    readonly work: string,
    readonly model: ModelServer,
    readonly session: SessionHandle,
    private readonly host: TerminalHost,
    private readonly journal: Journal,
  ) {
    session.onEvents((events) => {
      this.events.push(...events)
      this.waiting.look()
    })
  }

  static async open(): Promise<PiWorld> {
    const root = mkdtempSync(join(tmpdir(), 'pi-'))
    const [home, work] = [join(root, 'home'), join(root, 'work')]
    mkdirSync(work)
    const model = await startModelServer({})
    const price = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 }
    const models = ['mock-model', 'mock-two'] as const
    const scripted = scriptedHome({ home, modelUrl: model.url, provider: 'mock', price, models })
    for (const { path, text } of scripted.files) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text.replace(/"contextWindow": \d+/gu, `"contextWindow": ${WINDOW}`))
    }
    const env = {
      ...{ HOME: home, PATH: `${VENDOR_BIN}:/usr/local/bin:/usr/bin:/bin`, TMPDIR: root },
      ...{ TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/bash', ...scripted.env },
    }
    const host = openPtyHost()
    const journal = openJournal(':memory:')
    const launch = makeLauncher({ adapters: [adapter], versionOf: async () => null })
    const request = CreateSession.parse({ vendor: 'pi', cwd: work, backend: 'pty', env })
    const session = await launch('s_1', request, {
      ...{ journal, home: root, socketDir: root, env: {} },
      hostFor: async () => host,
      hook: { url: 'http://127.0.0.1:1/', token: 't' },
      now: () => Date.now(),
      log: () => {},
    })
    return new PiWorld(root, work, model, session, host, journal)
  }

  /** Sends a prompt; its id. */
  async send(text: string, more: Partial<SendMessageInput> = {}): Promise<string> {
    this.count += 1
    const messageId = `m${this.count}`
    await this.session.send({ messageId, text, ...more })
    return messageId
  }

  receipt(messageId: string): Receipt {
    const receipt = this.session.receipt(messageId)
    if (!receipt) throw new Error(`there is no message ${messageId}`)
    return receipt
  }

  /** Resolves when the condition holds; it is looked at after every event. */
  until(what: string, holds: () => unknown, ms = SEEN_MS): Promise<void> {
    const { session } = this
    return this.waiting.until(what, holds, ms, () => {
      const last = this.events.slice(-6).map((e) => JSON.stringify(e).slice(0, 300))
      const { cols, rows } = session.info()
      const reading = JSON.stringify(session.reading?.() ?? null).slice(0, 1500)
      return `${last.join('\n')}\n${cols}x${rows} ${reading}`
    })
  }

  /** The receipts of these prompts once they are final. */
  async settled(ids: readonly string[]): Promise<Receipt[]> {
    const final = (id: string): boolean => ['completed', 'failed'].includes(this.receipt(id).state)
    await this.until(`the end of ${ids.join(', ')}`, () => ids.every(final))
    return ids.map((id) => this.receipt(id))
  }

  idle(): Promise<void> {
    return this.until('Pi is idle', () => this.session.info().state === 'idle')
  }

  told<T extends DurableType>(type: T): (DurableBodies[T] & DurableEvent)[] {
    return this.events.filter((e) => e.type === type) as unknown as (DurableBodies[T] & DurableEvent)[]
  }

  async close(): Promise<void> {
    await this.session.kill()
    await this.host.dispose()
    await this.model.close()
    this.journal.close()
    rmSync(this.root, { recursive: true, force: true })
  }
}
