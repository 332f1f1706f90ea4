/**
 * The directive language and how its steps run over an agent loop.
 *
 * @module test/unit/model-server-directive
 */

import { afterEach, describe, expect, it } from 'vitest'
import {
  findDirective,
  type ModelServer,
  parseSteps,
  startModelServer,
} from '../../src/model-server/index.js'
import { cutText } from '../../src/model-server/player.js'
import { agentLoop, anthropicBody, at, openaiBody, post, stream, textOf } from './model-server-client.js'

let server: ModelServer | null = null

async function start(): Promise<ModelServer> {
  server = await startModelServer({ persona: 'plain' })
  return server
}

afterEach(async () => {
  await server?.close()
  server = null
})

describe('parsing', () => {
  it('finds directives at the beginning of lines only', () => {
    expect(findDirective('MEOW: text a')).toBe('text a')
    expect(findDirective('please\n  MEOW: text a\nMEOW: text b')).toBe('text a;;text b')
    expect(findDirective('[Image #1] MEOW: text a')).toBe('text a')
    expect(findDirective('say MEOW: text a')).toBeNull()
  })

  it('reads every step', () => {
    const text =
      'think hm;; text Hello ;;text a\\nb\\\\n;; slow 5;; size 3;; chunks 2;; gate g-1;; break;; cut;; cut x3;; summary;; ' +
      'usage 1 2 3 4;; stop length;; error 429 x2 after 3 too much;; call Tool {"a":[1]}'
    expect(parseSteps(text)).toEqual({
      steps: [
        { type: 'part', part: { type: 'reasoning', text: 'hm' } },
        { type: 'part', part: { type: 'text', text: 'Hello ' } },
        { type: 'part', part: { type: 'text', text: 'a\nb\\n' } },
        { type: 'part', part: { type: 'pace', delayMs: 5 } },
        { type: 'part', part: { type: 'pace', chunkSize: 3 } },
        {
          type: 'part',
          part: {
            type: 'text',
            text: 'line 0001 of 2\nline 0002 of 2\n',
            chunks: ['line 0001 of 2\n', 'line 0002 of 2\n'],
          },
        },
        { type: 'part', part: { type: 'gate', name: 'g-1' } },
        { type: 'part', part: { type: 'break' } },
        { type: 'fail', part: { type: 'cut' }, times: null },
        { type: 'fail', part: { type: 'cut' }, times: 3 },
        { type: 'summary' },
        { type: 'usage', usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } },
        { type: 'stop', stop: 'length' },
        {
          type: 'fail',
          times: 2,
          part: { type: 'error', status: 429, message: 'too much', retryAfterSeconds: 3 },
        },
        { type: 'tools', calls: [{ tool: 'named', name: 'Tool', input: { a: [1] } }] },
      ],
    })
  })

  it('reads tool calls, joined calls and escaped separators', () => {
    expect(
      parseSteps('bash case a in a) echo\\;; esac | cat &&& write a.txt|1\\|2|3;; edit f|a\\|b|c|d'),
    ).toEqual({
      steps: [
        {
          type: 'tools',
          calls: [
            { tool: 'shell', command: 'case a in a) echo;; esac | cat' },
            { tool: 'write', path: 'a.txt', content: '1|2|3' },
          ],
        },
        { type: 'tools', calls: [{ tool: 'edit', path: 'f', old: 'a|b', new: 'c|d' }] },
      ],
    })
  })

  it.each([
    ['jump high', /do not know the step 'jump'/],
    ['error 99', /status from 400 to 599/],
    ['bash', /wants an argument/],
    ['write f', /FILE\|CONTENT/],
    ['edit f|a', /FILE\|OLD\|NEW/],
    ['call X {', /JSON object/],
    ['slow fast', /wants a number/],
    ['cut now', /nothing or xN/],
    ['gate a b', /gate wants a name/],
    ['bash ls &&& text x', /joins tool calls only/],
    ['constructor', /do not know the step/],
  ])('explains what is wrong with %j', (text, problem) => {
    expect(parseSteps(text)).toEqual({ problem: expect.stringMatching(problem) })
  })

  it('tells the typist in the conversation', async () => {
    const events = await stream(await start(), 'anthropic', anthropicBody('MEOW: jump'))
    expect(textOf(events)).toContain("I do not know the step 'jump'")
  })
})

describe('cutting texts', () => {
  const text = '  Hi 世界, 👩‍👩‍👧 ok\n\n  end '

  it.each([0, 1, 2, 3, 7, 1000])('loses nothing with size %i', (size) => {
    const pieces = cutText(text, size)
    expect(pieces.join('')).toBe(text)
    expect(pieces.every((piece) => piece !== '' && !/[\ud800-\udbff]$/.test(piece))).toBe(true)
  })
})

describe('the agent loop', () => {
  it('goes on after every tool result, to the end', async () => {
    const prompt =
      'MEOW: text Start.;; bash echo hi;; write new.txt|one;; text Now two at once.;; read a &&& bash ls;; summary;; text Done.'
    const loop = await agentLoop(await start(), prompt, {
      system: 'x\nPrimary working directory: /work dir/p\ny',
    })
    expect(loop.calls).toEqual([
      { name: 'Bash', input: { command: 'echo hi', description: 'Run a scripted command' } },
      { name: 'Write', input: { file_path: '/work dir/p/new.txt', content: 'one' } },
      { name: 'Read', input: { file_path: '/work dir/p/a' } },
      { name: 'Bash', input: { command: 'ls', description: 'Run a scripted command' } },
    ])
    expect(loop.texts.slice(0, 2)).toEqual(['Start.', 'Now two at once.'])
    expect(loop.texts[2]).toMatch(/result of Read[\s\S]*result of Bash[\s\S]*Done\.$/)
    expect(loop.texts[2]).not.toContain('result of Write')
  })

  it('ends by itself when the last step is a tool call', async () => {
    const loop = await agentLoop(await start(), 'MEOW: bash ls')
    expect(loop).toMatchObject({ calls: [{ name: 'Bash' }], texts: ['Done.'] })
  })

  it('never goes beyond the cap', async () => {
    const steps = Array.from({ length: 40 }, (_, n) => `bash echo ${n}`).join(';;')
    const loop = await agentLoop(await start(), `MEOW: ${steps}`)
    expect(loop.calls).toHaveLength(25)
    expect(loop.texts.at(-1)).toContain('no more than 25 tool calls')
  })

  it('goes past a tool that is not offered', async () => {
    const events = await stream(
      await start(),
      'anthropic',
      anthropicBody('MEOW: bash ls;; text on', { tools: undefined }),
    )
    expect(textOf(events)).toBe('(No tool is offered for: bash ls)\non')
  })

  it('works on the other wire, with its tool names', async () => {
    const made = await start()
    const call = (id: string) => ({ id, type: 'function', function: { name: 'bash', arguments: '{}' } })
    const messages = [
      { role: 'system', content: 'Be good.\nCurrent working directory: /work' },
      { role: 'user', content: [{ type: 'text', text: 'MEOW: bash one;; write f|x;; text end' }] },
      { role: 'assistant', content: null, tool_calls: [call('c1')] },
      { role: 'tool', tool_call_id: 'c1', content: 'fine' },
    ]
    const events = await stream(made, 'openai', openaiBody(messages))
    expect(JSON.stringify(events)).toContain('"name":"write"')
    expect(made.requests[0]?.response.toolCalls).toMatchObject([{ input: { path: 'f', content: 'x' } }])
    expect(made.requests[0]?.toolResults).toEqual([{ callId: 'c1', text: 'fine', isError: false }])
    const images = [
      { type: 'text', text: 'Attached image(s) from tool result:' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ]
    const more = [
      { role: 'assistant', content: null, tool_calls: [call('c2')] },
      { role: 'tool', tool_call_id: 'c2', content: 'fine' },
      { role: 'user', content: images },
    ]
    const last = await stream(made, 'openai', openaiBody([...messages, ...more]))
    expect(last.map(({ data }) => at(data, 'choices.0.delta.content') ?? '').join('')).toBe('end')
    expect(made.requests[1]?.images).toMatchObject([{ mediaType: 'image/png', bytes: 3 }])
  })

  it.each([
    ['The absolute path. Relative paths are not supported.', '/work/f'],
    ['The absolute path to the file', '/work/f'],
    ['Path, relative or absolute', 'f'],
    ['Path to the file', 'f'],
  ])('gives the path that the tool wants: %s', async (description, path) => {
    const made = await start()
    const parameters = { type: 'object', properties: { file_path: { type: 'string', description } } }
    const tools = [{ type: 'function', function: { name: 'read_file', parameters } }]
    const system = { role: 'system', content: "I'm currently working in the directory: /work\nMore." }
    await stream(made, 'openai', openaiBody([system, { role: 'user', content: 'MEOW: read f' }], { tools }))
    expect(made.requests[0]?.response.toolCalls).toMatchObject([{ input: { file_path: path } }])
  })
})

describe('the last prompt', () => {
  const results = [
    { role: 'user', content: 'MEOW: bash ls;; text old end' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] },
  ]
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'r', is_error: true }

  it('is found among reminders, markers and tool results', async () => {
    const made = await start()
    const content = [
      { type: 'text', text: '<system-reminder>\nMEOW: text wrong\n</system-reminder>\n\n' },
      { type: 'text', text: 'MEOW: text right' },
      { type: 'text', text: '[Image: source: /a/b.png]' },
      { type: 'text', text: '<system-reminder>later</system-reminder>' },
    ]
    const events = await stream(made, 'anthropic', anthropicBody([{ role: 'user', content }]))
    expect(textOf(events)).toBe('right')
    expect(made.requests[0]?.lastUserText).toBe('MEOW: text right')
  })

  it('is taken without the time that Copilot CLI puts before it', async () => {
    const made = await start()
    const prompt = '<current_datetime>2026-11-30T21:49:11.086+00:00</current_datetime>\n\nMEOW: text hi'
    await stream(made, 'openai', openaiBody(prompt))
    expect(made.requests[0]).toMatchObject({ lastUserText: 'MEOW: text hi', response: { text: 'hi' } })
  })

  it('takes over from a directive that was interrupted', async () => {
    const content = [
      result,
      { type: 'text', text: '[Request interrupted by user for tool use]' },
      { type: 'text', text: 'MEOW: text new end' },
    ]
    const events = await stream(
      await start(),
      'anthropic',
      anthropicBody([...results, { role: 'user', content }]),
    )
    expect(textOf(events)).toBe('new end')
  })

  const steer =
    'The user sent a new message while you were working:\nMEOW: text steered\n\nIMPORTANT: After completing your current task, address it.'
  const reminder = `<system-reminder>\n${steer}\n</system-reminder>`

  it.each([
    [
      'a system message',
      [
        { role: 'user', content: [result] },
        { role: 'system', content: steer },
      ],
    ],
    ['a reminder', [{ role: 'user', content: [result, { type: 'text', text: reminder }] }]],
    ['a text block', [{ role: 'user', content: [result, { type: 'text', text: steer }] }]],
  ])('may be a message sent while the model worked, in %s', async (_name, messages) => {
    const made = await start()
    const events = await stream(made, 'anthropic', anthropicBody([...results, ...messages]))
    expect(textOf(events)).toBe('steered')
    expect(made.requests[0]?.lastUserText).toBe('MEOW: text steered')
  })

  it('keeps its place when a reminder follows the result', async () => {
    const content = [result, { type: 'text', text: '<system-reminder>tidy up</system-reminder>' }]
    const made = await start()
    const events = await stream(made, 'anthropic', anthropicBody([...results, { role: 'user', content }]))
    expect(textOf(events)).toBe('old end')
    expect(made.requests[0]?.toolResults).toEqual([{ callId: 't1', text: 'r', isError: true }])
  })

  it('starts at its first step, however many tools were called before', async () => {
    const messages = [
      ...results,
      { role: 'user', content: [result] },
      { role: 'assistant', content: 'old end' },
    ]
    const next = { role: 'user', content: 'MEOW: read f;; text skipped' }
    const events = await stream(await start(), 'anthropic', anthropicBody([...messages, next]))
    expect(JSON.stringify(events)).toContain('"name":"Read"')
    expect(textOf(events)).toBe('')
  })

  it('counts the attempts of each place in a conversation apart', async () => {
    const made = await start()
    const prompt = { role: 'user', content: 'MEOW: error 500 x1;; text ok' }
    const longer = [prompt, { role: 'assistant', content: 'x' }, prompt]
    const statuses = []
    for (const messages of [[prompt], longer, [prompt], longer]) {
      statuses.push((await post(made, '/v1/messages', anthropicBody(messages))).status)
    }
    expect(statuses).toEqual([500, 500, 200, 200])
  })
})
