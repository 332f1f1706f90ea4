/** @module session/settle-lost - a session whose program is gone with nobody watching: everything open gets its end. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Journal } from '../journal/journal.js'
import type { DurableEvent, EventDraft } from '../protocol/events.js'
import { randomId } from '../protocol/ids.js'
import type { SessionInfo } from '../protocol/session.js'
import { Conversation } from './conversation.js'
import { DeliveryMemory } from './delivery-recovery.js'
import { EventLog } from './event-log.js'
import { OpenCommands } from './open-commands.js'
import { tablePrice } from './pricing.js'
import { readSessionFile, removeSessionFile } from './session-file.js'

/** Events that are read at once. */
const PAGE = 5000

/** Every durable event of a session, in order. */
export function* everyEvent(journal: Journal, sessionId: string): Generator<DurableEvent> {
  for (let since = 0; ; ) {
    const page = journal.read(sessionId, since, PAGE)
    yield* page
    const last = page.at(-1)
    if (!last) return
    since = last.seq
  }
}

/** Journals the end of its turn, items, prompts, commands and dialogs, and takes its tokens from the disk. */
export function settleLost(
  info: SessionInfo,
  deps: {
    readonly journal: Journal
    readonly home: string
    readonly now: () => number
    readonly log: (line: string) => void
  },
): void {
  const conversation = new Conversation(randomId, tablePrice, info.model)
  const memory = new DeliveryMemory()
  const commands = new OpenCommands()
  for (const event of everyEvent(deps.journal, info.id)) {
    conversation.recall(event)
    memory.recall(event)
    commands.recall(event)
  }
  const why = 'the program ended while no bridge watched it'
  const drafts: EventDraft[] = [
    ...memory.lost(why),
    ...commands.failed(why),
    ...conversation.approvals.goneMeanwhile(),
    ...conversation.close('failed', why),
  ]
  if (drafts.length > 0)
    new EventLog({ journal: deps.journal, now: deps.now, newId: randomId, log: deps.log }, info).record(
      drafts,
    )
  const dir = join(deps.home, 'sessions', info.id)
  for (const path of readSessionFile(dir)?.files ?? []) rmSync(path, { force: true })
  removeSessionFile(dir)
}
