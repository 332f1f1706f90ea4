/** @module session/end-session - what is done when a session's program has ended, in order. */
import type { SideChannel } from '../adapter/index.js'
import { bounded } from '../protocol/bounded.js'
import type { EventDraft } from '../protocol/events.js'
import type { Screen, TerminalExit } from '../terminal/index.js'
import type { Conversation } from './conversation.js'
import type { Deliveries } from './deliveries.js'
import { faultName } from './fault-name.js'
import type { SessionDeps } from './handle.js'
import type { SessionRecorder } from './recording.js'

/** Longest that closing a recording may hold up the end of its session, in ms. */
const RECORD_CLOSE_MS = 5000
/** Longest a stop of a side channel may take before the session is told as ended without it, in ms. */
const CHANNEL_STOP_MS = 5000

export interface EndingSession {
  readonly id: string
  readonly exit: TerminalExit
  /** We ended it. */
  readonly killed: boolean
  /** It took prompts. */
  readonly ready: boolean
  readonly channels: readonly SideChannel[]
  readonly conversation: Conversation
  readonly deliveries: Deliveries
  readonly recorder: SessionRecorder
  readonly screen: Screen
  readonly deps: SessionDeps
  record(drafts: readonly EventDraft[]): boolean
}

/** Side channels tell what they still have; then receipts and the turn settle, and the end is journalled. */
export async function endSession(s: EndingSession): Promise<void> {
  const { channels, conversation, recorder, exit, deps } = s
  for (const channel of channels) {
    await bounded(channel.stop(), CHANNEL_STOP_MS, 'it to stop').catch((error: unknown) => {
      deps.log(`side channel ${channel.name} of ${s.id}: ${faultName(error)}`)
    })
  }
  await s.deliveries.close()
  s.record(conversation.close(s.killed ? 'interrupted' : 'failed', "the vendor's program ended"))
  s.record([
    {
      type: 'session.ended',
      source: 'bridge',
      reason: s.killed ? 'killed' : s.ready ? 'exited' : 'start_failed',
      exitCode: exit.code,
      signal: exit.signal,
      detail: exit.code === null && exit.signal === null ? 'how it ended is not known' : null,
    },
  ])
  await bounded(recorder.close(exit), RECORD_CLOSE_MS, 'its recording to be closed').catch(
    (error: unknown) => {
      deps.log(`recording of ${s.id}: ${faultName(error)}`)
    },
  )
  s.screen.dispose()
}
