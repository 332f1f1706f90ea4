import { describe, expect, it } from 'vitest'
import { answer } from '../../adapters/claude/answer.js'
import { commands } from '../../adapters/claude/commands.js'
import { Correlator } from '../../adapters/claude/correlate.js'
import { deliver, stillInBox } from '../../adapters/claude/deliver.js'
import { adapter } from '../../adapters/claude/index.js'
import { Hook, TranscriptRecord } from '../../adapters/claude/records.js'
import { look } from '../../adapters/claude/sight.js'
import { rowOf } from '../../adapters/claude/switch-model.js'
import type { Dialog, Observation, Reading } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'

const RULE = `\x1b[38;5;244m${'─'.repeat(80)}\x1b[m`
const grey = (text: string) => `\x1b[38;5;246m${text}\x1b[m`
const queued = (text: string) => `  \x1b[48;5;237m❯ ${text} \x1b[m`
const seen = (lines: readonly string[]) => look(screenOf(lines.join('\n'), { cols: 80, rows: 40 }))
const box = (text: string, below: readonly string[] = ['  ? for shortcuts']) => [
  RULE,
  `❯\u00a0${text}`,
  RULE,
  ...below,
]
const reading = (text: string): Reading => ({
  ...{ state: 'idle', rule: '', evidence: [], dialog: null },
  composer: { text, ghost: null },
})

describe('what scripts look at', () => {
  it('is the mode in the footer, and no mode while something is typed', () => {
    expect(seen(box('')).sight.mode).toBe('default')
    expect(seen(box('', ['  ⏸ plan mode on (shift+tab to cycle)'])).sight.mode).toBe('plan')
    expect(seen(box('', ['  ⏵⏵ accept edits on (shift+tab to cycle)'])).sight.mode).toBe('acceptEdits')
    expect(seen(box('x', ['  ⏵⏵ auto mode on'])).sight.mode).toBeNull()
    expect(seen(box('', ['  Press Ctrl-C again to exit'])).sight.mode).toBeNull()
  })

  it('is the popup with its selected row first', () => {
    const rows = [
      grey('/mode                    another'),
      '\x1b[38;5;153m/model                   Set it\x1b[m',
    ]
    expect(seen(box('/mod', rows)).sight.popup).toEqual(['/model', '/mode'])
    expect(seen(box('/nosuch thing')).sight.popup).toBeNull()
  })

  it("is the program's own queue, and a command's answer when it is the last thing", () => {
    const above = ['● text', '', queued('first'), '  \x1b[48;5;237m  line two\x1b[m', queued('second')]
    expect(seen([...above, ...box('')]).sight.queued).toEqual(['first\nline two', 'second'])
    expect(seen(['❯ /model', '  ⎿  Set model to X', '', ...box('')]).sight.answer).toBe(
      '❯ /model\nSet model to X',
    )
    expect(seen(['❯ /model', '  ⎿  Set model to X', '✻ Baked for 1s', ...box('')]).sight.answer).toBeNull()
  })

  it('has no key for an answer that wants words, nor in a list of marks', () => {
    const ask = (rows: readonly string[]) =>
      seen(['● text', RULE, ' ☐ Colour', '', 'Which?', '', ...rows, '', 'Enter to select · Esc to cancel'])
        .dialog
    const one = ask(['❯ 1. Red', '  2. Blue', '  3. Type something.', '  4. Chat about this'])
    expect(one?.options.map((o) => o.key)).toEqual(['1', '2', '', ''])
    expect(one?.numbered).toBe(true)
    expect(ask(['❯ 1. [ ] Red', '  2. [✔] Blue'])?.options.map((o) => o.key)).toEqual(['', ''])
  })
})

describe('answers', () => {
  const dialog = (kind: Dialog['kind'], numbered: boolean, at = 0) => ({
    ...{ kind, title: 'T', fingerprint: 'f', numbered },
    options: ['a', 'b', 'c'].map((label, n) => ({ key: String(n + 1), label, selected: n === at })),
  })
  const keys = (d: Dialog, key: string) => answer(d, key).flatMap((s) => (s.do === 'keys' ? s.keys : []))

  it('are the digit alone in a numbered dialog, and a selection that is seen in any other list', () => {
    expect(keys(dialog('permission', true), '3')).toEqual(['3'])
    expect(keys(dialog('other', true), '3')).toEqual(['Down', 'Down', 'Enter'])
    expect(keys(dialog('question', false, 2), '2')).toEqual(['Up', 'Enter'])
    const steps = answer(dialog('other', false), '2')
    expect(steps.map((s) => s.do)).toEqual(['keys', 'see', 'must', 'keys'])
  })

  it('are refused where keys alone cannot give them', () => {
    expect(() => answer(dialog('other', false, 9), '1')).toThrow(/no selection/u)
    expect(() => answer(dialog('permission', true), '')).toThrow(/no option/u)
    expect(() => answer(dialog('permission', true), '7')).toThrow(/no option/u)
  })
})

describe('a prompt in the box', () => {
  const prompt = (text: string, images: readonly string[] = []) => ({ messageId: 'm', text, images })
  it('is known again with its images, and not with words of a person', () => {
    expect(stillInBox(prompt('hi there'), reading('hi there'))).toBe(true)
    expect(stillInBox(prompt('hi there'), reading('hi there you'))).toBe(false)
    expect(stillInBox(prompt('hi', ['/a.png']), reading('[Image #3]\nhi'))).toBe(true)
    expect(stillInBox(prompt('hi', ['/a.png']), reading('[Image #3]'))).toBe(true)
    expect(stillInBox(prompt('hi', ['/a.png']), reading('hi'))).toBe(false)
    expect(stillInBox(prompt('hi'), null)).toBe(false)
  })

  it('has each image pasted alone and its text on the line below', () => {
    const pasted = deliver(prompt('!x', ['/a b.png', '/c.png'])).flatMap((s) =>
      s.do === 'paste' ? [s.text] : [],
    )
    expect(pasted).toEqual(['/a b.png', '/c.png', '\n!x'])
  })
})

describe('commands', () => {
  const steps = (name: string, argument: string) => commands.find((c) => c.name === name)?.steps(argument)
  it('refuse what cannot be, and what would write settings of the user', () => {
    expect(() => steps('effort', 'high')).toThrow(/settings/u)
    expect(() => steps('mode', 'yolo')).toThrow(/no mode/u)
    expect(() => steps('resume', 'last')).toThrow(/no session id/u)
    expect(() => steps('slash', 'compact')).toThrow(/begin with/u)
    expect(() => steps('compact', 'x'.repeat(600))).toThrow(/at most/u)
    expect(adapter.commands?.map((c) => c.name)).toContain('exit')
  })

  it("find a model in the program's list by label, note or id", () => {
    const labels = [
      'Default (recommended)  Use the default',
      'Opus',
      'Sonnet',
      'Sonnet 5 (1M context)  long',
      'Haiku',
    ]
    const options = labels.map((label, n) => ({ key: String(n + 1), label, selected: false }))
    const foot = [
      '2. Opus       Opus 4.8 with 1M context',
      '3. Sonnet ✔   Sonnet 5 · Efficient',
      '5. Haiku   Haiku 4.5 · Fast',
    ]
    const list: Dialog = { kind: 'other', title: 'Select model', options, fingerprint: '' }
    const row = (argument: string) => rowOf(list, foot.join('\n'), argument)
    expect(['default', 'opus', 'Sonnet', 'sonnet[1m]', 'haiku'].map(row)).toEqual([0, 1, 2, 3, 4])
    expect(['claude-opus-4-8', 'claude-haiku-4-5-20251001', 'claude-sonnet-5'].map(row)).toEqual([1, 4, 2])
    expect(['gpt', 'claude-opus-4-1', ''].map(row)).toEqual([-1, -1, -1])
  })
})

describe('what hook and transcript tell', () => {
  const T = '2030-01-01T00:00:01.000Z'
  const hook = (name: string, f: Record<string, unknown> = {}) =>
    Hook.parse({ hook_event_name: name, session_id: 's', ...f })
  const record = (f: Record<string, unknown>) => TranscriptRecord.parse({ timestamp: T, ...f })
  const submit = (prompt: string, id: string) => hook('UserPromptSubmit', { prompt, prompt_id: id })
  const show = (id: string, index: number, delta: string) =>
    hook('MessageDisplay', { message_id: id, index, delta })
  const user = (text: string, id: string, uuid = `u-${text}`) =>
    record({ type: 'user', uuid, promptId: id, message: { role: 'user', content: text } })
  const said = (id: string, text: string) =>
    record({
      ...{ type: 'assistant', uuid: `a-${id}` },
      message: {
        ...{ id, role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    })
  const done = record({ type: 'system', subtype: 'turn_duration' })
  const queue = (operation: string, content?: string) =>
    record({ type: 'queue-operation', operation, content })
  const play = (facts: readonly (Hook | TranscriptRecord)[]): Observation[] => {
    const c = new Correlator('')
    return facts.flatMap((f) =>
      'hook_event_name' in f ? c.hook(f as Hook) : c.record(f as TranscriptRecord),
    )
  }
  const keyed = (told: readonly Observation[]) =>
    told.flatMap((o) => ('key' in o && o.type !== 'text.delta' ? [`${o.type} ${o.key}`] : []))

  /** Two prompts that waited in the program's queue run together: the hook has an id for each, the transcript one. */
  const together = [
    submit('go', 'p1'),
    user('go', 'p1'),
    queue('enqueue', 'one'),
    queue('enqueue', 'two'),
    show('d1', 0, 'begun'),
    said('m1', 'begun'),
    done,
    submit('one', 'p2'),
    submit('two', 'p3'),
    show('d2', 0, 'same\n'),
    user('one', 'p3'),
    user('two', 'p3'),
    said('m2', 'same\nline'),
    show('d3', 0, 'same\n'),
    said('m3', 'same\nother'),
    done,
  ]

  it('tells prompts that ran together once each, before their answer, in one turn', () => {
    const told = play(together).filter((o) => /^(?:turn|user|text|prompt)/u.test(o.type))
    expect(told.map((o) => ('text' in o ? `${o.type} ${o.text}` : o.type))).toEqual([
      ...[
        'turn.started',
        'user.message go',
        'prompt.accepted go',
        'prompt.accepted one',
        'prompt.accepted two',
      ],
      ...['text.delta', 'text.completed begun', 'turn.ended'],
      ...[
        'turn.started',
        'prompt.accepted one',
        'prompt.accepted two',
        'user.message one',
        'user.message two',
      ],
      ...[
        'text.delta',
        'text.completed same\nline',
        'text.delta',
        'text.completed same\nother',
        'turn.ended',
      ],
    ])
  })

  it('has the same keys when the transcript tells it alone, after a restart', () => {
    const live = keyed(play(together))
    expect(new Set(live).size).toBe(live.length)
    expect(keyed(play(together.filter((f) => !('hook_event_name' in f))))).toEqual(live)
  })

  it('ends a turn that nobody answered when another prompt has come, and tells that one in its own turn', () => {
    const told = play([
      submit('a', 'p1'),
      user('a', 'p1'),
      submit('b', 'p2'),
      user('b', 'p2'),
      said('m', 'x'),
      done,
    ])
    expect(told.flatMap((o) => (o.type === 'turn.ended' ? [o.outcome] : []))).toEqual([
      'interrupted',
      'completed',
    ])
    expect(told.filter((o) => o.type === 'user.message')).toHaveLength(2)
    expect(told.findIndex((o) => o.type === 'turn.ended')).toBeLessThan(
      told.findIndex((o) => o.type === 'user.message' && o.text === 'b'),
    )
  })

  it("gives back what was taken out of the program's queue, and passes over what a branch copied", () => {
    const told = play([queue('enqueue', '[Image #1]\nlook'), queue('popAll', '[Image #1]\nlook')])
    expect(told).toMatchObject([
      { type: 'prompt.accepted', text: 'look', queued: true },
      { type: 'prompt.returned', text: 'look' },
    ])
    expect(play([record({ ...user('old', 'p'), forkedFrom: { sessionId: 's0' } })])).toEqual([])
  })
})
