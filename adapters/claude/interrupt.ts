/** @module adapters/claude/interrupt - how Claude Code's turn is stopped, and what it puts back is taken away. */
import type { Condition, Step } from '../../src/adapter/index.js'
import { emptied, oursInBox } from './composer.js'

const turnEnded: Condition = {
  name: 'the turn ended',
  holds: ({ observations }) => observations.some((o) => o.type === 'turn.ended'),
}

/**
 * Esc stops the turn (measured: stream closed 0.1 s later). Prompts in the program's own queue are sent at once then:
 * the next turn tells them. Where nothing had been answered yet the program puts the prompt back into the box; it is
 * taken out if it is that very prompt.
 */
export function interrupt(turn: { readonly prompt: string | null }): readonly Step[] {
  const { prompt } = turn
  // What stood there before is a person's, whatever it looks like.
  let wasEmpty = false
  const ours = oursInBox(prompt ?? '')
  const putBack: Condition = {
    name: 'the prompt was put back into the box',
    holds: (seen) => wasEmpty && ours.holds(seen),
  }
  const look: Condition = {
    name: 'the prompt box is looked at',
    holds: ({ reading }) => {
      wasEmpty = reading?.composer?.text === ''
      return false
    },
  }
  return [
    { do: 'if', condition: look, steps: [] },
    { do: 'keys', keys: ['Escape'] },
    {
      do: 'see',
      condition: turnEnded,
      withinMs: 6000,
      code: 'timeout',
      retry: {
        when: {
          name: 'the turn still runs',
          holds: (seen) => !turnEnded.holds(seen) && !seen.reading?.dialog,
        },
        steps: [{ do: 'keys', keys: ['Escape'] }],
        times: 1,
      },
    },
    ...(prompt === null ? [] : emptied(prompt, putBack)),
  ]
}
