/** @module hub/registry - the sessions of this hub: starting, living, ended. */
import { randomBytes } from 'node:crypto'
import type { Journal } from '../journal/journal.js'
import { bounded } from '../protocol/bounded.js'
import type { CreateSession } from '../protocol/commands.js'
import { asMeowError, MeowError } from '../protocol/errors.js'
import type { IdSource } from '../protocol/ids.js'
import type { SessionInfo } from '../protocol/session.js'
import type { Disposable, LaunchSession, SessionDeps, SessionHandle } from '../session/handle.js'
import { Listeners } from '../session/listeners.js'
import type { ResumeSession } from '../session/resume-session.js'
import { startingInfo, terminalIdOf } from '../session/starting.js'
import { describeError } from './log.js'
import { endInJournal, LOST_AND_ENDED } from './recovery.js'

export interface RegistryOptions {
  readonly journal: Journal
  readonly launch: LaunchSession
  readonly hostFor: SessionDeps['hostFor']
  /** Goes on with a session whose program outlived an earlier hub; null when it is not there any more. */
  readonly resume?: ResumeSession
  /** Ends a terminal that an earlier hub left running; false when it is not there. */
  readonly endLeft?: (terminalId: string) => Promise<boolean>
  readonly home: string
  readonly socketDir: string
  readonly env: Readonly<Record<string, string>>
  /** The URL that a session's vendor posts its hooks to. */
  readonly hookUrl: (sessionId: string) => string
  readonly newId: IdSource
  readonly now: () => number
  readonly log: (line: string) => void
  /** Living sessions at most. */
  readonly maxLive?: number
}

interface Entry {
  readonly hookToken: string
  readonly starting: SessionInfo
  /** Settles, and never rejects, when the launch has ended either way. */
  launched: Promise<unknown>
  handle: SessionHandle | null
  killed: boolean
  readonly subscriptions: Disposable[]
}

const MAX_LIVE = 200
/** Ended sessions in a list, the newest ones. */
const MAX_ENDED = 500
/** A hook may come a moment before its session is known here. */
const HOOK_WAIT_MS = 5_000

export class Registry {
  readonly #options: RegistryOptions
  readonly #entries = new Map<string, Entry>()
  readonly #infos: Listeners<[SessionInfo]>
  readonly #attached: Listeners<[SessionHandle]>
  readonly #removed: Listeners<[string]>
  #closed = false

  constructor(options: RegistryOptions) {
    this.#options = options
    const fault = (error: unknown): void => options.log(`a listener failed: ${asMeowError(error).code}`)
    this.#infos = new Listeners(fault)
    this.#attached = new Listeners(fault)
    this.#removed = new Listeners(fault)
  }

  /** Every living session and the newest ended ones, newest first. */
  list(): SessionInfo[] {
    const living = [...this.#entries.keys()].map((id) => this.info(id))
    const newest = this.#options.journal.sessions(MAX_ENDED + living.length)
    const ended = newest.filter(({ id }) => !this.#entries.has(id)).slice(0, MAX_ENDED)
    return [...living, ...ended].sort((a, b) => b.createdAt - a.createdAt)
  }

  /** The summary of a session; `not_found` when there is none. */
  info(id: string): SessionInfo {
    const entry = this.#entries.get(id)
    const info = entry?.handle?.info() ?? this.#options.journal.session(id) ?? entry?.starting
    if (info === undefined) throw new MeowError('not_found', `there is no session ${id}`)
    return info
  }

  /** The handle of a living session; null when it is starting without one, has ended, or never was. */
  handle(id: string): SessionHandle | null {
    return this.#entries.get(id)?.handle ?? null
  }

  /** Whether the session is starting or lives. */
  isLive(id: string): boolean {
    return this.#entries.has(id)
  }

  /** The handle, or the error that says why there is none. */
  mustLive(id: string): SessionHandle {
    const handle = this.handle(id)
    if (handle !== null) return handle
    this.info(id)
    throw this.isLive(id)
      ? new MeowError('conflict', `session ${id} is starting`, { retryable: true })
      : new MeowError('conflict', `session ${id} has ended`)
  }

  /** How many are starting or live. */
  get liveCount(): number {
    return this.#entries.size
  }

  get journal(): Journal {
    return this.#options.journal
  }

  /** The token that the session's hooks carry; undefined for any id that does not live. */
  hookToken(id: string): string | undefined {
    return this.#entries.get(id)?.hookToken
  }

  onInfo(listener: (info: SessionInfo) => void): Disposable {
    return this.#infos.add(listener)
  }

  /** A session can be followed from now on. */
  onAttached(listener: (handle: SessionHandle) => void): Disposable {
    return this.#attached.add(listener)
  }

  /** A session that failed before anything of it was journalled is not there any more. */
  onRemoved(listener: (id: string) => void): Disposable {
    return this.#removed.add(listener)
  }

  /**
   * Starts a vendor's program; answers when it takes prompts. A caller who leaves before that (`signal`) does not want
   * it any more: nobody would know which of the sessions it became.
   */
  async create(request: CreateSession, signal?: AbortSignal): Promise<SessionInfo> {
    if (this.#closed) throw new MeowError('conflict', 'the hub is shutting down')
    if (signal?.aborted === true) throw new MeowError('conflict', 'the caller left before the start')
    const max = this.#options.maxLive ?? MAX_LIVE
    if (this.#entries.size >= max) {
      throw new MeowError('conflict', `${max} sessions live already`, {
        retryable: true,
        hint: 'End one: agent-meow kill <id>',
      })
    }
    const { newId, now, log } = this.#options
    const id = newId('s')
    const entry: Entry = {
      hookToken: randomBytes(32).toString('base64url'),
      starting: startingInfo(id, request, now()),
      launched: Promise.resolve(),
      handle: null,
      killed: false,
      subscriptions: [],
    }
    this.#entries.set(id, entry)
    this.#infos.tell(entry.starting)
    const launch = this.#launch(id, request, entry)
    entry.launched = launch.catch(() => undefined)
    const leave = (): void => {
      this.kill(id).catch((error: unknown) =>
        log(`session ${id} that nobody waits for: ${describeError(error)}`),
      )
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await launch
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  /**
   * Goes on with a session that an earlier hub left. False when its program is not there any more: the session is then
   * the caller's to close. Throws where that could not be found out.
   * @param hookToken what its program posts its hooks with
   */
  async resume(info: SessionInfo, hookToken: string): Promise<boolean> {
    const { resume } = this.#options
    if (!resume || this.#entries.has(info.id)) return false
    const entry: Entry = {
      hookToken,
      starting: info,
      launched: Promise.resolve(),
      handle: null,
      killed: false,
      subscriptions: [],
    }
    this.#entries.set(info.id, entry)
    const going = resume(info, this.#deps(info.id, entry))
    entry.launched = going.catch(() => undefined)
    try {
      const handle = await going
      if (handle) this.#attach(entry, handle)
      else this.#entries.delete(info.id)
      return handle !== null
    } catch (error) {
      this.#entries.delete(info.id)
      throw error
    }
  }

  #deps(id: string, entry: Entry): SessionDeps {
    const { journal, hostFor, home, socketDir, env, hookUrl, now, log } = this.#options
    return {
      journal,
      hostFor,
      home,
      socketDir,
      env,
      now,
      log,
      hook: { url: hookUrl(id), token: entry.hookToken },
      adopt: (handle) => {
        this.#attach(entry, handle)
        // Killed while there was nothing to kill: its program does not have to become ready for it.
        if (entry.killed)
          handle.kill().catch((error: unknown) => log(`kill of ${id}: ${describeError(error)}`))
      },
    }
  }

  async #launch(id: string, request: CreateSession, entry: Entry): Promise<SessionInfo> {
    try {
      const handle = await this.#options.launch(id, request, this.#deps(id, entry))
      this.#attach(entry, handle)
      if (entry.killed) {
        await handle.kill()
        throw new MeowError('vendor_start_failed', `session ${id} was killed while it started`)
      }
      return handle.info()
    } catch (error) {
      this.#launchFailed(id, entry, asMeowError(error))
      throw error
    }
  }

  #attach(entry: Entry, handle: SessionHandle): void {
    if (entry.handle !== null) return
    entry.handle = handle
    entry.subscriptions.push(
      handle.onInfo((info) => this.#infos.tell(info)),
      handle.onEvents((events) => {
        if (events.some(({ type }) => type === 'session.ended')) this.#ended(handle)
      }),
    )
    // The event may never come: a journal that cannot be written takes none.
    handle.ended?.then(
      () => this.#ended(handle),
      () => this.#ended(handle),
    )
    this.#attached.tell(handle)
    this.#infos.tell(handle.info())
    if (handle.info().state === 'ended') this.#ended(handle)
  }

  /** From here on the session is served from the journal. */
  #ended(handle: SessionHandle): void {
    const entry = this.#entries.get(handle.id)
    if (entry?.handle !== handle) return
    this.#entries.delete(handle.id)
    const closed = this.#closeInJournal(handle.id, entry.killed)
    // The session tells its last summary after this event: the listeners go once that has been heard.
    queueMicrotask(() => {
      for (const subscription of entry.subscriptions.splice(0)) subscription.dispose()
      this.#infos.tell(closed ?? handle.info())
    })
  }

  /**
   * A session whose own last event was refused may be closed now; else the next start of the hub does it. Gives the
   * summary when it was closed here.
   */
  #closeInJournal(id: string, killed: boolean): SessionInfo | null {
    const { journal, now, newId, log } = this.#options
    try {
      const info = journal.session(id)
      if (info === null || (info.state === 'ended' && info.endedAt !== null)) return null
      const detail = 'Its end could not be journalled when it came.'
      return endInJournal(journal, info, now(), newId, { reason: killed ? 'killed' : 'exited', detail })
    } catch (error) {
      log(`the end of ${id} is not in the journal: ${describeError(error)}`)
      return null
    }
  }

  #launchFailed(id: string, entry: Entry, error: MeowError): void {
    for (const subscription of entry.subscriptions.splice(0)) subscription.dispose()
    this.#entries.delete(id)
    const { journal, now, newId } = this.#options
    const info = journal.session(id)
    if (info === null) {
      this.#removed.tell(id)
    } else if (info.state === 'ended' && info.endedAt !== null) {
      this.#infos.tell(info)
    } else {
      this.#infos.tell(
        endInJournal(journal, info, now(), newId, { reason: 'start_failed', detail: error.detail }),
      )
    }
  }

  /** Hands a post of the vendor's hooks to its session. */
  async hook(id: string, body: unknown): Promise<unknown> {
    const handle = this.handle(id) ?? (await this.#soon(id))
    return await handle.handleHook(body)
  }

  async #soon(id: string): Promise<SessionHandle> {
    let subscription: Disposable | undefined
    const attached = new Promise<SessionHandle>((resolve) => {
      subscription = this.onAttached((handle) => {
        if (handle.id === id) resolve(handle)
      })
    })
    try {
      return await bounded(attached, HOOK_WAIT_MS, `session ${id} to have its terminal`)
    } finally {
      subscription?.dispose()
    }
  }

  /**
   * Ends a session; answers when it is gone. An ended one is answered as it is, except that what an earlier hub left
   * of it is ended, and the answer says so.
   */
  async kill(id: string): Promise<SessionInfo> {
    const entry = this.#entries.get(id)
    if (entry === undefined) return await this.#killLeft(this.info(id))
    entry.killed = true
    if (entry.handle !== null) {
      await entry.handle.kill()
      this.#ended(entry.handle)
      return this.info(id)
    }
    // Without a handle there is nothing to kill yet: the launch sees the mark when it has one.
    await entry.launched
    return (
      this.#options.journal.session(id) ?? { ...entry.starting, state: 'ended', endedAt: this.#options.now() }
    )
  }

  async #killLeft(info: SessionInfo): Promise<SessionInfo> {
    const { endLeft, journal } = this.#options
    if (info.stateRule !== 'session.lost' || info.backend !== 'tmux') return info
    if ((await endLeft?.(terminalIdOf(info.id))) !== true) return info
    const ended: SessionInfo = { ...info, stateEvidence: [LOST_AND_ENDED] }
    journal.saveSession(ended)
    this.#infos.tell(ended)
    return ended
  }

  /** Ends every session and refuses new ones. What is not gone in time is told to the log. */
  async killAll(withinMs: number): Promise<void> {
    this.#closed = true
    const ids = [...this.#entries.keys()]
    const all = Promise.allSettled(ids.map((id) => this.kill(id)))
    try {
      await bounded(all, withinMs, 'all sessions to end')
    } catch (error) {
      this.#options.log(`${describeError(error)}: ${[...this.#entries.keys()].join(', ')} left`)
    }
  }
}
