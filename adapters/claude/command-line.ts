/** @module adapters/claude/command-line - how a command line of Claude Code's own is typed and sent off. */
import type { Condition, Seen, Step } from '../../src/adapter/index.js'
import { MeowError } from '../../src/protocol/errors.js'
import { composerEmpty, emptied, holdsPrompt, tailOf } from './composer.js'
import { sightOf } from './sight.js'

/** A longer one would be shown as a mark, and nobody could see what Enter sends. */
const MOST = 500
const SHOWN_MS = 15_000
/** The popup comes a moment after the text (measured: 20 to 200 ms, more under load). */
const POPUP_MS = 3000
/** Longest wait for a question that stands before the effect (measured: up to 2 s). */
const ASKS_MS = 20_000

const shows = (line: string): Condition => ({
  name: `the prompt box shows ${line} and nothing else`,
  holds: ({ reading }) => holdsPrompt(reading, line, 0),
})

const popupOf = (seen: Seen) => sightOf(seen.reading)?.popup ?? null

/**
 * Enter takes what is selected in the popup, not what was typed: so the popup must have this very command first, or be
 * closed (it is for a line with arguments).
 */
function runsAsTyped(line: string): Condition {
  const name = nameOf(line)
  return {
    name: `Enter would run ${name}`,
    holds: (seen) => {
      if (!shows(line).holds(seen)) return false
      const popup = popupOf(seen)
      return popup === null ? line !== name : popup[0] === name
    },
  }
}

const nameOf = (line: string) => line.split(/\s/u, 1)[0] ?? line

/** Types the line, looks, and presses Enter; what would not run as it is written is taken out of the box again. */
export function commandLine(line: string): readonly Step[] {
  if (line.length > MOST) {
    throw new MeowError(
      'invalid_argument',
      `a command line has at most ${MOST} characters, not ${line.length}`,
    )
  }
  const runs = runsAsTyped(line)
  const stands = shows(line)
  return [
    { do: 'must', condition: composerEmpty, code: 'draft_present' },
    { do: 'paste', text: line + tailOf(line) },
    { do: 'see', condition: stands, withinMs: SHOWN_MS, code: 'timeout' },
    {
      do: 'see',
      condition: runs,
      // A name that the program does not know opens no popup, or one of other commands: only time can tell.
      withinMs: POPUP_MS,
      code: 'invalid_argument',
      retry: { when: stands, steps: emptied(line, stands), times: 1 },
    },
    { do: 'keys', keys: ['Enter'] },
    {
      do: 'see',
      condition: {
        name: `${nameOf(line)} left the prompt box`,
        holds: (seen) => seen.reading !== null && !stands.holds(seen),
      },
      withinMs: 5000,
      code: 'timeout',
      retry: { when: runs, steps: [{ do: 'keys', keys: ['Enter'] }], times: 2 },
    },
  ]
}

/** What the program says of a command line that it has taken. */
const SIGNS: ReadonlySet<string> = new Set(['command', 'turn.started', 'notice', 'item', 'vendor.session'])

/** The line is gone and what came of it can be seen: a dialog, its echo in the transcript, or a turn. */
export function tookLine(line: string): Step {
  return {
    do: 'see',
    condition: {
      name: `Claude Code took ${line}`,
      holds: ({ reading, observations }) =>
        reading?.dialog != null || observations.some((o) => SIGNS.has(o.type)),
    },
    withinMs: SHOWN_MS,
    code: 'timeout',
  }
}

/** Says yes to the question that may stand before the effect; goes on when the box is back without one. */
export function confirmed(question: RegExp): readonly Step[] {
  const asks: Condition = {
    name: 'it asks once more',
    holds: ({ reading }) => question.test(reading?.dialog?.title ?? ''),
  }
  const answered: Condition = {
    name: 'it asks, or has done it',
    holds: (seen) =>
      asks.holds(seen) ||
      (seen.reading?.composer?.text === '' && seen.observations.some((o) => o.type === 'command')),
  }
  return [
    { do: 'see', condition: answered, withinMs: ASKS_MS, code: 'timeout' },
    {
      do: 'if',
      condition: asks,
      steps: [
        { do: 'must', condition: { name: 'yes is selected', holds: ({ reading }) => yesSelected(reading) } },
        { do: 'keys', keys: ['Enter'] },
        {
          do: 'see',
          condition: {
            name: 'the question is gone',
            holds: (seen) => !asks.holds(seen) && seen.reading !== null,
          },
          withinMs: ASKS_MS,
          code: 'timeout',
        },
      ],
    },
  ]
}

function yesSelected(reading: Seen['reading']): boolean {
  const first = reading?.dialog?.options[0]
  return first?.selected === true && /^Yes\b/u.test(first.label)
}

/** What comes next is typed into the box: it must be there, and the program must have said that it waits. */
export const boxIsBack: Step = {
  do: 'see',
  condition: {
    name: 'the prompt box is back',
    holds: ({ reading, observations }) => {
      const state = observations.findLast((o) => o.type === 'state')
      return reading?.composer?.text === '' && (state?.type !== 'state' || state.state === 'idle')
    },
  },
  withinMs: ASKS_MS,
  code: 'timeout',
}
