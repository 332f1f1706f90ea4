import { expect, it } from 'vitest'
// @ts-expect-error a plain script without types
import * as differ from '../../scripts/fixtures/diff.mjs'

const { diffEvents } = differ as {
  diffEvents(expected: readonly string[], told: readonly string[]): { what: string; text: string }[]
}
const state = (t: number, state: string) =>
  JSON.stringify({ t, type: 'session.state', source: 'screen', state })
const item = (t: number, kind: string, text: string) =>
  JSON.stringify({ t, type: 'item.completed', source: 'screen', item: { kind, text } })

const before = [
  state(0, 'idle'),
  item(1, 'user_message', 'hi'),
  state(1.5, 'running'),
  item(2, 'assistant_message', 'Hello.'),
]

it('says nothing of the same events', () => {
  expect(diffEvents(before, before)).toEqual([])
})

it.each<[string, string[], string[]]>([
  ['missing', before.toSpliced(1, 1), ['missing 1.00 item.completed user_message hi']],
  ['added', before.toSpliced(3, 0, item(1.8, 'reasoning', 'hm')), ['added 1.80 item.completed reasoning hm']],
  [
    'changed',
    before.toSpliced(3, 1, item(2.1, 'assistant_message', 'Hello!')),
    ['changed 2.10 item.completed assistant_message: item.text "Hello." is now "Hello!"'],
  ],
  [
    'moved',
    before.toSpliced(2, 1, state(1.75, 'running')),
    ['moved 1.75 session.state running (was at 1.50)'],
  ],
  [
    'another order',
    [before[0], before[2], before[1], before[3]].map(String),
    ['missing 1.00 item.completed user_message hi', 'added 1.00 item.completed user_message hi'],
  ],
])('%s', (_name, now, lines) => {
  const shown = diffEvents(before, now).map(({ what, text }) => `${what} ${text}`)
  expect(shown.toSorted()).toEqual(lines.toSorted())
})
