/** @module session/recall - what the journal has of a session that an earlier run of the bridge left open. */
import { everyEvent } from '../journal/every-event.js'
import type { Journal } from '../journal/journal.js'
import { randomId } from '../protocol/ids.js'
import type { SessionInfo } from '../protocol/session.js'
import { Conversation } from './conversation.js'
import { DeliveryMemory } from './delivery-recovery.js'
import { OpenActions } from './open-actions.js'
import { tablePrice } from './pricing.js'

export interface Recalled {
  readonly conversation: Conversation
  readonly prompts: DeliveryMemory
  readonly actions: OpenActions
}

/** Reads all events of the session once. */
export function recallSession(journal: Journal, info: SessionInfo): Recalled {
  const conversation = new Conversation(randomId, tablePrice, info.model)
  const prompts = new DeliveryMemory()
  const actions = new OpenActions()
  for (const event of everyEvent(journal, info.id)) {
    conversation.recall(event)
    prompts.recall(event)
    actions.recall(event)
  }
  return { conversation, prompts, actions }
}
