/** @module cli/follow-session - the events of one session in order, the old ones first, then as they happen. */
import { MeowError } from '../protocol/errors.js'
import type { MeowEvent } from '../protocol/events.js'
import type { ServerFrame } from '../protocol/stream.js'
import { CtrlC } from './exits.js'
import type { Hub } from './hub-access.js'

export interface FollowOptions {
  /** Only durable events after this one. */
  readonly since: number
  /** Ctrl-C ends it with {@link CtrlC}. */
  readonly signal: AbortSignal
  /** Called once, when the old events are told and nothing new can be missed. */
  onLive?(): Promise<void>
  /** One event; `true` ends the following. */
  onEvent(event: MeowEvent): boolean
}

/** Resolves when `onEvent` says so; rejects when the stream ends before, or by Ctrl-C. */
export async function followSession(hub: Hub, sessionId: string, options: FollowOptions): Promise<void> {
  const { signal, since, onEvent } = options
  if (signal.aborted) throw new CtrlC()
  const stream = await hub.stream({ signal })
  try {
    stream.send({ type: 'session.subscribe', sessionId, since })
    let live = false
    for await (const frame of stream) {
      if (signal.aborted) break
      if (frame.type === 'error') throw streamError(frame.error)
      if (frame.type !== 'events' && frame.type !== 'session.snapshot') continue
      if (frame.sessionId !== sessionId) continue
      if (frame.events.some((event) => onEvent(event))) return
      // A long history comes as several snapshots; the last one reaches the present.
      if (!live && frame.type === 'session.snapshot' && frame.lastSeq >= frame.session.lastSeq) {
        live = true
        await options.onLive?.()
      }
    }
  } finally {
    stream.close()
  }
  if (signal.aborted) throw new CtrlC()
  throw new MeowError('hub_unreachable', 'the hub closed the stream')
}

/** What the hub told on the stream, as an error of ours. */
export function streamError({ code, detail, hint }: (ServerFrame & { type: 'error' })['error']): MeowError {
  const known = code === 'not_found' || code === 'forbidden' || code === 'conflict' ? code : 'internal'
  return new MeowError(known, detail, hint === undefined ? {} : { hint })
}
