/**
 * The Gemini wire over real HTTP, with tools as Gemini CLI offers them.
 *
 * @module test/unit/model-server-gemini
 */

import { afterEach, describe, expect, it } from 'vitest'
import { type ModelServer, type ModelServerOptions, startModelServer } from '../../src/model-server/index.js'
import { at, type Json, post, type SseEvent, SseReader } from './model-server-client.js'

const MODEL = '/v1beta/models/gemini-x'
const STREAM = `${MODEL}:streamGenerateContent?alt=sse`
const servers: ModelServer[] = []

async function start(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer({ persona: 'plain', ...options })
  servers.push(server)
  return server
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

function tool(name: string, keys: string[]): Json {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]))
  return { name, parametersJsonSchema: { type: 'object', properties, required: keys } }
}

const TOOLS = [
  {
    functionDeclarations: [
      tool('run_shell_command', ['command']),
      tool('read_file', ['file_path']),
      tool('replace', ['file_path', 'instruction', 'old_string', 'new_string']),
      tool('write_file', ['file_path', 'content']),
    ],
  },
]

const user = (...parts: Json[]): Json => ({ role: 'user', parts })
const text = (value: string): Json => ({ text: value })

function body(contents: string | Json[], more: Json = {}): Json {
  const list = typeof contents === 'string' ? [user(text(contents))] : contents
  return { contents: list, tools: TOOLS, generationConfig: {}, ...more }
}

async function stream(server: ModelServer, request: Json): Promise<SseEvent[]> {
  const reader = new SseReader(await post(server, STREAM, request))
  await reader.ended
  return reader.events
}

const partsOf = (events: SseEvent[]): Json[] =>
  events.flatMap(({ data }) => at(data, 'candidates.0.content.parts') as Json[])

async function answer(server: ModelServer, request: Json): Promise<Json[]> {
  const response = await (await post(server, `${MODEL}:generateContent`, request)).json()
  return at(response, 'candidates.0.content.parts') as Json[]
}

describe('Gemini', () => {
  it('streams a thought and each call in one piece, text in chunks, and ends with the usage', async () => {
    const server = await start({ chunkSize: 4 })
    const prompt =
      'MEOW: usage 100 20 30 40;; think **Look** at it;; text Hello world;; bash ls &&& edit f|a|b'
    const events = await stream(server, body(prompt))
    const parts = partsOf(events)
    expect(parts.filter(({ thought }) => thought === true)).toEqual([
      { text: '**Look** at it', thought: true },
    ])
    const said = parts.filter((part) => part.thought !== true && typeof part.text === 'string')
    expect(said.map((part) => part.text)).toEqual(['Hell', 'o wo', 'rld', ''])
    const calls = parts.flatMap((part) => ('functionCall' in part ? [part.functionCall] : []))
    expect(calls).toMatchObject([
      { name: 'run_shell_command', args: { command: 'ls' } },
      { name: 'replace', args: { file_path: 'f', old_string: 'a', new_string: 'b' } },
    ])
    expect(new Set(calls.map((call) => at(call, 'id'))).size).toBe(2)
    const last = events.at(-1)?.data
    expect(at(last, 'candidates.0.finishReason')).toBe('STOP')
    expect(at(last, 'usageMetadata')).toEqual({
      promptTokenCount: 170,
      cachedContentTokenCount: 30,
      candidatesTokenCount: 16,
      thoughtsTokenCount: 4,
      totalTokenCount: 190,
    })
    expect(at(last, 'modelVersion')).toBe('gemini-x')
    expect(server.requests[0]).toMatchObject({
      wire: 'gemini',
      kind: 'turn',
      model: 'gemini-x',
      stream: true,
    })
  })

  it('answers without a stream, counts tokens and names the other stops', async () => {
    const server = await start()
    expect(await answer(server, body('MEOW: think a;; text b;; read f'))).toMatchObject([
      { text: 'a', thought: true },
      { text: 'b' },
      { functionCall: { name: 'read_file', args: { file_path: 'f' } } },
    ])
    const count = { contents: [user(text('x'.repeat(41)))] }
    const wrapped = { generateContentRequest: { model: 'models/gemini-x', ...count } }
    for (const request of [count, wrapped]) {
      const counted = await post(server, `${MODEL}:countTokens`, request)
      expect(await counted.json()).toEqual({ totalTokens: 11 })
    }
    const refused = await stream(server, body('MEOW: text x;; stop refusal'))
    expect(at(refused.at(-1)?.data, 'candidates.0.finishReason')).toBe('SAFETY')
  })

  it('goes on after results, past the context that the client puts first', async () => {
    const server = await start()
    const context = '<session_context>\nThis is the Gemini CLI.\n</session_context>'
    const contents = [
      user(text(context)),
      user(text('MEOW: bash a;; bash b;; text end')),
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'run_shell_command', args: {} } }] },
      user({ functionResponse: { id: 'c1', name: 'run_shell_command', response: { output: 'one' } } }),
    ]
    expect(await answer(server, body(contents))).toMatchObject([{ functionCall: { args: { command: 'b' } } }])
    const failed = { id: 'c2', name: 'run_shell_command', response: { error: 'blocked' } }
    const more = [...contents, user({ functionResponse: failed })]
    expect(await answer(server, body(more))).toEqual([{ text: 'end' }])
    expect(server.requests[1]?.toolResults).toEqual([
      { callId: 'c1', text: 'one', isError: false },
      { callId: 'c2', text: 'blocked', isError: true },
    ])
    const only = [user(text(context))]
    await answer(server, body(only))
    expect(server.requests[2]?.lastUserText).toBe('')
  })

  it('lets the user speak next, chooses the first model, finds no loop, and sums up in one line', async () => {
    const server = await start()
    const ask = async (properties: Json, prompt = 'x'): Promise<unknown> => {
      const responseJsonSchema = { type: 'object', properties, required: Object.keys(properties) }
      const config = { responseMimeType: 'application/json', responseJsonSchema }
      const parts = await answer(server, { contents: [user(text(prompt))], generationConfig: config })
      return JSON.parse(String(parts[0]?.text))
    }
    const reasoning = { type: 'string' }
    const speaker = { type: 'string', enum: ['model', 'user'] }
    expect(await ask({ reasoning, next_speaker: speaker })).toEqual({ reasoning: '', next_speaker: 'user' })
    const choice = { type: 'string', enum: ['flash', 'pro'] }
    expect(await ask({ reasoning, model_choice: choice })).toEqual({ reasoning: '', model_choice: 'flash' })
    expect(await ask({ unproductive_state_confidence: { type: 'number' } })).toEqual({
      unproductive_state_confidence: 0,
    })
    const prompt = `Summarize the user's primary intent or goal in this conversation in ONE sentence (max 80 characters).

Conversation:
User: MEOW: text hi`
    const [summary] = await answer(server, { contents: [user(text(prompt))] })
    expect(String(summary?.text)).toMatch(/^.{1,80}$/)
    expect(server.requests.map(({ kind }) => kind)).toEqual(['other', 'other', 'other', 'other'])
  })

  it.each([
    [400, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [529, 'UNAVAILABLE'],
    [500, 'INTERNAL'],
  ])('fails with %i before the stream and inside it', async (code, status) => {
    const server = await start()
    const response = await post(server, STREAM, body(`MEOW: error ${code} no luck`))
    expect(response.status).toBe(code)
    const error = { error: { code, message: 'no luck', status } }
    expect(await response.json()).toEqual(error)
    const events = await stream(server, body(`MEOW: text part;; error ${code} no luck`))
    expect(partsOf(events.slice(0, 1))).toEqual([{ text: 'part' }])
    expect(events.at(-1)?.data).toEqual(error)
  })

  it('waits at a gate, cuts the connection, counts images, and knows its own paths', async () => {
    const server = await start()
    const reader = new SseReader(await post(server, STREAM, body('MEOW: text a;; gate g;; text b;; cut')))
    await server.gate('g').reached
    expect(server.requests[0]?.response.text).toBe('a')
    server.gate('g').release()
    await expect(reader.ended).rejects.toThrow()
    expect(partsOf(reader.events)).toEqual([{ text: 'a' }, { text: 'b' }])
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    await answer(server, body([user(text('hi'), image)]))
    expect(server.requests[1]?.images).toMatchObject([{ mediaType: 'image/png', bytes: 3 }])
    expect((await post(server, `${MODEL}:embedContent`, {})).status).toBe(404)
    expect((await post(server, STREAM, { contents: [] })).status).toBe(400)
  })
})
