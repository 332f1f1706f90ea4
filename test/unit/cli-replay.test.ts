import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Observation } from '../../src/adapter/index.js'
import { fakeHub } from './cli-fakes.js'

import {
  CONVERSATION,
  cast,
  events,
  folderOf,
  items,
  meow,
  offline,
  origins,
  put,
  textOf,
} from './cli-recordings.js'

describe('replay', () => {
  it('by the vendor of the header or of the person, for programs and for people', async () => {
    const ours = put('ours.cast', textOf(cast, { vendor: { id: 'painter', version: '1' } }))
    const theirs = put('theirs.cast', textOf(cast))
    const json = await meow(['replay', ours, '--json'])
    expect([json.code, json.err]).toEqual([0, ''])
    expect(items(json.out)).toEqual(CONVERSATION)
    expect(events(json.out).some(({ type }) => type === 'item.delta')).toBe(true)
    expect((await meow(['replay', theirs, '--vendor', 'painter', '--json'])).out).toBe(json.out)
    const { out } = await meow(['replay', ours])
    expect(out).toMatch(/^ {4,}\d+\.\d\d item\.completed {5}user_message: where is the boat$/m)
    expect(out).not.toContain('item.delta')
  })

  it('a vendor of the person goes before the one of the header, and that is said', async () => {
    const file = put('a.cast', textOf(cast, { vendor: { id: 'pi', version: '1' } }))
    const { code, out, err } = await meow(['replay', file, '--vendor', 'painter', '--json'])
    expect([code, items(out)]).toEqual([0, CONVERSATION])
    expect(err).toContain('warning: the recording says that it is of pi')
  })

  it('--until stops there: nothing after it is told, nor what only an end would settle', async () => {
    const file = put('a.cast', textOf(cast))
    const whole = events((await meow(['replay', file, '--vendor', 'painter', '--json'])).out)
    const prompt = whole.find(({ type }) => type === 'item.completed')?.t ?? 0
    const until = String(prompt + 0.01)
    const { out } = await meow(['replay', file, '--vendor', 'painter', '--json', '--until', until])
    expect(events(out)).toEqual(whole.filter(({ t }) => t <= Number(until)))
    expect(items(out)).toEqual(CONVERSATION.slice(0, 1))
  })

  it('paced, it tells the same', async () => {
    const file = put('a.cast', textOf(cast))
    const atOnce = await meow(['replay', file, '--vendor', 'painter', '--json'])
    const paced = await meow(['replay', file, '--vendor', 'painter', '--json', '--speed', '10000'])
    expect(paced).toEqual(atOnce)
  })

  it('Ctrl-C ends a paced one', async () => {
    const late = { events: [...cast.events, { at: 36_000_000, kind: 'o' as const, data: 'late' }] }
    const file = put('a.cast', textOf(late))
    const ctrlC = new AbortController()
    const ended = meow(['replay', file, '--vendor', 'painter', '--speed', '100'], null, {
      signal: ctrlC.signal,
      out: (text) => {
        // The conversation is over, the hours of silence are not; a replay without a pace ends before any timer.
        if (text.includes('turn.completed')) setTimeout(() => ctrlC.abort(), 0)
      },
    })
    expect((await ended).code).toBe(130)
  })

  it('a pause that no timer can count is waited for in parts', async () => {
    const file = put('a.cast', textOf({ events: [{ at: 2 ** 32, kind: 'o', data: 'late' }] }))
    const warnings: string[] = []
    const hear = ({ name }: Error): void => {
      warnings.push(name)
    }
    process.on('warning', hear)
    const ctrlC = new AbortController()
    const recording = offline.open(join(folderOf(), file), { vendor: 'painter' })
    const ended = offline.replay(recording, { speed: 1, signal: ctrlC.signal })
    // A timer that takes the pause for none says so at once.
    await new Promise((resolve) => setImmediate(resolve))
    ctrlC.abort(new Error('enough'))
    await expect(ended).rejects.toThrow()
    process.off('warning', hear)
    expect(warnings).toEqual([])
  })

  it('knows nobody who typed a prompt', async () => {
    const file = put('a.cast', textOf(cast))
    const { out } = await meow(['replay', file, '--vendor', 'painter', '--json'])
    expect(origins(out)).toEqual(['unknown'])
  })

  it('a cut file is read as far as it is whole, with a warning', async () => {
    const file = put('a.cast', `${textOf(cast)}[9.5, "o", "half`)
    const { code, out, err } = await meow(['replay', file, '--vendor', 'painter', '--json'])
    expect([code, items(out)]).toEqual([0, CONVERSATION])
    expect(err).toContain('ends in the middle of a line')
  })

  it.each<[string[], string, string]>([
    [['replay', 'no.cast'], 'there is no file', 'record ls'],
    [['replay', '.'], 'is a folder', 'a recording is NAME.cast'],
    [['replay', '/dev/zero'], 'neither a file nor a pipe', ''],
    [['replay', 'text.cast'], 'line 1 of the recording: the header is no JSON', 'asciicast versions 2 and 3'],
    [['replay', 'good.cast'], 'does not say whose program', '--vendor: painter, pi'],
    [['replay', 'good.cast', '--vendor', 'x'], 'is called x', '--vendor: painter, pi'],
    [
      ['replay', 'good.cast', '--vendor', 'painter', '--side', 's.jsonl'],
      'cannot be replayed',
      'without --side',
    ],
    [
      ['replay', 'good.cast', '--vendor', 'pi', '--side', 'text.cast'],
      'line 1 of the side-channel log',
      '--screen-only',
    ],
    [['replay', 'good.cast', '--side', 'x', '--screen-only'], 'contradict', ''],
    [['replay', 'good.cast', '--speed', '0'], 'speed: a number from 0.01', ''],
    [['replay', 'good.cast', '--until', '-1'], 'until: a number from 0', ''],
  ])('%j says what is wrong and what to do', async (argv, error, hint) => {
    put('good.cast', textOf(cast))
    put('text.cast', 'only text\nand more\n')
    const { code, out, err } = await meow(argv)
    expect([code > 0, out]).toEqual([true, ''])
    expect(err).toContain(error)
    expect(err).toContain(hint)
  })
})

describe('replay with side channels', () => {
  const facts: [number, Observation][] = [
    [100, { source: 'rpc', type: 'ready' }],
    [200, { source: 'rpc', type: 'turn.started' }],
    [200, { source: 'rpc', type: 'state', state: 'running', rule: 'pi.agent_start', evidence: [] }],
    [210, { source: 'rpc', type: 'user.message', key: 'u', text: 'hello' }],
    [300, { source: 'rpc', type: 'text.delta', key: 'a', kind: 'assistant_message', delta: 'Hi' }],
    [400, { source: 'rpc', type: 'text.completed', key: 'a', kind: 'assistant_message', text: 'Hi there.' }],
    [500, { source: 'rpc', type: 'turn.ended', outcome: 'completed' }],
  ]
  const log = facts.map(([at, observation]) => `${JSON.stringify({ at, observation })}\n`).join('')
  const screen = { events: [{ at: 150, kind: 'o' as const, data: 'a screen that no rule of Pi knows' }] }

  beforeEach(() => {
    put('a.cast', textOf(screen, { vendor: { id: 'pi', version: '1' } }))
  })

  it('they tell the content at their times, the log beside the cast is found', async () => {
    put('a.side.jsonl', log)
    const { code, out, err } = await meow(['replay', 'a.cast', '--json'])
    expect([code, err]).toEqual([0, ''])
    expect(items(out)).toEqual(['rpc user_message hello', 'rpc assistant_message Hi there.'])
    expect(events(out).map(({ t, type }) => `${t} ${type}`)).toEqual([
      '0.1 session.state',
      '0.2 turn.started',
      '0.2 session.state',
      '0.21 item.started',
      '0.21 item.completed',
      '0.3 item.started',
      '0.3 item.delta',
      '0.4 item.completed',
      '0.5 turn.completed',
    ])
    expect(origins(out)).toEqual(['unknown'])
    // Ready since 0.1 s: what the screen shows then is no state of a vendor whose side channels tell it.
    expect(events(out).filter(({ source }) => source === 'screen')).toEqual([])
  })

  it('--until holds for them, --screen-only leaves them out, --side names another', async () => {
    put('a.side.jsonl', log)
    put('b.jsonl', log.split('\n').slice(0, 4).join('\n'))
    const early = await meow(['replay', 'a.cast', '--json', '--until', '0.25'])
    expect(items(early.out)).toEqual(['rpc user_message hello'])
    const alone = await meow(['replay', 'a.cast', '--json', '--screen-only'])
    expect(events(alone.out).every(({ source }) => source === 'screen')).toBe(true)
    const named = await meow(['replay', 'a.cast', '--json', '--side', 'b.jsonl'])
    expect(items(named.out)).toEqual(['rpc user_message hello'])
  })

  it('a log that is cut is read as far as it is whole; an empty one is none', async () => {
    put('a.side.jsonl', `${log}{"at": 600, "obs`)
    const cut = await meow(['replay', 'a.cast', '--json'])
    expect(items(cut.out)).toHaveLength(2)
    expect(cut.err).toContain('a.side.jsonl ends in the middle of a line')
    put('a.side.jsonl', '')
    const empty = await meow(['replay', 'a.cast', '--json'])
    expect(empty.err).toContain('a.side.jsonl is empty')
    expect(events(empty.out).every(({ source }) => source === 'screen')).toBe(true)
  })
})

describe('explain with side channels', () => {
  const facts: [number, Observation][] = [
    [100, { source: 'rpc', type: 'ready' }],
    [200, { source: 'rpc', type: 'turn.started' }],
    [200, { source: 'rpc', type: 'state', state: 'running', rule: 'pi.agent_start', evidence: [] }],
    [210, { source: 'rpc', type: 'user.message', key: 'u', text: 'hello' }],
    [300, { source: 'rpc', type: 'text.delta', key: 'a', kind: 'assistant_message', delta: 'Hi' }],
    [400, { source: 'rpc', type: 'text.completed', key: 'a', kind: 'assistant_message', text: 'Hi there.' }],
    [500, { source: 'rpc', type: 'state', state: 'idle', rule: 'pi.agent_settled', evidence: [] }],
  ]
  const log = facts.map(([at, observation]) => `${JSON.stringify({ at, observation })}\n`).join('')

  beforeEach(() => {
    const screen = { events: [{ at: 150, kind: 'o' as const, data: 'a screen that no rule of Pi knows' }] }
    put('a.cast', textOf(screen, { vendor: { id: 'pi', version: '1' } }))
    put('a.side.jsonl', log)
  })

  it('the state and the conversation are theirs, as in a replay, and it says so', async () => {
    const { code, out, err } = await meow(['explain', 'a.cast', '--json'])
    expect([code, err]).toEqual([0, ''])
    const { reading, side } = JSON.parse(out)
    expect(reading).toMatchObject({ state: 'unknown', told: { state: 'idle', rule: 'pi.agent_settled' } })
    expect(side.file).toBe(join(folderOf(), 'a.side.jsonl'))
    expect(side.items).toEqual([
      { kind: 'user_message', text: 'hello', open: false },
      { kind: 'assistant_message', text: 'Hi there.', open: false },
    ])
    const lines = (await meow(['explain', 'a.cast'])).out.split('\n')
    expect(lines).toContain('told      idle since 0.0 s, by pi.agent_settled')
    const at = lines.findIndex((line) => line.startsWith('side      '))
    expect(lines.slice(at)).toEqual([
      `side      ${join(folderOf(), 'a.side.jsonl')}: it told the state and the conversation`,
      '  user_message: hello',
      '  assistant_message: Hi there.',
      '',
    ])
  })

  it('at a moment: as far as they had come', async () => {
    const { out } = await meow(['explain', 'a.cast', '--at', '0.35', '--json'])
    const { reading, side } = JSON.parse(out)
    expect(reading.told).toEqual({ state: 'running', rule: 'pi.agent_start', ageMs: 150 })
    expect(side.items.at(-1)).toEqual({ kind: 'assistant_message', text: 'Hi', open: true })
  })

  it('--screen-only leaves them out, --side names another; of one that is not there nothing is said', async () => {
    const alone = JSON.parse((await meow(['explain', 'a.cast', '--screen-only', '--json'])).out)
    expect(alone).toMatchObject({ reading: { told: { state: 'unknown' } }, side: null })
    put('b.jsonl', log.split('\n').slice(0, 4).join('\n'))
    const named = JSON.parse((await meow(['explain', 'a.cast', '--side', 'b.jsonl', '--json'])).out)
    expect(named.side.items).toHaveLength(1)
    rmSync(join(folderOf(), 'a.side.jsonl'))
    const without = await meow(['explain', 'a.cast'])
    expect([without.code, without.err]).toEqual([0, ''])
    expect(without.out).not.toContain('side  ')
  })

  it('a log that is wrong is an error, with what to do', async () => {
    put('a.side.jsonl', 'nonsense\nand more\n')
    const { code, err } = await meow(['explain', 'a.cast'])
    expect(code).toBe(1)
    expect(err).toContain('line 1 of the side-channel log')
    expect(err).toContain('--screen-only')
    expect((await meow(['explain', 'docs', '--screen-only'], fakeHub().hub)).err).toContain(
      'are for recordings',
    )
  })
})

describe('explain', () => {
  it('a recording: rule, evidence, age and blocks, at its end and at a moment', async () => {
    put('a.cast', textOf(cast, { vendor: { id: 'painter', version: null } }))
    const { code, out } = await meow(['explain', 'a.cast', '--json'])
    expect(code).toBe(0)
    const { reading } = JSON.parse(out)
    expect(reading).toMatchObject({ state: 'idle', dialog: null, told: { state: 'idle' } })
    expect(reading.rule).toBe('p.box')
    const kinds = reading.blocks.map(({ kind }: { kind: string }) => kind).filter(Boolean)
    expect(kinds).toEqual(['user_message', 'tool_call', 'assistant_message'])
    const busy = (cast.events.find(({ data }) => data.includes('where is the boat'))?.at ?? 0) + 20
    const then = JSON.parse(
      (await meow(['explain', 'a.cast', '--json', '--at', String(busy / 1000)])).out,
    ).reading
    expect(then).toMatchObject({ state: 'running', ageMs: 20 })
  })

  it('a moment between two drawings: what was drawn before it counts', async () => {
    const [idle, busy] = cast.events
    const drawn = [idle, busy].flatMap((event, n) => (event ? [{ ...event, at: n * 10 }] : []))
    put('a.cast', textOf({ events: drawn }))
    const at = async (seconds: string) =>
      JSON.parse((await meow(['explain', 'a.cast', '--vendor', 'painter', '--json', '--at', seconds])).out)
    // The second drawing is a frame 33 ms after the first.
    expect((await at('0.02')).reading).toMatchObject({ state: 'idle', ageMs: 20 })
    expect((await at('0.05')).reading).toMatchObject({ state: 'running' })
  })

  it('a moment after its end is its end, and that is said', async () => {
    put('a.cast', textOf(cast))
    const { code, err } = await meow(['explain', 'a.cast', '--vendor', 'painter', '--at', '5000'])
    expect(code).toBe(0)
    expect(err).toMatch(/^warning: the recording ends at \d+\.\d s: that is its last screen$/m)
  })

  it('a session: asks the hub, and shows what is typed apart from the ghost', async () => {
    const { hub, calls } = fakeHub()
    const { code, out } = await meow(['explain', 'docs'], hub)
    expect([code, calls]).toEqual([0, [['reading', 's_1111']]])
    expect(out.split('\n')).toEqual([
      'state     blocked, by pi.dialog',
      'evidence  Trust this folder?',
      'read      1.5 s ago',
      'told      running since 61.0 s, by pi.agent',
      'dialog    trust: Trust this folder?',
      '          > 1  Yes',
      '            2  No',
      'composer  "half"',
      'ghost     "a whole sentence"',
      'blocks',
      '  pi.assistant (assistant_message)',
      '    | Hello',
      '    | there',
      '  no rule (told as nothing)',
      '    | odd',
      '',
    ])
  })

  it.each<[string[], string]>([
    [['explain', 'docs', '--at', '3'], 'are for recordings'],
    [['explain', 'nope'], 'no session is called'],
    [['explain', 'no.cast'], 'there is no file'],
    [['explain', 'empty.cast', '--vendor', 'painter'], 'shows nothing yet'],
    [['explain', '.'], 'is a folder'],
    [['explain', 'a.side.jsonl'], 'it is the side-channel log of a recording'],
    [['explain', 'plain'], 'of the file with that name: agent-meow explain ./plain'],
  ])('%j says what is wrong', async (argv, error) => {
    put('empty.cast', textOf({ events: [] }))
    put('a.side.jsonl', '{"at": 0, "observation": {}}\n')
    put('plain', textOf({ events: [] }))
    const { code, err } = await meow(argv, fakeHub().hub)
    expect(code).toBeGreaterThan(0)
    expect(err).toContain(error)
  })
})
