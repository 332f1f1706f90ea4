/** @module pi/commands - commands of a Pi session. Over the extension, but for Pi's own command line, which is typed. */
import type { Condition, Observation, Reading, Step, VendorCommand } from '../../src/adapter/index.js'
import { MeowError } from '../../src/protocol/errors.js'
import { nameText, thinkingText } from './mapper.js'

/** How long Pi may take to show what was asked, once its extension says that it did it. */
const SHOWN_MS = 15_000
/** How long Pi may take to write or run a line that was typed. */
const TYPED_MS = 10_000

/** Pi's levels; a model that has fewer refuses the others. */
const LEVELS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

const observed = (name: string, test: (o: Observation) => boolean): Condition => ({
  name,
  holds: ({ observations }) => observations.some(test),
})

/** Asks the extension, and sees the effect. */
function asked(name: string, argument: string, effect: Condition): readonly Step[] {
  return [
    { do: 'call', method: 'command', params: { name, argument } },
    { do: 'see', condition: effect, withinMs: SHOWN_MS },
  ]
}

const anotherSession = observed('Pi is in another session', (o) => o.type === 'vendor.session')

const compacted = observed(
  'Pi compacted the conversation',
  (o) => o.type === 'item' && o.kind === 'compaction',
)

const noticed = (text: string): Condition =>
  observed(text, (o) => o.type === 'notice' && o.source === 'hook' && o.text === text)

function isModel(wanted: string): Condition {
  return observed(
    `the model is ${wanted}`,
    (o) => o.type === 'model' && (o.model === wanted || o.model.endsWith(`/${wanted}`)),
  )
}

function effort(level: string): readonly Step[] {
  if (!LEVELS.some((l) => l === level))
    throw new MeowError('invalid_argument', `Pi has no thinking level ${level}`, {
      hint: `its levels: ${LEVELS.join(', ')}`,
    })
  return asked('effort', level, noticed(thinkingText(level)))
}

const emptyEditor: Condition = {
  name: 'the editor is empty and no dialog is open',
  holds: ({ reading }) => reading?.dialog === null && reading.composer?.text === '',
}

/** Longest line that is typed: Pi shows a longer paste as a mark. */
const MAX_LINE = 400

/** The line stands in the editor, over several rows where the screen is narrow; below it a list of what it may become. */
const stands = (reading: Reading | null, line: string): boolean =>
  reading?.composer?.text.replace(/\s/gu, '').startsWith(line.replace(/\s/gu, '')) ?? false

function typed(argument: string): readonly Step[] {
  if (!argument.startsWith('/'))
    throw new MeowError('invalid_argument', "Pi's own commands begin with /", {
      hint: 'give it as it is typed',
    })
  const line = argument
  if (line.length > MAX_LINE || /^\/\s*$/.test(line))
    throw new MeowError('invalid_argument', `a command line of Pi has 1 to ${MAX_LINE} characters`)
  const written: Condition = {
    name: 'the command stands in the editor',
    holds: ({ reading }) => stands(reading, line),
  }
  const taken: Condition = {
    name: 'Pi took the command out of the editor',
    holds: ({ reading }) => reading !== null && !stands(reading, line),
  }
  return [
    { do: 'must', condition: emptyEditor, code: 'draft_present' },
    { do: 'paste', text: line },
    { do: 'see', condition: written, withinMs: TYPED_MS },
    { do: 'keys', keys: ['Enter'] },
    // With a list of arguments open the first Enter takes one over; the next one runs the line.
    {
      do: 'see',
      condition: taken,
      withinMs: TYPED_MS,
      retry: { when: written, steps: [{ do: 'keys', keys: ['Enter'] }], times: 1 },
    },
  ]
}

const none = { argument: 'none', argumentHint: null, choices: null } as const
const word = (argumentHint: string) => ({ argument: 'required', argumentHint, choices: null }) as const

export const commands: readonly VendorCommand[] = [
  {
    name: 'clear',
    description: 'begins a new session; the old one can be resumed',
    ...none,
    whileRunning: false,
    steps: () => asked('clear', '', anotherSession),
  },
  {
    name: 'compact',
    description: 'sums up the conversation so far',
    argument: 'optional',
    argumentHint: 'instructions',
    choices: null,
    whileRunning: false,
    steps: (instructions) => asked('compact', instructions, compacted),
  },
  {
    name: 'model',
    description: 'takes another model for this session',
    ...word('provider/model'),
    whileRunning: true,
    steps: (model) => asked('model', model, isModel(model)),
  },
  {
    name: 'effort',
    description: 'sets the thinking level of this session',
    ...word('level'),
    choices: [...LEVELS],
    whileRunning: true,
    steps: effort,
  },
  {
    name: 'rename',
    description: 'names the session',
    ...word('name'),
    whileRunning: true,
    steps: (name) => asked('rename', name, noticed(nameText(name))),
  },
  {
    name: 'fork',
    description: 'goes on in a copy of the session',
    ...none,
    whileRunning: false,
    steps: () => asked('fork', '', anotherSession),
  },
  {
    name: 'resume',
    description: 'goes on with an earlier session of this folder',
    ...word('session id or file'),
    whileRunning: false,
    steps: (session) => asked('resume', session, anotherSession),
  },
  {
    name: 'exit',
    description: 'ends Pi',
    ...none,
    whileRunning: false,
    ends: true,
    steps: () => [{ do: 'call', method: 'command', params: { name: 'exit', argument: '' } }],
  },
  {
    name: 'slash',
    description: "types a command of Pi's own",
    ...word('/command'),
    whileRunning: true,
    steps: typed,
  },
]
