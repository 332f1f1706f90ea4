/**
 * @module session/resume-session - goes on with a session whose program outlived the bridge: the terminal is joined, the
 * screen drawn again from its record, the conversation taken from the journal, and the sources say what came meanwhile.
 */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Adapter } from '../adapter/index.js'
import { MeowError } from '../protocol/errors.js'
import type { EventDraft } from '../protocol/events.js'
import { randomId } from '../protocol/ids.js'
import type { SessionInfo } from '../protocol/session.js'
import type { Terminal } from '../terminal/index.js'
import { type OnItsWay, recoverDeliveries } from './delivery-recovery.js'
import { EventLog } from './event-log.js'
import type { SessionDeps, SessionHandle } from './handle.js'
import { hostProbe } from './launch.js'
import type { OpenActions } from './open-actions.js'
import { recallSession } from './recall.js'
import { Watch } from './script.js'
import { Session } from './session.js'
import { planOf, readSessionFile, removeSessionFile, type SessionFile } from './session-file.js'
import { RAW_FILE, recorderOf } from './session-recorder.js'
import { Sources, screenOf } from './start-session.js'
import { terminalIdOf } from './starting.js'

/** How much of a record is drawn again; a program draws its whole screen far more often than that. */
const REDRAW_BYTES = 32 * 1024 * 1024
/** Longest wait for a source to say what it has, in ms; after it the session goes on with what was told. */
const CATCH_UP_MS = 20_000

/** Goes on with a session that the journal has as open; null when its program is not there any more. */
export type ResumeSession = (info: SessionInfo, deps: SessionDeps) => Promise<SessionHandle | null>

/** What a hub must know of a left session before it can resume it: the token that its hooks carry. */
export function leftHookToken(home: string, id: string): string | null {
  return readSessionFile(join(home, 'sessions', id))?.hookToken ?? null
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
      id: terminalIdOf(info.id),
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
  const { conversation, prompts, actions } = recallSession(deps.journal, info)
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
  const way = prompts.restore(session.deliveries, (id, text, doubted) =>
    conversation.expect(id, text, doubted),
  )
  session.record(restartNotice(conversation.turnId))
  if (file.hookUrl !== deps.hook.url) {
    const detail = 'the hub has another port than before: hooks of the running program do not reach it'
    session.record([{ type: 'gap', source: 'bridge', what: 'hooks', detail }])
  }
  await sources.start(hostProbe(deps.env), true)
  sources.connect(session, terminal.pid, () => deps.adopt?.(session))
  void session.ended.then(() => {
    for (const { path } of plan.files) rmSync(path, { force: true })
    removeSessionFile(sessionDir)
  })
  void goOn(left, session, way, actions)
  return session
}

/** Told to everyone: what was live only is lost, and the rest goes on. It has no key: no source knows of it. */
function restartNotice(turnId: string | null): EventDraft[] {
  const itemId = randomId('item')
  const text = 'The bridge ended and was started again; it goes on with the same program.'
  const item = { kind: 'notice' as const, level: 'info' as const, text }
  return [
    { type: 'item.started', source: 'bridge', itemId, turnId, kind: 'notice', item },
    { type: 'item.completed', source: 'bridge', itemId, turnId, item },
  ]
}

/** When the screen is drawn and the sources have caught up: decides about what was on its way, and goes on. */
async function goOn(
  left: Left,
  session: Session,
  way: readonly OnItsWay[],
  actions: OpenActions,
): Promise<void> {
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
    await session.resumption.redrawn
    await session.caughtUp(CATCH_UP_MS)
    session.goneMeanwhile()
    session.record(actions.failed('the bridge ended while it ran; whether it was done is not known'))
    session.resumption.recovered()
    // The conversation's own screen reading, if any, is told by now; so is what stands in the prompt box.
    await recoverDeliveries(session.deliveries, way, {
      adapter,
      turnRuns: () => session.turnRuns,
      now: left.deps.now,
      until: (condition, withinMs) =>
        session.watch.until(({ reading }) => condition(reading), [], withinMs, session.signal),
      takeBack: (prompt) => session.deliveries.takeBack(prompt),
    })
  } catch (error) {
    const detail = error instanceof MeowError ? error.detail : 'the restart failed'
    session.record([{ type: 'gap', source: 'bridge', what: 'restart', detail }])
  } finally {
    session.resumption.recovered()
    session.deliveries.resume()
    void session.ended.then(() => mark.end())
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
