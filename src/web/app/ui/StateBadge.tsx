/** @module web/ui/StateBadge - a session's state as a dot and a word. */
import type { SessionState } from '../../../protocol/events.js'

export const STATE_WORDS: Readonly<Record<SessionState, string>> = {
  starting: 'starting',
  idle: 'idle',
  running: 'running',
  blocked: 'blocked',
  unknown: 'unknown',
  ended: 'ended',
}

const MEANING: Readonly<Record<SessionState, string>> = {
  starting: 'The program is starting.',
  idle: 'Waits for a prompt.',
  running: 'Works on a turn.',
  blocked: 'Blocked: a dialog in the terminal waits for a person.',
  unknown: 'What the screen shows is not recognised.',
  ended: 'The program has ended.',
}

export function StateBadge({ state }: { state: SessionState }) {
  return (
    <span className="state" data-state={state} title={MEANING[state]}>
      <span className="state-dot" aria-hidden="true" />
      {STATE_WORDS[state]}
    </span>
  )
}
