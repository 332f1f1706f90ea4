/** @module test/delivery/claude-world - a real Claude Code in a real session in tmux, and a scripted model behind it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapter } from '../../adapters/claude/index.js'
import type { Journal } from '../../src/journal/journal.js'
import { openJournal } from '../../src/journal/sqlite-journal.js'
import { type LoggedRequest, type ModelServer, startModelServer } from '../../src/model-server/index.js'
import { CreateSession, type Receipt, type SendMessageInput } from '../../src/protocol/commands.js'
import type { DurableBodies, DurableEvent, DurableType, MeowEvent } from '../../src/protocol/events.js'
import type { SessionHandle } from '../../src/session/handle.js'
import { makeLauncher } from '../../src/session/launch.js'
import { openTmuxHost, type TerminalHost } from '../../src/terminal/index.js'
import { claudeSetup } from '../support/vendor-homes.js'
import { Waiting } from '../support/waiting.js'

/** Longest wait for anything, in ms. */
const SEEN_MS = 60_000

export class ClaudeWorld {
  readonly events: MeowEvent[] = []
  private readonly waiting = new Waiting()
  private count = 0

  private constructor(
    readonly root: string,
    readonly cwd: string,
    readonly settingsFile: string,
    readonly model: ModelServer,
    readonly session: SessionHandle,
    private readonly host: TerminalHost,
    private readonly journal: Journal,
    private readonly hooks: Server,
  ) {
    session.onEvents((events) => {
      this.events.push(...events)
      this.waiting.look()
    })
  }

  /** @param args further arguments of the program */
  static async open(args: readonly string[] = []): Promise<ClaudeWorld> {
    const root = mkdtempSync(join(tmpdir(), 'cw-'))
    // A short answer to whatever has no directive: the prompts are what is looked at.
    const model = await startModelServer({
      persona: () => [{ type: 'part', part: { type: 'text', text: 'ok' } }],
      maxRequests: 2000,
      maxRequestBytes: 256 * 1024 * 1024,
    })
    const { cwd, env } = claudeSetup(root, model.url)
    let session: SessionHandle | null = null
    const hooks = await hookServer(() => session)
    const host = await openTmuxHost({ socketDir: join(root, 't') })
    const journal = openJournal(':memory:')
    const launch = makeLauncher({ adapters: [adapter], versionOf: async () => null })
    const request = CreateSession.parse({ vendor: 'claude', cwd, env, args: [...args] })
    const { port } = hooks.address() as AddressInfo
    session = await launch('s_1', request, {
      ...{ journal, home: root, socketDir: root, env: {} },
      hostFor: async () => host,
      hook: { url: `http://127.0.0.1:${port}/`, token: 't' },
      now: () => Date.now(),
      log: () => {},
      adopt: (handle) => {
        session = handle
      },
    })
    const settingsFile = join(env.HOME ?? '', '.claude', 'settings.json')
    return new ClaudeWorld(root, cwd, settingsFile, model, session, host, journal, hooks)
  }

  get settings(): string {
    return readFileSync(this.settingsFile, 'utf8')
  }

  /** The conversation's requests, oldest first. */
  get turns(): LoggedRequest[] {
    return this.model.requests.filter((r) => r.kind === 'turn')
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
    const last = () => this.events.slice(-8).map((e) => JSON.stringify(e).slice(0, 300))
    return this.waiting.until(what, holds, ms, () => last().join('\n'))
  }

  /** The receipts of these prompts once they are final. */
  async settled(ids: readonly string[]): Promise<Receipt[]> {
    const final = (id: string): boolean => ['completed', 'failed'].includes(this.receipt(id).state)
    await this.until(`the end of ${ids.join(', ')}`, () => ids.every(final))
    return ids.map((id) => this.receipt(id))
  }

  /** Sends prompts one by one and waits until each is done. */
  async say(...texts: string[]): Promise<void> {
    for (const text of texts) await this.settled([await this.send(text)])
    await this.idle()
  }

  idle(): Promise<void> {
    return this.until('Claude Code is idle', () => this.session.info().state === 'idle')
  }

  /** The newest dialog that waits for an answer. */
  async dialog(): Promise<{ approvalId: string; options: readonly { key: string; label: string }[] }> {
    const open = () => {
      const answered = new Set(this.told('approval.resolved').map((e) => e.approvalId))
      return this.told('approval.requested').findLast((e) => !answered.has(e.approvalId))
    }
    await this.until('a dialog is open', open)
    const { approvalId, options = [] } = open() ?? { approvalId: '' }
    return { approvalId, options }
  }

  told<T extends DurableType>(type: T): (DurableBodies[T] & DurableEvent)[] {
    return this.events.filter((e) => e.type === type) as unknown as (DurableBodies[T] & DurableEvent)[]
  }

  /** The screen as text, for failures. */
  screen(): string {
    return this.session.terminalSnapshot().screen.replaceAll(/\x1b\[[0-9;?]*[A-Za-z]/gu, '')
  }

  async close(): Promise<void> {
    await this.session.kill()
    await this.host.dispose()
    this.hooks.close()
    this.hooks.closeAllConnections()
    await this.model.close()
    this.journal.close()
    rmSync(this.root, { recursive: true, force: true })
  }
}

/** Takes the program's hook posts to its session. */
async function hookServer(session: () => SessionHandle | null): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const answer = await session()?.handleHook(body)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** What persons said, in order, as a request has it: text blocks of user messages that the program did not write. */
export function saidIn(request: LoggedRequest | undefined): string[] {
  const { messages } = (request?.body ?? { messages: [] }) as { messages: readonly Message[] }
  return messages
    .flatMap(({ role, content }) => {
      if (role !== 'user') return []
      return typeof content === 'string'
        ? [content]
        : content.flatMap((b) => (b.type === 'text' ? [b.text ?? ''] : []))
    })
    .filter((text) => !/^(?:<system-reminder>|\[Request interrupted|\[Image: source)/u.test(text))
}

interface Message {
  readonly role: string
  readonly content: string | readonly Block[]
}
interface Block {
  readonly type: string
  readonly text?: string
  readonly source?: { readonly data?: string }
}

/** The images of a request's last user message, as base64. */
export function imagesIn(request: LoggedRequest | undefined): string[] {
  const { messages } = (request?.body ?? { messages: [] }) as { messages: readonly Message[] }
  const blocks = messages.flatMap((m) => (typeof m.content === 'string' ? [] : m.content))
  return blocks.flatMap((b) => (b.type === 'image' ? [b.source?.data ?? ''] : []))
}
