/**
 * @module session/resume-session - goes on with a session whose program outlived the bridge: the terminal is joined, the
 * screen drawn again from its record, the conversation taken from the journal, and the sources say what came meanwhile.
 */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Adapter, Prompt } from '../adapter/index.js'
import { MeowError } from '../protocol/errors.js'
import { randomId } from '../protocol/ids.js'
import type { SessionInfo } from '../protocol/session.js'
import type { Terminal } from '../terminal/index.js'
import { Conversation } from './conversation.js'
import { DeliveryMemory, recoverDeliveries } from './delivery-recovery.js'
import { EventLog } from './event-log.js'
import type { SessionDeps, SessionHandle } from './handle.js'
import { hostProbe } from './launch.js'
import { tablePrice } from './pricing.js'
import { Watch } from './script.js'
import { Session } from './session.js'
import { planOf, readSessionFile, removeSessionFile, type SessionFile } from './session-file.js'
import { RAW_FILE, recorderOf } from './session-recorder.js'
import { Sources, screenOf } from './start-session.js'

/** Events that are read at once. */
const PAGE = 5000
/** How much of a record is drawn again; a program draws its whole screen far more often than that. */
const REDRAW_BYTES = 32 * 1024 * 1024
/** Longest wait for a source to say what it has, in ms; after it the session goes on with what was told. */
const CATCH_UP_MS = 20_000

/** Goes on with a session that the journal has as open; null when its program is not there any more. */
export type ResumeSession = (info: SessionInfo, deps: SessionDeps) => Promise<SessionHandle | null>

/** What a hub must know of a left session before it can resume it: the token and URL of its hooks. */
export function leftHook(home: string, id: string): { readonly url: string; readonly token: string } | null {
  const file = readSessionFile(join(home, 'sessions', id))
  return file && { url: file.hookUrl, token: file.hookToken }
}

/** A {@link ResumeSession} over the given adapters. */
export function makeResumer(adapters: readonly Adapter[]): ResumeSession {
  return async (info, deps) => {
    const sessionDir = join(deps.home, 'sessions', info.id)
    const file = readSessionFile(sessionDir)
    const adapter = adapters.find((a) => a.vendor.id === info.vendor)
    if (!file || !adapter || info.pid === null || info.backend !== 'tmux') return null
    const recordFile = join(sessionDir, RAW_FILE)
    const size = sizeOf(recordFile)
    const host = await deps.hostFor('tmux')
    const terminal = await host.adopt({
      id: info.id.replaceAll('_', '-'),
      pid: info.pid,
      recordFile,
      offset: Math.max(0, size - REDRAW_BYTES),
    })
    if (!terminal) return null
    return await resume({ info, deps, sessionDir, file, adapter, terminal, size })
  }
}

interface Left {
  readonly info: SessionInfo
  readonly deps: SessionDeps
  readonly sessionDir: string
  readonly file: SessionFile
  readonly adapter: Adapter
  readonly terminal: Terminal
  /** Of the record when the terminal was joined, in bytes. */
  readonly size: number
}

async function resume(left: Left): Promise<Session> {
  const { info, deps, sessionDir, file, adapter, terminal } = left
  const plan = planOf(file, deps.env)
  const conversation = new Conversation(randomId, tablePrice, info.model)
  const memory = recalled(left, conversation)
  const log = new EventLog(
    { journal: deps.journal, now: deps.now, newId: randomId, log: deps.log },
    { ...info, ...terminal.size },
  )
  const sources = new Sources(adapter.sources(plan))
  const request = { cwd: info.cwd, ...terminal.size, backend: info.backend }
  const session = new Session({
    id: info.id,
    adapter,
    terminal,
    screen: screenOf({ id: info.id, request, deps }),
    channels: sources.channels,
    conversation,
    log,
    watch: new Watch(),
    recorder: recorderOf({
      id: info.id,
      adapter,
      argv: plan.argv,
      env: plan.env,
      name: file.name,
      request,
      deps,
      sessionDir,
      version: file.version,
    }),
    deps,
    newId: randomId,
    sessionDir,
    resumed: { redrawUntil: left.size, catchUp: sources.channels.length > 0 },
  })
  session.deliveries.pause()
  const way = memory.restore(session.deliveries, (id, text) => conversation.expect(id, text))
  session.record([
    { type: 'gap', source: 'bridge', what: 'restart', detail: 'the bridge ended and was started again' },
  ])
  await sources.start(hostProbe(deps.env), true)
  sources.connect(session, terminal.pid, () => deps.adopt?.(session))
  void session.ended.then(() => {
    for (const { path } of plan.files) rmSync(path, { force: true })
    removeSessionFile(sessionDir)
  })
  void goOn(left, session, way)
  return session
}

/** What the journal has of the session, in pages. */
function recalled({ info, deps }: Left, conversation: Conversation): DeliveryMemory {
  const memory = new DeliveryMemory()
  for (let since = 0; ; ) {
    const page = deps.journal.read(info.id, since, PAGE)
    for (const event of page) {
      conversation.recall(event)
      memory.recall(event)
    }
    const last = page.at(-1)
    if (!last) return memory
    since = last.seq
  }
}

/** When the screen is drawn and the sources have caught up: decides about what was on its way, and goes on. */
async function goOn(left: Left, session: Session, way: ReturnType<DeliveryMemory['restore']>): Promise<void> {
  const { adapter } = left
  const mark = session.watch.begin()
  try {
    const isReady = session.watch.until(
      (seen) => adapter.ready(seen),
      mark.observations,
      null,
      session.signal,
    )
    void isReady.then((yes) => yes && session.becomeReady())
    await session.redrawn
    await session.caughtUp(CATCH_UP_MS)
    // The conversation's own screen reading, if any, is told by now; so is what stands in the prompt box.
    const host = { adapter, reading: session.watch.reading, turnRuns: session.turnRuns }
    const takeBack = (prompt: Prompt) => session.deliveries.takeBack(prompt)
    await recoverDeliveries(session.deliveries, way, host, takeBack)
    session.goneMeanwhile()
  } catch (error) {
    const detail = error instanceof MeowError ? error.detail : 'the restart failed'
    session.record([{ type: 'gap', source: 'bridge', what: 'restart', detail }])
  } finally {
    session.deliveries.resume()
    void session.ended.then(() => mark.end())
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
