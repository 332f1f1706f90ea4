/** @module session/settle-lost - a session that cannot be gone on with: everything open gets its end. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Journal } from '../journal/journal.js'
import { randomId } from '../protocol/ids.js'
import type { SessionInfo } from '../protocol/session.js'
import { EventLog } from './event-log.js'
import { recallSession } from './recall.js'
import { readSessionFile, removeSessionFile } from './session-file.js'

const WHY = 'the bridge that watched it ended, and its program cannot be gone on with'

/**
 * Journals the end of its turn, items, prompts, commands and dialogs, and takes its tokens from the disk.
 * @returns the summary after that
 */
export function settleLost(
  info: SessionInfo,
  deps: {
    readonly journal: Journal
    readonly home: string
    readonly now: () => number
    readonly log: (line: string) => void
  },
): SessionInfo {
  const { conversation, prompts, actions } = recallSession(deps.journal, info)
  const { journal, now, log: logLine } = deps
  const log = new EventLog({ journal, now, newId: randomId, log: logLine }, info)
  log.record([
    ...prompts.lost(WHY),
    ...actions.failed(WHY),
    ...conversation.approvals.goneMeanwhile(),
    ...conversation.close('failed', WHY),
  ])
  const dir = join(deps.home, 'sessions', info.id)
  for (const path of readSessionFile(dir)?.files ?? []) rmSync(path, { force: true })
  removeSessionFile(dir)
  return log.info
}
