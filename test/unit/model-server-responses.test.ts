/**
 * The OpenAI Responses wire over real HTTP, with tools as Codex offers them.
 *
 * @module test/unit/model-server-responses
 */

import { afterEach, describe, expect, it } from 'vitest'
import { type ModelServer, type ModelServerOptions, startModelServer } from '../../src/model-server/index.js'
import { at, type Json, post, type SseEvent, SseReader } from './model-server-client.js'

const PATH = '/v1/responses'
const servers: ModelServer[] = []

async function start(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer({ persona: 'plain', ...options })
  servers.push(server)
  return server
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const EXEC = {
  type: 'function',
  name: 'exec_command',
  parameters: {
    type: 'object',
    properties: {
      cmd: { type: 'string' },
      sandbox_permissions: { type: 'string', enum: ['use_default', 'require_escalated'] },
      justification: { type: 'string' },
    },
    required: ['cmd'],
  },
}
const APPLY_PATCH = { type: 'custom', name: 'apply_patch', description: 'FREEFORM', format: {} }
const TOOLS = [EXEC, APPLY_PATCH, { type: 'web_search' }]

const says = (role: string, text: string): Json => {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  return { type: 'message', role, content: [{ type, text }] }
}

function body(input: string | Json[], more: Json = {}): Json {
  const items = typeof input === 'string' ? [says('user', input)] : input
  return { model: 'gpt-x', stream: true, tools: TOOLS, input: items, ...more }
}

async function stream(server: ModelServer, request: Json): Promise<SseEvent[]> {
  const reader = new SseReader(await post(server, PATH, request))
  await reader.ended
  return reader.events
}

/** Answers without a stream; its output items. */
async function output(server: ModelServer, request: Json): Promise<Json[]> {
  const answer = await (await post(server, PATH, { ...request, stream: false })).json()
  return at(answer, 'output') as Json[]
}

const result = (callId: string, text: string): Json => ({
  type: 'function_call_output',
  call_id: callId,
  output: text,
})

describe('OpenAI Responses', () => {
  it('streams summary, text and calls in the order and shape of the API', async () => {
    const server = await start({ chunkSize: 4 })
    const prompt =
      'MEOW: usage 100 20 30 40;; think Let me see;; text Hello world;; bash ls &&& write f|a\\nb'
    const events = await stream(server, body(prompt))
    expect(events.every(({ event, data }) => event === at(data, 'type'))).toBe(true)
    expect(events.map(({ data }) => at(data, 'sequence_number'))).toEqual(
      events.map((_event, index) => index),
    )
    const types = events.map(({ event }) => event)
    expect(types.slice(0, 4)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
    ])
    expect(types.slice(-2)).toEqual(['response.output_item.done', 'response.completed'])
    const joined = (type: string): string =>
      events.map(({ event, data }) => (event === `response.${type}.delta` ? at(data, 'delta') : '')).join('')
    expect(joined('reasoning_summary_text')).toBe('Let me see')
    expect(joined('output_text')).toBe('Hello world')
    expect(JSON.parse(joined('function_call_arguments'))).toEqual({ cmd: 'ls' })
    const patch = '*** Begin Patch\n*** Add File: f\n+a\n+b\n*** End Patch\n'
    expect(joined('custom_tool_call_input')).toBe(patch)
    const done = events.filter(({ event }) => event === 'response.output_item.done')
    expect(done.map(({ data }) => [at(data, 'output_index'), at(data, 'item.type')])).toEqual([
      [0, 'reasoning'],
      [1, 'message'],
      [2, 'function_call'],
      [3, 'custom_tool_call'],
    ])
    expect(at(done[3]?.data, 'item')).toMatchObject({ name: 'apply_patch', input: patch })
    const response = at(events.at(-1)?.data, 'response')
    expect(at(response, 'output')).toEqual(done.map(({ data }) => at(data, 'item')))
    expect(at(response, 'usage')).toEqual({
      input_tokens: 170,
      input_tokens_details: { cached_tokens: 30 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 190,
    })
    expect(server.requests[0]).toMatchObject({ wire: 'openai-responses', kind: 'turn', lastUserText: prompt })
  })

  it('answers without a stream, and says why an answer is incomplete', async () => {
    const server = await start()
    const items = await output(server, body('MEOW: think a;; text b;; bash ls'))
    expect(items).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] },
      { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}' },
    ])
    const events = await stream(server, body('MEOW: text cut;; stop length'))
    expect(events.at(-1)?.event).toBe('response.incomplete')
    expect(at(events.at(-1)?.data, 'response.incomplete_details')).toEqual({ reason: 'max_output_tokens' })
  })

  it('goes on after the results, past notes of the client, and finds steering', async () => {
    const server = await start()
    const context = '<environment_context>\n  <cwd>/w</cwd>\n</environment_context>'
    const input = [
      says('developer', 'rules'),
      says('user', context),
      says('user', 'MEOW: bash a;; bash b;; text end'),
      { type: 'function_call', name: 'exec_command', arguments: '{}', call_id: 'c1' },
      result('c1', 'one'),
    ]
    expect(await output(server, body(input))).toMatchObject([{ arguments: '{"cmd":"b"}' }])
    const more = [{ type: 'custom_tool_call_output', call_id: 'c2', output: 'two' }]
    expect(at(await output(server, body([...input, ...more])), '0.content.0.text')).toBe('end')
    expect(server.requests[1]?.toolResults.map(({ text }) => text)).toEqual(['one', 'two'])
    const steered = [...input, says('user', 'MEOW: text other')]
    expect(at(await output(server, body(steered)), '0.content.0.text')).toBe('other')
  })

  it('reads tools out of an input item and calls a freeform tool by its name', async () => {
    const server = await start()
    const prompt = says('user', 'MEOW: call apply_patch {"input":"*** x"};; text end')
    const input = [{ type: 'additional_tools', tools: [APPLY_PATCH] }, prompt]
    expect(await output(server, body(input, { tools: undefined }))).toMatchObject([
      { type: 'custom_tool_call', name: 'apply_patch', input: '*** x' },
    ])
  })

  it('reads by the shell and patches the whole lines that it has read', async () => {
    const server = await start()
    const input = [says('user', "MEOW: read it's.txt;; edit it's.txt|two|TWO $&")]
    const read = await output(server, body(input))
    expect(JSON.parse(String(read[0]?.arguments))).toEqual({ cmd: "cat 'it'\\''s.txt'" })
    const edit = await output(server, body([...input, result('c1', 'Output:\none two three\nfour\n')]))
    expect(edit[0]?.input).toBe(
      "*** Begin Patch\n*** Update File: it's.txt\n@@\n-one two three\n+one TWO $& three\n*** End Patch\n",
    )
    const unseen = await output(server, body('MEOW: edit f|a\\nb|c'))
    expect(unseen[0]?.input).toContain('@@\n-a\n-b\n+c\n')
  })

  it('asks to leave a sandbox that may only read, but not in order to read', async () => {
    const server = await start()
    const policy = (mode: string) => says('developer', `<permissions>\`sandbox_mode\` is \`${mode}\`: x`)
    const ask = async (notes: Json[], prompt: string): Promise<unknown> => {
      const [call] = await output(server, body([...notes, says('user', prompt)]))
      return at(JSON.parse(String(call?.arguments)), 'sandbox_permissions')
    }
    expect(await ask([policy('read-only')], 'MEOW: bash rm x')).toBe('require_escalated')
    expect(await ask([policy('read-only')], 'MEOW: read x')).toBeUndefined()
    expect(await ask([policy('read-only'), policy('workspace-write')], 'MEOW: bash rm x')).toBeUndefined()
  })

  it('answers a title request that offers a tool, within its length', async () => {
    const server = await start()
    const schema = {
      type: 'object',
      properties: { title: { type: 'string', maxLength: 12 } },
      required: ['title'],
    }
    const text = { format: { type: 'json_schema', schema } }
    const prompt = 'Generate a concise, single-line task title.\n\nUser prompt:\nMEOW: text Hello wide world'
    const items = await output(server, body(prompt, { text, tools: [APPLY_PATCH] }))
    expect(at(items, '0.content.0.text')).toBe('{"title":"Hello wide w"}')
    expect(server.requests[0]?.kind).toBe('title')
    await output(server, body('MEOW: text x', { text }))
    expect(server.requests[1]?.kind).toBe('turn')
  })

  it.each([
    [400, 'invalid_request_error', null],
    [429, 'rate_limit_error', 'rate_limit_exceeded'],
    [529, 'server_error', 'server_is_overloaded'],
  ])('fails with %i before the stream and inside it', async (status, type, code) => {
    const server = await start()
    const response = await post(server, PATH, body(`MEOW: error ${status} no luck`))
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ error: { message: 'no luck', type, param: null, code } })
    const events = await stream(server, body(`MEOW: text part;; error ${status} no luck`))
    expect(events.at(-1)?.event).toBe('response.failed')
    expect(at(events.at(-1)?.data, 'response.error')).toEqual({
      code: code ?? 'server_error',
      message: 'no luck',
    })
  })

  it('waits at a gate, cuts the connection, and counts images', async () => {
    const server = await start()
    const reader = new SseReader(
      await post(server, PATH, body('MEOW: text before;; gate g;; text after;; cut')),
    )
    await reader.until((events) => JSON.stringify(events).includes('before'))
    await server.gate('g').reached
    expect(server.requests[0]?.response.text).toBe('before')
    server.gate('g').release()
    await expect(reader.ended).rejects.toThrow()
    expect(server.requests[0]?.response).toMatchObject({ text: 'beforeafter', finished: 'cut' })
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
    const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }, image] }
    await output(server, body([message]))
    expect(server.requests[1]?.images).toMatchObject([{ mediaType: 'image/png', bytes: 3 }])
  })

  it('refuses a body that the API would refuse', async () => {
    const server = await start()
    expect((await post(server, PATH, { model: 'm', input: [] })).status).toBe(400)
    expect((await post(server, PATH, body([says('nobody', 'x')]))).status).toBe(400)
  })
})
