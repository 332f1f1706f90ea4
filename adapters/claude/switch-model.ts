/**
 * @module adapters/claude/switch-model - another model for this session, by the picker's own key for that.
 *
 * `/model NAME` saves the name as the user's default (2.1.197); the picker's `s` does not.
 */
import type { Condition, Dialog, Reading, Step } from '../../src/adapter/index.js'
import { boxIsBack, commandLine, confirmed } from './command-line.js'
import { sightOf } from './sight.js'

const PICKER = /^Select model\b/u
const OPENS_MS = 20_000
const MOVES_MS = 10_000
/** More rows than the list has. */
const MOST_ROWS = 15

const pickerOf = (reading: Reading | null): Dialog | null =>
  reading?.dialog && PICKER.test(reading.dialog.title) ? reading.dialog : null

const words = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, ' ')
    .trim()

const footOf = (reading: Reading | null) => sightOf(reading)?.foot ?? ''

/** A label without the description that stands close behind it. */
const nameOf = (label: string) => label.split(/\s{2,}/u, 1)[0] ?? label

/**
 * The row that an argument names: by its label, with or without the note in brackets, or by the model that its
 * description names (`claude-haiku-4-5` for `Haiku 4.5 · ...`). -1: none.
 * @param foot the picker's rows
 */
export function rowOf(dialog: Dialog, foot: string, argument: string): number {
  const wanted = words(
    argument
      .replace(/\[1m\]$/iu, ' 1m')
      .replace(/^claude-/iu, '')
      .replace(/-\d{8}$/u, ''),
  )
  const labels = dialog.options.map(({ label }) => nameOf(label))
  const by = (name: (label: string) => string) => labels.findIndex((label) => words(name(label)) === wanted)
  const exact = by((label) => label)
  if (exact >= 0) return exact
  const rows = foot.split('\n')
  const described = labels.findIndex((label, at) => {
    const row = rows.find((text) => text.includes(`${at + 1}. ${label}`)) ?? ''
    const description = words(row.slice(row.indexOf(label) + label.length).replace('✔', ''))
    return /\d/u.test(wanted) && (description === wanted || description.startsWith(`${wanted} `))
  })
  if (described >= 0) return described
  const bare = by((label) => label.replace(/\(.*\)/u, ''))
  if (bare >= 0) return bare
  return by((label) => label.replace(/ \d[\d.]*/u, '').replace(/\((1m) context\)/iu, '$1'))
}

export function switchModel(argument: string): readonly Step[] {
  let offered: readonly string[] = []
  let known = false
  const open: Condition = {
    name: "the program's list of models is open",
    holds: ({ reading }) => pickerOf(reading) !== null,
  }
  const unknown: Condition = {
    name: 'the list does not have it, or no key for this session only',
    holds: ({ reading }) => {
      const picker = pickerOf(reading)
      offered = picker?.options.map((o) => nameOf(o.label)) ?? []
      const foot = footOf(reading)
      const once = /\bs to use this session only\b/u.test(foot.replaceAll('\n', ' '))
      known = picker !== null && once && rowOf(picker, foot, argument) >= 0
      return !known
    },
  }
  const distance = (reading: Reading | null) => {
    const picker = pickerOf(reading)
    if (!picker) return 0
    return rowOf(picker, footOf(reading), argument) - picker.options.findIndex((o) => o.selected)
  }
  let before = 0
  const move = (key: 'Down' | 'Up'): Step => ({
    do: 'if',
    condition: {
      name: `${argument} is further ${key === 'Down' ? 'down' : 'up'}`,
      holds: ({ reading }) => {
        before = distance(reading)
        return key === 'Down' ? before > 0 : before < 0
      },
    },
    steps: [
      { do: 'keys', keys: [key] },
      {
        do: 'see',
        condition: {
          name: 'the selection moved',
          holds: ({ reading }) => pickerOf(reading) !== null && distance(reading) !== before,
        },
        withinMs: MOVES_MS,
        code: 'timeout',
      },
    ],
  })
  return [
    ...commandLine('/model'),
    { do: 'see', condition: open, withinMs: OPENS_MS, code: 'timeout' },
    { do: 'if', condition: unknown, steps: [{ do: 'keys', keys: ['Escape'] }, boxIsBack] },
    {
      do: 'must',
      condition: {
        get name() {
          return `the program's list has ${argument} for one session (it has ${offered.join(', ')})`
        },
        holds: () => known,
      },
      code: 'invalid_argument',
    },
    ...Array.from({ length: MOST_ROWS }, () => move('Down')),
    ...Array.from({ length: MOST_ROWS }, () => move('Up')),
    {
      do: 'must',
      condition: {
        name: `${argument} is selected`,
        holds: ({ reading }) => pickerOf(reading) !== null && distance(reading) === 0,
      },
    },
    { do: 'keys', keys: ['s'] },
    {
      do: 'see',
      condition: { name: 'the list is closed', holds: (seen) => seen.reading !== null && !open.holds(seen) },
      withinMs: OPENS_MS,
      code: 'timeout',
    },
    ...confirmed(/^Switch model\?/u),
    {
      do: 'see',
      condition: {
        name: 'the program has set the model for this session only',
        holds: ({ reading, observations }) =>
          observations.some((o) => o.type === 'command' && o.text === '/model') &&
          /\bSet model to\b[\s\S]*\bfor this session only\b/u.test(
            sightOf(reading)?.answer?.replaceAll('\n', ' ') ?? '',
          ),
      },
      withinMs: OPENS_MS,
      code: 'timeout',
    },
    boxIsBack,
  ]
}
