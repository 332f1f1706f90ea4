import { describe, expect, it } from 'vitest'
import { Correlator } from '../../adapters/claude/correlate.js'
import { Hook, TranscriptRecord } from '../../adapters/claude/records.js'
import type { Observation } from '../../src/adapter/index.js'
import { countingIds } from '../../src/protocol/ids.js'
import type { Item } from '../../src/protocol/items.js'
import { Conversation } from '../../src/session/conversation.js'

const T = '2030-01-01T00:00:01.000Z'
const hook = (name: string, fields: Record<string, unknown> = {}) =>
  Hook.parse({ hook_event_name: name, session_id: 's', ...fields })
const record = (fields: Record<string, unknown>) => TranscriptRecord.parse({ timestamp: T, ...fields })
const submit = (prompt: string, id: string) => hook('UserPromptSubmit', { prompt, prompt_id: id })
const show = (id: string, index: number, delta: string, final = false) =>
  hook('MessageDisplay', { message_id: id, index, delta, final })
const user = (text: string, id: string) =>
  record({ type: 'user', uuid: `u-${id}`, promptId: id, message: { role: 'user', content: text } })
const usage = {
  input_tokens: 7,
  output_tokens: 3,
  cache_read_input_tokens: 2,
  cache_creation_input_tokens: 1,
}
const answer = (id: string, content: unknown[], extra: Record<string, unknown> = {}) =>
  record({
    type: 'assistant',
    uuid: `a-${id}-${JSON.stringify(content).length}`,
    message: { id, role: 'assistant', model: 'claude-opus-4-8', content, usage },
    ...extra,
  })
const done = record({ type: 'system', subtype: 'turn_duration' })

type Fact = Hook | TranscriptRecord
const play = (facts: readonly Fact[], c = new Correlator('2030-01-01T00:00:00.000Z')): Observation[] =>
  facts.flatMap((f) => ('hook_event_name' in f ? c.hook(f as Hook) : c.record(f as TranscriptRecord)))

/** The items as observers get them. */
function items(facts: readonly Fact[]): Item[] {
  const conversation = new Conversation(countingIds(), () => 1, null)
  return play(facts)
    .flatMap((o) => conversation.observe(o))
    .flatMap((d) => (d.type === 'item.completed' ? [d.item] : []))
}
const texts = (list: readonly Item[]) => list.map((i) => ('text' in i ? `${i.kind}:${i.text}` : i.kind))

describe('claude correlation', () => {
  const facts = [
    submit('hi', 'p1'),
    show('d1', 0, 'one\n'),
    user('hi', 'p1'),
    show('d1', 1, 'two', true),
    answer('m1', [{ type: 'text', text: 'one\ntwo' }]),
    hook('Stop'),
    done,
  ]

  it('tells the prompt once though hook and transcript both have it, and the text once', () => {
    expect(texts(items(facts))).toEqual(['user_message:hi', 'assistant_message:one\ntwo'])
  })

  it('does so in every order in which the two sources can interleave', () => {
    const hooks = facts.filter((f) => 'hook_event_name' in f)
    const records = facts.filter((f) => !('hook_event_name' in f))
    for (const order of interleavings(hooks.slice(1), records)) {
      const list = texts(items([hooks[0] as Fact, ...order]))
      expect(list).toEqual(['user_message:hi', 'assistant_message:one\ntwo'])
    }
  })

  it('puts pieces that overlap in order', () => {
    const c = new Correlator('')
    const told = play([submit('x', 'p'), show('d', 1, 'b'), show('d', 2, 'c'), show('d', 0, 'a')], c)
    expect(told.flatMap((o) => (o.type === 'text.delta' ? [o.delta] : [])).join('')).toBe('abc')
  })

  it('holds the next prompt of the hook until the transcript has ended the turn before', () => {
    const list = texts(
      items([
        submit('one', 'p1'),
        user('one', 'p1'),
        show('d1', 0, 'first', true),
        submit('two', 'p2'),
        show('d2', 0, 'second', true),
        answer('m1', [{ type: 'text', text: 'first' }]),
        done,
        user('two', 'p2'),
        answer('m2', [{ type: 'text', text: 'second' }]),
        done,
      ]),
    )
    expect(list).toEqual([
      'user_message:one',
      'assistant_message:first',
      'user_message:two',
      'assistant_message:second',
    ])
  })

  it('tells two identical replies, and a tool call between texts in its place', () => {
    const list = items([
      submit('go', 'p1'),
      show('d1', 0, 'same', true),
      answer('m1', [{ type: 'text', text: 'same' }]),
      answer('m1', [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }]),
      hook('PostToolUse', { tool_use_id: 't1', duration_ms: 12 }),
      record({
        type: 'user',
        uuid: 'r1',
        promptId: 'p1',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'a\nb' }] },
      }),
      show('d2', 0, 'same', true),
      answer('m2', [{ type: 'text', text: 'same' }]),
      done,
    ])
    expect(list.map((i) => i.kind)).toEqual([
      'user_message',
      'assistant_message',
      'tool_call',
      'assistant_message',
    ])
    expect(list[2]).toMatchObject({
      tool: 'shell',
      name: 'Bash',
      status: 'completed',
      output: 'a\nb',
      durationMs: 12,
    })
  })

  it('counts the usage of one response once though every block carries it', () => {
    const told = play([
      submit('x', 'p'),
      answer('m1', [{ type: 'thinking', thinking: 'hm' }]),
      answer('m1', [{ type: 'text', text: 'y' }]),
      done,
    ])
    const conversation = new Conversation(countingIds(), () => 1, null)
    const drafts = told.flatMap((o) => conversation.observe(o))
    expect(drafts.filter((d) => d.type === 'usage')).toMatchObject([
      { usage: { tokens: { input: 7, output: 3, cacheRead: 2, cacheWrite: 1 }, usd: 1 } },
    ])
  })

  it('ends an interrupted turn with the partial text', () => {
    const told = play([
      submit('long', 'p'),
      show('d', 0, 'part\n'),
      answer('x', [{ type: 'text', text: 'part\nia' }], {
        message: {
          role: 'assistant',
          model: '<synthetic>',
          content: [{ type: 'text', text: 'part\nia' }],
          usage,
        },
      }),
      record({
        type: 'user',
        promptId: 'p',
        message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] },
      }),
    ])
    expect(told.at(-1)).toMatchObject({ type: 'turn.ended', outcome: 'interrupted' })
    expect(told.find((o) => o.type === 'text.completed')).toMatchObject({
      key: 'text:p:part:0',
      text: 'part\nia',
      partial: true,
    })
    expect(told.some((o) => o.type === 'usage')).toBe(false)
  })

  it('tells an API error as a notice and the turn as failed', () => {
    const told = play([
      submit('x', 'p'),
      answer('e', [], {
        isApiErrorMessage: true,
        message: {
          role: 'assistant',
          model: '<synthetic>',
          content: [{ type: 'text', text: 'API Error: 529' }],
        },
      }),
      done,
    ])
    expect(told.find((o) => o.type === 'notice')).toMatchObject({ level: 'error', text: 'API Error: 529' })
    expect(told.at(-1)).toMatchObject({ type: 'turn.ended', outcome: 'failed', detail: 'API Error: 529' })
  })

  it('idle without an end: an interrupt only where nothing was answered, else a record that is missing', () => {
    const silent = new Correlator('')
    play([submit('x', 'p')], silent)
    expect(silent.endExpected).toBe(false)
    expect(silent.idleWithoutEnd()).toMatchObject([{ type: 'turn.ended', outcome: 'interrupted' }])
    const answered = new Correlator('')
    play([submit('x', 'p'), answer('m1', [{ type: 'text', text: 'y' }]), hook('Stop')], answered)
    expect(answered.endExpected).toBe(true)
    expect(answered.idleWithoutEnd()).toMatchObject([
      { type: 'gap', what: 'claude.end' },
      { type: 'turn.ended', outcome: 'completed' },
    ])
    const failed = new Correlator('')
    play([submit('x', 'p'), hook('StopFailure')], failed)
    expect(failed.idleWithoutEnd().at(-1)).toMatchObject({ outcome: 'failed' })
  })

  it('tells several texts of one message once each, though the hook shows them as one', () => {
    const list = items([
      submit('x', 'p'),
      show('d', 0, 'onetwo', true),
      answer('m1', [{ type: 'text', text: 'one' }]),
      answer('m1', [{ type: 'text', text: 'two' }]),
      done,
    ])
    expect(texts(list)).toEqual(['user_message:x', 'assistant_message:one', 'assistant_message:two'])
  })

  it('a prompt that looks like a mark of the program is a prompt', () => {
    for (const text of [
      '[Request interrupted by user]',
      '<command-name>/x</command-name>',
      '<bash-input>ls</bash-input>',
    ]) {
      const facts = [submit(text, 'p'), user(text, 'p'), answer('m1', [{ type: 'text', text: 'y' }]), done]
      expect(texts(items(facts))).toEqual([`user_message:${text}`, 'assistant_message:y'])
      expect(play(facts).at(-1)).toMatchObject({ type: 'turn.ended', outcome: 'completed' })
    }
  })

  it('what a tool prints does not decide how the call ended', () => {
    const result = (content: string, is_error: boolean) =>
      record({
        type: 'user',
        uuid: content,
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content, is_error }] },
      })
    const marks = [
      '[Request interrupted by user for tool use]',
      "The user doesn't want to proceed with this tool use. x",
    ]
    const status = (c: string, e: boolean) => play([result(c, e)])[0]
    for (const mark of marks) expect(status(mark, false)).toMatchObject({ status: 'completed' })
    expect(status(marks[0] ?? '', true)).toMatchObject({ status: 'interrupted' })
    expect(status(marks[1] ?? '', true)).toMatchObject({ status: 'denied' })
    expect(status('no such file', true)).toMatchObject({ status: 'failed' })
  })

  it('passes over history, sub-agents and the echo of a command, and tells the command', () => {
    expect(play([{ ...user('old', 'p0'), timestamp: '2029-01-01T00:00:00.000Z' }])).toEqual([])
    expect(play([hook('UserPromptSubmit', { prompt: 'x', agent_id: 'a' })])).toEqual([])
    const told = play([
      user('<command-name>/clear</command-name>\n<command-args></command-args>', 'p1'),
      user('<local-command-stdout>ok</local-command-stdout>', 'p1'),
    ])
    expect(told).toMatchObject([{ type: 'command', text: '/clear' }])
  })
})

function* interleavings<T>(a: readonly T[], b: readonly T[]): Generator<T[]> {
  if (a.length === 0 || b.length === 0) {
    yield [...a, ...b]
    return
  }
  for (const rest of interleavings(a.slice(1), b)) yield [a[0] as T, ...rest]
  for (const rest of interleavings(a, b.slice(1))) yield [b[0] as T, ...rest]
}
