/** @module cli/open-approval - the dialog that waits for a person now, as it was told when it opened. */
import type { DurableEvent } from '../protocol/events.js'
import type { SessionInfo } from '../protocol/session.js'
import type { Hub } from './hub-access.js'

export type Approval = Extract<DurableEvent, { type: 'approval.requested' }>

/** Events that are read at once, backwards from the newest. */
const PAGE = 1000

/** The newest dialog that is not resolved; null when there is none. */
export async function openApproval(hub: Hub, session: SessionInfo): Promise<Approval | null> {
  const resolved = new Set<string>()
  for (let end = session.lastSeq; end > 0; end -= PAGE) {
    const since = Math.max(0, end - PAGE)
    const { events } = await hub.events(session.id, { since, limit: PAGE })
    for (const event of events.toReversed()) {
      if (event.type === 'approval.resolved') resolved.add(event.approvalId)
      if (event.type === 'approval.requested' && !resolved.has(event.approvalId)) return event
    }
    // A dialog that stands there blocks: nothing needs to be sought far back where nothing is blocked.
    if (session.state !== 'blocked') return null
  }
  return null
}
