/** @module web/state/app - the page's one controller: access, connection, sessions, messages. */
import type { CreateSessionInput, InterruptResult } from '../../../protocol/commands.js'
import type { RecordingInfo, SessionInfo } from '../../../protocol/session.js'
import type { ServerFrame } from '../../../protocol/stream.js'
import { newestFirst, sessionMap, withSession } from '../model/sessions.js'
import type { Conversation } from '../model/view.js'
import { asFault, hub } from '../net/http.js'
import { StreamSocket } from '../net/socket.js'
import { type AppState, INITIAL, type Layout } from './app-state.js'
import { DeliveryControl } from './delivery.js'
import { Messages } from './messages.js'
import { Presence } from './presence.js'
import { parseHash, recordingHash, sessionHash } from './route.js'
import { Store } from './store.js'
import { Sync } from './sync.js'
import { TerminalLink } from './terminal-link.js'

/** Views that are kept of sessions a person has looked at. */
const KEPT_VIEWS = 8
const LAYOUT_KEY = 'agent-meow:layout'

export class App {
  readonly store = new Store<AppState>(INITIAL)
  readonly messages = new Messages(this.store)
  readonly delivery = new DeliveryControl(this.store, this.messages, (id) => this.#sync.refresh(id))
  readonly presence: Presence
  readonly #socket: StreamSocket
  readonly #sync: Sync
  readonly terminal: TerminalLink

  constructor() {
    const address = new URL('/v1/stream', location.href)
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
    this.#socket = new StreamSocket(address.href, {
      status: (connection) => this.store.set({ connection }),
      opened: () => this.#opened(),
      closed: () => this.#sync.disconnected(),
      frame: (frame) => this.#frame(frame),
      terminal: (frame) => this.terminal.bytes(frame),
      unreadable: (detail) => this.#unreadable(detail),
      mayRetry: () => this.#mayRetry(),
    })
    this.terminal = new TerminalLink((frame) => this.#socket.send(frame))
    this.presence = new Presence({
      send: (frame) => this.#mayType() && this.#socket.send(frame),
      put: (typists) => this.store.set({ typists }),
      now: () => Date.now(),
      later,
    })
    this.#sync = new Sync({
      send: (frame) => this.#socket.send(frame),
      view: (sessionId) => this.store.get().views.get(sessionId),
      put: (view) => this.#putView(view),
      now: () => Date.now(),
      random: () => Math.random(),
      later,
    })
  }

  /** Called once, when the page is there. */
  async start(): Promise<void> {
    this.store.set({ layout: sessionStorage.getItem(LAYOUT_KEY) === 'split' ? 'split' : 'conversation' })
    this.delivery.load()
    addEventListener('pagehide', () => this.presence.rest())
    addEventListener('hashchange', () => void this.#hashChanged())
    addEventListener('online', () => this.#socket.retryNow())
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.#socket.retryNow()
    })
    await this.#hashChanged()
    if (this.store.get().access.kind === 'checking') await this.checkAccess()
  }

  /** Asks the hub whether it knows this browser, and connects when it does. */
  async checkAccess(): Promise<void> {
    try {
      this.delivery.allowed((await hub.info()).scopes)
      this.#paired()
    } catch (thrown) {
      const fault = asFault(thrown)
      this.store.set({
        access: denied(fault.code) ? { kind: 'unpaired', fault: null } : { kind: 'unreachable', fault },
      })
    }
  }

  select(sessionId: string): void {
    if (location.hash !== sessionHash(sessionId)) location.hash = sessionHash(sessionId)
    this.#show(sessionId)
  }

  /** Shows a recording from its start. */
  play(name: string): void {
    location.hash = recordingHash(name)
  }

  async loadRecordings(): Promise<void> {
    try {
      this.store.set({ recordings: await hub.recordings(), recordingsFault: null })
    } catch (thrown) {
      this.store.set({ recordingsFault: asFault(thrown) })
    }
  }

  /** Begins or ends the recording of a session; what is refused is told above the page. */
  async record(sessionId: string, action: 'start' | 'stop'): Promise<RecordingInfo | null> {
    try {
      return await hub.record(sessionId, action)
    } catch (thrown) {
      const { message, hint } = asFault(thrown)
      this.store.set({ banner: { tone: 'error', text: message, hint } })
      return null
    } finally {
      await this.loadRecordings()
    }
  }

  setLayout(layout: Layout): void {
    sessionStorage.setItem(LAYOUT_KEY, layout)
    this.store.setNow({ layout })
  }

  retryNow(): void {
    this.#socket.retryNow()
  }

  dismissBanner(): void {
    this.store.setNow({ banner: null })
  }

  async createSession(request: CreateSessionInput): Promise<SessionInfo> {
    const session = await hub.createSession(request)
    this.store.set({ sessions: withSession(this.store.get().sessions, session) })
    this.select(session.id)
    return session
  }

  async endSession(sessionId: string): Promise<void> {
    const session = await hub.killSession(sessionId)
    this.store.set({ sessions: withSession(this.store.get().sessions, session) })
  }

  interrupt(sessionId: string): Promise<InterruptResult> {
    return hub.interrupt(sessionId)
  }

  async #hashChanged(): Promise<void> {
    const route = parseHash(location.hash)
    if (route.kind === 'session') this.#show(route.sessionId)
    if (route.kind === 'none') {
      this.store.set({ playing: null })
      this.#selectNewest()
    }
    if (route.kind === 'recording') this.store.set({ playing: { name: route.name, at: route.at } })
    if (route.kind !== 'pair') return
    // The code is used up and must not stay in the history.
    history.replaceState(null, '', location.pathname + location.search)
    try {
      await hub.pair(route.code)
      this.#paired()
      // The hub itself refuses what this browser may not do.
      hub.info().then(
        ({ scopes }) => this.delivery.allowed(scopes),
        () => undefined,
      )
    } catch (thrown) {
      const fault = asFault(thrown)
      // An old link in a browser that is paired already does no harm.
      const known = await hub.info().then(
        () => true,
        () => false,
      )
      if (known) this.#paired()
      else if (fault.code === 'network') this.store.set({ access: { kind: 'unreachable', fault } })
      else this.store.set({ access: { kind: 'unpaired', fault } })
    }
  }

  #paired(): void {
    this.store.set({ access: { kind: 'paired' } })
    this.#socket.start()
  }

  async #mayRetry(): Promise<'go' | 'later' | 'stop'> {
    try {
      this.delivery.allowed((await hub.info()).scopes)
      return 'go'
    } catch (thrown) {
      if (!denied(asFault(thrown).code)) return 'later'
      this.store.set({ access: { kind: 'unpaired', fault: null } })
      return 'stop'
    }
  }

  #opened(): void {
    this.#socket.send({ type: 'sessions.subscribe' })
    void this.loadRecordings()
    this.presence.reconnected()
    this.#sync.connected()
    this.terminal.connected()
  }

  #mayType(): boolean {
    return !this.store.get().denied.has('type')
  }

  #show(sessionId: string): void {
    if (sessionId !== this.store.get().selected) this.presence.rest()
    this.messages.load(sessionId)
    this.store.set({ selected: sessionId, playing: null })
    this.#sync.select(sessionId)
  }

  #frame(frame: ServerFrame): void {
    switch (frame.type) {
      case 'sessions':
        this.store.set({ sessions: sessionMap(frame.sessions), sessionsKnown: true })
        this.#selectNewest()
        return
      case 'session.info':
        this.store.set({ sessions: withSession(this.store.get().sessions, frame.session) })
        return
      case 'session.snapshot':
        this.store.set({ sessions: withSession(this.store.get().sessions, frame.session) })
        this.#sync.snapshot(frame)
        return
      case 'events':
        this.presence.heard(frame.events)
        this.#sync.events(frame)
        return
      case 'terminal.snapshot':
        this.terminal.snapshot(frame)
        return
      case 'terminal.resize':
        this.terminal.resized(frame)
        return
      case 'error':
        this.store.set({
          banner: { tone: 'error', text: frame.error.detail, hint: frame.error.hint ?? null },
        })
    }
  }

  /** A page without a selection opens on the newest session; going back does not undo that. */
  #selectNewest(): void {
    if (this.store.get().selected !== null || this.store.get().playing !== null) return
    const newest = newestFirst(this.store.get().sessions)[0]
    if (newest === undefined) return
    history.replaceState(null, '', sessionHash(newest.id))
    this.#show(newest.id)
  }

  #putView(view: Conversation): void {
    const { views, selected } = this.store.get()
    if (views.get(view.sessionId) === view) return
    const next = new Map(views)
    next.delete(view.sessionId)
    next.set(view.sessionId, view)
    for (const id of next.keys()) {
      if (next.size <= KEPT_VIEWS) break
      if (id !== selected) next.delete(id)
    }
    this.store.set({ views: next })
    this.messages.heard(view)
  }

  #unreadable(detail: string): void {
    this.store.set({
      banner: {
        tone: 'error',
        text: `The hub sent something that this page does not understand (${detail}).`,
        hint: 'Reload the page; if it stays, update agent-meow.',
      },
    })
  }
}

function later(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

function denied(code: string): boolean {
  return code === 'unauthorized' || code === 'forbidden'
}
