/** @module adapters/claude/switch-mode - another permission mode by Shift+Tab, looked at after each press. */
import type { Condition, Step } from '../../src/adapter/index.js'
import { composerEmpty } from './composer.js'
import { sightOf } from './sight.js'

/** The modes are a ring of four, of five where the session may bypass permissions. */
const MOST_PRESSES = 5
const MODES = ['default', 'acceptEdits', 'plan', 'auto', 'bypassPermissions']
const FOOTER_MS = 10_000

/** Presses only while another mode is shown, and only once a mode: each press must change the footer. */
export function switchMode(mode: string): readonly Step[] {
  let last: string | null = null
  const there: Condition = {
    name: `the footer shows the mode ${mode} (not every model and account has every mode)`,
    holds: ({ reading }) => sightOf(reading)?.mode === mode,
  }
  const press: Step = {
    do: 'if',
    condition: {
      name: `the footer shows another mode than ${mode}`,
      holds: ({ reading }) => {
        last = sightOf(reading)?.mode ?? null
        return last !== null && last !== mode
      },
    },
    steps: [
      { do: 'keys', keys: ['BTab'] },
      {
        do: 'see',
        condition: {
          name: 'the footer shows the next mode',
          holds: ({ reading }) => {
            const now = sightOf(reading)?.mode ?? null
            return now !== null && now !== last
          },
        },
        withinMs: FOOTER_MS,
        code: 'timeout',
      },
    ],
  }
  return [
    { do: 'must', condition: composerEmpty, code: 'draft_present' },
    {
      do: 'see',
      condition: { name: 'the footer shows a mode', holds: ({ reading }) => sightOf(reading)?.mode != null },
      withinMs: FOOTER_MS,
      code: 'timeout',
    },
    ...Array.from({ length: MOST_PRESSES }, () => press),
    // No record tells of it before the next prompt; where the wanted one cannot be had, another one holds now.
    ...MODES.map(tellIfShown),
    { do: 'see', condition: there, withinMs: 1000, code: 'conflict' },
  ]
}

function tellIfShown(mode: string): Step {
  return {
    do: 'if',
    condition: { name: `the footer shows ${mode}`, holds: ({ reading }) => sightOf(reading)?.mode === mode },
    steps: [{ do: 'call', method: 'mode', params: { mode } }],
  }
}
