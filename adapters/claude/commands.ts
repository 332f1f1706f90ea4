/**
 * @module adapters/claude/commands - the session's commands in Claude Code, each ending with what must be seen.
 *
 * None of them writes the user's settings: what the program would save as a default is refused, or done another way.
 */
import type { Condition, Observation, Seen, Step, VendorCommand } from '../../src/adapter/index.js'
import { MeowError } from '../../src/protocol/errors.js'
import { boxIsBack, commandLine, confirmed, tookLine } from './command-line.js'
import { sightOf } from './sight.js'
import { switchMode } from './switch-mode.js'
import { switchModel } from './switch-model.js'

/** Ordinary wait for an effect, in ms; measured well under 2 s, several times that under load. */
const EFFECT_MS = 20_000
/** A summary is a request of the model over the whole conversation. */
const COMPACT_MS = 180_000

/** Levels that the program keeps for the session only; it saves every other one as the user's default (2.1.197). */
const SESSION_EFFORTS = ['max', 'ultracode']
const MODES = ['default', 'acceptEdits', 'plan', 'auto']

const told = (seen: Seen, test: (o: Observation) => boolean) => seen.observations.some(test)
const echoed = (seen: Seen, name: string) =>
  told(seen, (o) => o.type === 'command' && (o.text === name || o.text.startsWith(`${name} `)))
const answered = (seen: Seen, words: RegExp) => words.test(sightOf(seen.reading)?.answer ?? '')

/** Waits for the effect or the program's refusal, and fails with `conflict` on the latter. */
function effect(name: string, done: (seen: Seen) => boolean, refused: (seen: Seen) => boolean): Step[] {
  return [
    {
      do: 'see',
      condition: { name: `the program answered: ${name}`, holds: (s) => done(s) || refused(s) },
      withinMs: EFFECT_MS,
      code: 'timeout',
    },
    { do: 'must', condition: { name, holds: done } },
    boxIsBack,
  ]
}

const newSession: Condition = {
  name: 'the program is in another session of its own',
  holds: (seen) => told(seen, (o) => o.type === 'vendor.session'),
}

function clear(): readonly Step[] {
  return [
    ...commandLine('/clear'),
    { do: 'see', condition: newSession, withinMs: EFFECT_MS, code: 'timeout' },
    boxIsBack,
  ]
}

function fork(argument: string): readonly Step[] {
  return [
    ...commandLine(argument === '' ? '/branch' : `/branch ${argument}`),
    ...effect(newSession.name, newSession.holds, (s) =>
      answered(s, /\b(?:No conversation|Failed|cannot)\b/iu),
    ),
  ]
}

function resume(argument: string): readonly Step[] {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(argument)) {
    throw new MeowError('invalid_argument', `${argument} is no session id of Claude Code`, {
      hint: 'its ids are UUIDs; "slash /resume" opens its own list',
    })
  }
  const there: Condition = {
    name: `the program is in session ${argument}`,
    holds: (seen) => told(seen, (o) => o.type === 'vendor.session' && o.vendorSessionId === argument),
  }
  return [
    ...commandLine(`/resume ${argument}`),
    ...effect(there.name, there.holds, (s) => answered(s, /\bnot found\b|\bNo conversation/iu)),
  ]
}

function compact(argument: string): readonly Step[] {
  const done = (seen: Seen) => told(seen, (o) => o.type === 'item' && o.kind === 'compaction')
  const over = (seen: Seen) =>
    done(seen) || answered(seen, /\b(?:Not enough messages|Error|failed|cancell?ed|Nothing to compact)\b/iu)
  return [
    ...commandLine(argument === '' ? '/compact' : `/compact ${argument}`),
    {
      do: 'see',
      condition: { name: 'the program answered', holds: over },
      withinMs: COMPACT_MS,
      code: 'timeout',
    },
    { do: 'must', condition: { name: 'the conversation was compacted', holds: done } },
    boxIsBack,
  ]
}

function effort(argument: string): readonly Step[] {
  const level = argument.toLowerCase()
  if (!SESSION_EFFORTS.includes(level)) {
    throw new MeowError(
      'unsupported',
      `Claude Code keeps effort ${argument} not for one session: it would write it into the user's settings`,
      {
        hint: `${SESSION_EFFORTS.join(' or ')} are for the session only; start one with --effort ${argument}, or type /effort`,
      },
    )
  }
  const done = (seen: Seen) =>
    echoed(seen, '/effort') &&
    answered(seen, new RegExp(`effort level to ${level}\\b[\\s\\S]*this session only`, 'iu'))
  const refused = (seen: Seen) =>
    echoed(seen, '/effort') &&
    !done(seen) &&
    answered(seen, /\b(?:Invalid|Kept|not (?:available|supported))\b/iu)
  return [
    ...commandLine(`/effort ${level}`),
    ...confirmed(/^Change effort level\?/u),
    ...effect(`the effort is ${level}, for this session only`, done, refused),
  ]
}

function rename(argument: string): readonly Step[] {
  const done = (seen: Seen) =>
    echoed(seen, '/rename') && answered(seen, /\brenamed to:/iu) && answered(seen, spaced(argument))
  const refused = (seen: Seen) =>
    echoed(seen, '/rename') && answered(seen, /\b(?:Error|Failed|Usage|cannot)\b/iu)
  return [
    ...commandLine(`/rename ${argument}`),
    ...effect(`the session is called ${argument}`, done, refused),
  ]
}

/** The words however the rows cut them. */
function spaced(words: string): RegExp {
  const parts = words.split(/\s+/u).map((w) => w.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&'))
  return new RegExp(parts.join('\\s+'), 'u')
}

function exit(): readonly Step[] {
  const ended: Condition = { name: "the vendor's program ended", holds: () => false }
  return [...commandLine('/exit'), { do: 'see', condition: ended, withinMs: EFFECT_MS, code: 'timeout' }]
}

/** The program's own command line, as it is; what it opens is a dialog like any other. */
function slash(argument: string): readonly Step[] {
  if (!argument.startsWith('/'))
    throw new MeowError('invalid_argument', "the program's own commands begin with /", {
      hint: 'send it as a prompt if it is one',
    })
  return [...commandLine(argument), tookLine(argument)]
}

type Entry = Pick<VendorCommand, 'name' | 'description' | 'argument' | 'steps'> & Partial<VendorCommand>

const command = (entry: Entry): VendorCommand => ({
  argumentHint: null,
  choices: null,
  whileRunning: false,
  ...entry,
})

export const commands: readonly VendorCommand[] = [
  command({ name: 'clear', description: 'Begin an empty conversation', argument: 'none', steps: clear }),
  command({
    name: 'compact',
    description: 'Replace the conversation by a summary',
    argument: 'optional',
    argumentHint: 'instructions',
    steps: compact,
  }),
  command({
    name: 'model',
    description: "Another model, for this session only; it must be in the program's list",
    argument: 'required',
    argumentHint: 'model',
    steps: switchModel,
  }),
  command({
    name: 'effort',
    description: 'How much the model thinks, for this session only',
    argument: 'required',
    argumentHint: 'level',
    choices: SESSION_EFFORTS,
    steps: effort,
  }),
  command({
    name: 'mode',
    description: 'What the program may do without asking',
    argument: 'required',
    argumentHint: 'mode',
    choices: MODES,
    whileRunning: true,
    steps: (argument) => {
      if (!MODES.includes(argument))
        throw new MeowError('invalid_argument', `there is no mode ${argument}`, {
          hint: `it is one of ${MODES.join(', ')}`,
        })
      return switchMode(argument)
    },
  }),
  command({
    name: 'rename',
    description: 'A name for the session',
    argument: 'required',
    argumentHint: 'name',
    steps: rename,
  }),
  command({
    name: 'fork',
    description: 'Go on in a copy of the conversation',
    argument: 'optional',
    argumentHint: 'name',
    steps: fork,
  }),
  command({
    name: 'resume',
    description: 'Go on with another conversation of this folder',
    argument: 'required',
    argumentHint: 'session id',
    steps: resume,
  }),
  command({ name: 'exit', description: 'End the program', argument: 'none', ends: true, steps: exit }),
  command({
    name: 'slash',
    description: "One of the program's own commands, typed as it is",
    argument: 'required',
    argumentHint: '/command',
    steps: slash,
  }),
]
