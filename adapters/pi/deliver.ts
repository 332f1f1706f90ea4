/** @module pi/deliver - how a message gets to Pi, and how a run is stopped. */
import type {
  Admission,
  Condition,
  Observation,
  Prompt,
  Reading,
  Seen,
  Step,
} from '../../src/adapter/index.js'

/** How long Pi may take to accept a prompt, its own checks of model and login included. */
const ACCEPT_MS = 15_000
/** How long a run may take to settle after it was told to stop. */
const STOP_MS = 10_000

/** The extension speaks at the session's start, and says where Pi stands whenever it connects again. */
export function ready({ observations }: Seen): boolean {
  return observations.some((o) => o.type === 'ready' || (o.type === 'state' && o.source === 'hook'))
}

/** A list, or the hint under one: on a small screen the rules around a dialog are not in sight. */
const LIST = /^\s*[→›] +\S|\bto select\b|↑↓ navigate|\benter (?:select|submit)\b/iu

/** A draft in the editor is no obstacle: the message does not go through it. */
export function admits(reading: Reading | null): Admission {
  if (reading?.dialog)
    return { ok: false, reason: `a dialog is open: ${reading.dialog.title || reading.dialog.kind}` }
  if (reading?.state === 'unknown' && reading.evidence.some((row) => LIST.test(row)))
    return { ok: false, reason: 'a dialog seems to be open, and the screen is too small to see it whole' }
  return { ok: true }
}

/** Pi has the prompt: by its id where the source knows it, else by its very text. */
function hasIt(prompt: Prompt): Condition {
  const tells = (o: Observation): boolean => {
    if (o.type !== 'prompt.accepted' && o.type !== 'user.message') return false
    const id: unknown = 'messageId' in o ? o.messageId : undefined
    return id === undefined ? o.text === prompt.text : id === prompt.messageId
  }
  return {
    name: 'Pi accepted the prompt with exactly this text',
    holds: ({ observations }) => observations.some(tells),
  }
}

/**
 * Over the extension, not over the keyboard: what a person has typed stays as it is, and a leading `/`, `!` or
 * a trailing backslash has no meaning. An id that Pi has had already does nothing again, and what became of it is told.
 */
function hand(prompt: Prompt, deliverAs: 'followUp' | 'steer'): readonly Step[] {
  const { messageId, text, images } = prompt
  return [
    { do: 'call', method: 'send', params: { messageId, text, images, deliverAs } },
    { do: 'receipt', state: 'typed' },
    { do: 'see', condition: hasIt(prompt), withinMs: ACCEPT_MS },
    { do: 'receipt', state: 'accepted' },
  ]
}

/** While Pi works it queues the message as a follow-up. */
export function deliver(prompt: Prompt): readonly Step[] {
  return hand(prompt, 'followUp')
}

/** Before the model's next call: when the tools that run have ended. Accepted means that it stands in Pi's queue. */
export function steer(prompt: Prompt): readonly Step[] {
  return hand(prompt, 'steer')
}

/** A compaction that a person asked for is no turn: of it Pi says only that it is idle again. */
const ended: Condition = {
  name: 'the run has settled',
  holds: ({ observations }) =>
    observations.some(
      (o) => o.type === 'turn.ended' || (o.type === 'state' && o.source === 'hook' && o.state === 'idle'),
    ),
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
