/** @module session/summary - a session's line in listings, folded from its events. Pure. */
import type { DurableEvent } from '../protocol/events.js'
import type { SessionInfo } from '../protocol/session.js'

/** The summary after one more event. */
export function summarize(info: SessionInfo, event: DurableEvent): SessionInfo {
  const next: SessionInfo = { ...info, lastSeq: event.seq }
  switch (event.type) {
    case 'session.started':
      return { ...next, vendorVersion: event.vendorVersion, model: event.model ?? info.model, pid: event.pid }
    case 'session.vendor':
      return { ...next, vendorSessionId: event.vendorSessionId }
    case 'session.state':
      return {
        ...next,
        state: event.state,
        stateRule: event.rule,
        stateEvidence: event.evidence,
        stateSince: event.state === info.state ? info.stateSince : event.ts,
      }
    case 'session.ended':
      return {
        ...next,
        state: 'ended',
        stateRule: `ended.${event.reason}`,
        stateEvidence: event.detail === null ? [] : [event.detail],
        stateSince: event.ts,
        endedAt: event.ts,
        pid: null,
      }
    case 'turn.completed':
      return { ...next, turns: info.turns + 1, lastOutcome: event.outcome }
    case 'usage':
      return {
        ...next,
        tokens: event.session.tokens,
        usd: event.session.usd,
        model: event.model ?? info.model,
      }
    case 'model':
      return { ...next, model: event.model }
    case 'mode':
      return { ...next, mode: event.mode }
    default:
      return next
  }
}
