/** @module cli/find-queued - which of the prompts that wait a person means: its id, or the start of it. */
import type { QueuedPrompt } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import { safeLine } from './safe-text.js'

/** The id of the one; what waits under no such name is left to the hub, which knows what became of it. */
export function findQueued(ref: string, waiting: readonly QueuedPrompt[]): string {
  const ids = waiting.map(({ messageId }) => messageId)
  if (ids.includes(ref)) return ref
  const fitting = ref === '' ? [] : ids.filter((id) => id.startsWith(ref))
  const [only = ref] = fitting
  if (fitting.length <= 1) return only
  throw new MeowError('invalid_argument', `"${safeLine(ref, 80)}" means more than one message`, {
    hint: `say which: ${fitting.join(', ')}`,
  })
}
