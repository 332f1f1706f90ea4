/** @module pi/deliver - how a message gets to Pi, and how a run is stopped. */
import type { Admission, Condition, Reading, Seen, Step } from '../../src/adapter/index.js'

/** How long Pi may take to accept a prompt, its own checks of model and login included. */
const ACCEPT_MS = 15_000
/** How long a run may take to settle after it was told to stop. */
const STOP_MS = 10_000

/** The extension speaks at the session's start, and says where Pi stands whenever it connects again. */
export function ready({ observations }: Seen): boolean {
  return observations.some((o) => o.type === 'ready' || (o.type === 'state' && o.source === 'hook'))
}

/** A draft in the editor is no obstacle: the message does not go through it. */
export function admits(reading: Reading | null): Admission {
  if (!reading?.dialog) return { ok: true }
  return { ok: false, reason: `a dialog is open: ${reading.dialog.title || reading.dialog.kind}` }
}

/**
 * Over the extension, not over the keyboard: what a person has typed stays as it is, and a leading `/`, `!` or
 * a trailing backslash has no meaning. While Pi works it queues the message as a follow-up.
 */
export function deliver(text: string): readonly Step[] {
  const accepted: Condition = {
    name: 'Pi accepted the prompt with exactly this text',
    holds: ({ observations }) =>
      observations.some(
        (o) => (o.type === 'prompt.accepted' || o.type === 'user.message') && o.text === text,
      ),
  }
  return [
    { do: 'call', method: 'send', params: { text } },
    { do: 'receipt', state: 'typed' },
    { do: 'see', condition: accepted, withinMs: ACCEPT_MS },
    { do: 'receipt', state: 'accepted' },
  ]
}

const ended: Condition = {
  name: 'the run has settled',
  holds: ({ observations }) => observations.some((o) => o.type === 'turn.ended'),
}

/** An Escape into an idle Pi would open its session tree, so the key is for a screen that still shows work. */
const stillRunning: Condition = {
  name: 'the screen still shows work and no dialog',
  holds: ({ reading }) => reading?.state === 'running' && reading.dialog === null,
}

export function interrupt(): readonly Step[] {
  return [
    { do: 'call', method: 'abort', params: {} },
    {
      do: 'see',
      condition: ended,
      withinMs: STOP_MS,
      code: 'timeout',
      retry: { when: stillRunning, steps: [{ do: 'keys', keys: ['Escape'] }], times: 1 },
    },
  ]
}
