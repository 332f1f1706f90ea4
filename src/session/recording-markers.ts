/** @module session/recording-markers - which events a recording marks, and by what words. */
import type { MeowEvent } from '../protocol/events.js'

/** The label of an event's marker; null for events that are none. Players list them as chapters. */
export function markerOf(event: MeowEvent): string | null {
  switch (event.type) {
    case 'turn.started':
      return `turn.started ${event.turnId}`
    case 'turn.completed':
      return `turn.completed ${event.turnId} ${event.outcome}`
    case 'session.state':
      return `state ${event.state} (${event.rule})`
    case 'session.ended':
      return `session.ended ${event.reason}`
    case 'delivery':
      return `delivery ${event.messageId} ${event.state}${event.reason === null ? '' : `: ${event.reason}`}`
    case 'approval.requested':
      return `approval.requested ${event.approvalId} ${event.title}`
    case 'approval.resolved':
      return `approval.resolved ${event.approvalId} ${event.verdict}`
    case 'gap':
      return `gap ${event.what}: ${event.detail}`
    default:
      return null
  }
}
