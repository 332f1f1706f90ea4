/**
 * The scripted model server over real HTTP: wires, gates, interrupts, errors, log.
 *
 * @module test/unit/model-server
 */

import { createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type ModelServer,
  ModelServerError,
  type ModelServerOptions,
  startModelServer,
} from '../../src/model-server/index.js'
import { anthropicBody, at, openaiBody, post, SseReader, stream, textOf } from './model-server-client.js'

const servers: ModelServer[] = []

async function start(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer({ persona: 'plain', ...options })
  servers.push(server)
  return server
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

describe('Anthropic Messages', () => {
  it('streams reasoning, text and a tool call in the order and shape of the API', async () => {
    const server = await start({ chunkSize: 4, idSeed: 'seed' })
    const prompt = 'MEOW: usage 100 20 30 40;; think Let me see;; text Hello world;; bash ls'
    const events = await stream(server, 'anthropic', anthropicBody(prompt))
    expect(events.every(({ event, data }) => event === at(data, 'type'))).toBe(true)
    const types = events.map(({ event }) => event)
    expect(types.slice(0, 3)).toEqual(['message_start', 'ping', 'content_block_start'])
    expect(types.slice(-3)).toEqual(['content_block_stop', 'message_delta', 'message_stop'])
    const blocks = events.filter(({ event }) => event === 'content_block_start')
    expect(blocks.map(({ data }) => at(data, 'content_block.type'))).toEqual(['thinking', 'text', 'tool_use'])
    expect(blocks.map(({ data }) => at(data, 'index'))).toEqual([0, 1, 2])
    expect(at(blocks[2]?.data, 'content_block')).toMatchObject({ name: 'Bash', input: {} })
    const joined = (key: string): string => events.map(({ data }) => at(data, `delta.${key}`) ?? '').join('')
    expect(joined('thinking')).toBe('Let me see')
    expect(joined('text')).toBe('Hello world')
    expect(JSON.parse(joined('partial_json'))).toEqual({
      command: 'ls',
      description: 'Run a scripted command',
    })
    expect(joined('signature')).not.toBe('')
    const last = events.find(({ event }) => event === 'message_delta')?.data
    expect(at(last, 'delta.stop_reason')).toBe('tool_use')
    const usage = { input_tokens: 100, cache_read_input_tokens: 30, cache_creation_input_tokens: 40 }
    expect(at(last, 'usage')).toEqual({ ...usage, output_tokens: 20 })
    expect(at(events[0]?.data, 'message')).toMatchObject({ model: 'claude-x', usage, content: [] })
    expect(textOf(events)).toBe('Hello world')
  })

  it('answers without a stream when none is asked for', async () => {
    const server = await start()
    const body = anthropicBody('MEOW: think a;; text b;; text c;; write f|x', { stream: false })
    const answer = await (await post(server, '/v1/messages', body)).json()
    expect(answer).toMatchObject({
      type: 'message',
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'a' },
        { type: 'text', text: 'b' + 'c' },
        { type: 'tool_use', name: 'Write', input: { file_path: 'f', content: 'x' } },
      ],
    })
  })

  it('answers HEAD, counts tokens and lists models', async () => {
    const server = await start({ models: ['m1', 'm2'] })
    expect((await fetch(server.url, { method: 'HEAD' })).status).toBe(200)
    const body = { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(41) }] }
    const counted = await (await post(server, '/v1/messages/count_tokens?beta=true', body)).json()
    expect(counted).toEqual({ input_tokens: 11 })
    const models = await (await fetch(`${server.url}/v1/models`)).json()
    expect(at(models, 'data.1.id')).toBe('m2')
    expect(server.requests.map(({ kind, path }) => [kind, path])).toEqual([
      ['other', '/v1/messages/count_tokens'],
    ])
  })

  it('refuses a body that the API would refuse', async () => {
    const server = await start()
    const response = await post(server, '/v1/messages', { model: 'm', messages: [] })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
    const noJson = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body: '{' })
    expect(noJson.status).toBe(400)
    expect(await noJson.json()).toMatchObject({ error: { message: 'The request body is no JSON.' } })
    expect(server.requests.map((request) => request.response.status)).toEqual([400, 400])
  })
})

describe('OpenAI chat completions', () => {
  it('streams role, reasoning, content, tool calls, finish reason, usage and [DONE]', async () => {
    const server = await start({ chunkSize: 4 })
    const prompt = 'MEOW: usage 100 20 30 40;; think Let me see;; text Hello;; bash ls &&& edit f|a|b'
    const events = await stream(server, 'openai', openaiBody(prompt))
    expect(events.at(-1)?.data).toBe('[DONE]')
    const deltas = events.map(({ data }) => at(data, 'choices.0.delta'))
    expect(deltas[0]).toEqual({ role: 'assistant', content: '' })
    expect(deltas.map((delta) => at(delta, 'reasoning_content') ?? '').join('')).toBe('Let me see')
    expect(deltas.map((delta) => at(delta, 'content') ?? '').join('')).toBe('Hello')
    const calls = deltas.flatMap((delta) => at(delta, 'tool_calls') ?? [])
    const named = calls.filter((call) => at(call, 'function.name') !== undefined)
    expect(named.map((call) => [at(call, 'index'), at(call, 'function.name')])).toEqual([
      [0, 'bash'],
      [1, 'edit'],
    ])
    expect(new Set(named.map((call) => at(call, 'id'))).size).toBe(2)
    const input = (index: number): unknown =>
      JSON.parse(
        calls.map((call) => (at(call, 'index') === index ? at(call, 'function.arguments') : '')).join(''),
      )
    expect(input(0)).toEqual({ command: 'ls' })
    expect(input(1)).toEqual({ path: 'f', edits: [{ oldText: 'a', newText: 'b' }] })
    expect(at(events.at(-3)?.data, 'choices.0.finish_reason')).toBe('tool_calls')
    expect(at(events.at(-2)?.data, 'choices')).toEqual([])
    expect(at(events.at(-2)?.data, 'usage')).toEqual({
      prompt_tokens: 170,
      completion_tokens: 20,
      total_tokens: 190,
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 3 },
    })
  })

  it('sends no usage chunk unless asked, and answers without a stream', async () => {
    const server = await start()
    const bare = await stream(server, 'openai', openaiBody('hi', { stream_options: undefined }))
    expect(bare.some(({ data }) => at(data, 'usage') !== undefined)).toBe(false)
    const body = openaiBody('MEOW: text b;; bash ls', { stream: false })
    const answer = await (await post(server, '/v1/chat/completions', body)).json()
    expect(answer).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: 'b',
            tool_calls: [{ function: { name: 'bash', arguments: '{"command":"ls"}' } }],
          },
        },
      ],
    })
  })
})

describe('gates', () => {
  const GATED = 'MEOW: text before;; gate g1;; text after'

  it.each(['anthropic', 'openai'] as const)('sends no later chunk before the release (%s)', async (wire) => {
    const server = await start()
    const path = wire === 'anthropic' ? '/v1/messages' : '/v1/chat/completions'
    const body = wire === 'anthropic' ? anthropicBody(GATED) : openaiBody(GATED)
    const reader = new SseReader(await post(server, path, body))
    await reader.until((events) => JSON.stringify(events).includes('before'))
    await server.gate('g1').reached
    // A second, ungated answer takes longer than a chunk would need to arrive.
    await stream(server, 'anthropic', anthropicBody('hi'))
    expect(JSON.stringify(reader.events)).not.toContain('after')
    expect(server.requests[0]?.response).toMatchObject({ text: 'before', finished: null })
    expect(server.gate('g1').release()).toBe(1)
    await reader.ended
    expect(JSON.stringify(reader.events)).toContain('after')
    expect(server.requests[0]?.response).toMatchObject({ text: 'beforeafter', finished: 'completed' })
  })

  it('continues the same content block after a gate', async () => {
    const server = await start()
    server.gate('g1').release()
    const events = await stream(server, 'anthropic', anthropicBody(GATED))
    expect(events.filter(({ event }) => event === 'content_block_start')).toHaveLength(1)
    const broken = await stream(server, 'anthropic', anthropicBody('MEOW: text a;; break;; text b'))
    expect(broken.filter(({ event }) => event === 'content_block_start')).toHaveLength(2)
  })

  it('is seen and released over HTTP by another process', async () => {
    const server = await start()
    const reading = post(server, '/v1/messages', anthropicBody('MEOW: gate first;; text x'))
    const reached = await fetch(`${server.url}/_control/gates/first?timeout_ms=5000`)
    expect([reached.status, await reached.json()]).toEqual([
      200,
      { name: 'first', waiting: 1, arrivals: 1, permits: 0 },
    ])
    expect(await (await fetch(`${server.url}/_control/gates`)).json()).toMatchObject({
      gates: [{ name: 'first', waiting: 1 }],
    })
    const released = await fetch(`${server.url}/_control/gates/first/release`, { method: 'POST' })
    expect(await released.json()).toEqual({ name: 'first', released: 1 })
    const reader = new SseReader(await reading)
    await reader.ended
    expect(textOf(reader.events)).toBe('x')
    const never = await fetch(`${server.url}/_control/gates/other?timeout_ms=10`)
    expect(never.status).toBe(408)
  })

  it('lets a held answer end when the server closes', async () => {
    const server = await start()
    const reader = new SseReader(await post(server, '/v1/messages', anthropicBody(GATED)))
    await server.gate('g1').reached
    const waiting = server.waitForRequest(() => false)
    waiting.catch(() => {})
    await server.close()
    await expect(reader.ended).rejects.toThrow()
    await expect(waiting).rejects.toMatchObject({ code: 'closed' })
    expect(server.requests[0]?.response.finished).toBe('server_closed')
  })
})

describe('interrupts', () => {
  it.each([
    ['in a gate', 'MEOW: text partial ;; gate hold;; text more'],
    ['between slow chunks', 'MEOW: text partial ;; slow 60000;; text more'],
  ])('logs a client that leaves %s at once', async (_name, prompt) => {
    const server = await start()
    const controller = new AbortController()
    const response = await post(server, '/v1/messages', anthropicBody(prompt), { signal: controller.signal })
    const reader = new SseReader(response)
    await reader.until((events) => textOf(events) === 'partial ')
    const [request] = server.requests
    expect(request?.response.finished).toBeNull()
    controller.abort()
    await request?.ended
    expect(request?.response).toMatchObject({ finished: 'client_closed', text: 'partial ', usage: null })
    expect(server.gate('hold').status().waiting).toBe(0)
  })
})

describe('errors', () => {
  it.each([
    [400, 'invalid_request_error', 'invalid_request_error'],
    [401, 'authentication_error', 'invalid_request_error'],
    [429, 'rate_limit_error', 'requests'],
    [500, 'api_error', 'server_error'],
    [529, 'overloaded_error', 'server_error'],
  ])('fails with %i in the format of each wire', async (status, anthropicType, openaiType) => {
    const server = await start()
    const prompt = `MEOW: error ${status} no luck`
    const anthropic = await post(server, '/v1/messages', anthropicBody(prompt))
    const openai = await post(server, '/v1/chat/completions', openaiBody(prompt))
    expect([anthropic.status, openai.status]).toEqual([status, status])
    expect(anthropic.headers.get('retry-after')).toBe(status === 429 ? '1' : null)
    expect(await anthropic.json()).toMatchObject({
      type: 'error',
      error: { type: anthropicType, message: 'no luck' },
    })
    expect(await openai.json()).toMatchObject({ error: { type: openaiType, message: 'no luck' } })
    expect(server.requests[0]?.response).toMatchObject({ status, finished: 'error', chunksSent: 0 })
  })

  it('fails N times, then succeeds, and starts over for the next one', async () => {
    const server = await start()
    const body = anthropicBody('MEOW: error 429 x2 after 7;; text fine', { stream: false })
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) {
      const response = await post(server, '/v1/messages', body)
      statuses.push(response.status)
      if (response.status === 429) expect(response.headers.get('retry-after')).toBe('7')
    }
    expect(statuses).toEqual([429, 429, 200, 429, 429, 200])
  })

  it('fails inside the stream once it has begun', async () => {
    const server = await start()
    const prompt = 'MEOW: text part;; error 529'
    const events = await stream(server, 'anthropic', anthropicBody(prompt))
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { error: { type: 'overloaded_error' } } })
    const chat = await stream(server, 'openai', openaiBody(prompt))
    expect(at(chat.at(-1)?.data, 'error.type')).toBe('server_error')
    expect(server.requests.map(({ response }) => [response.status, response.finished])).toEqual([
      [200, 'error'],
      [200, 'error'],
    ])
  })

  it('cuts the connection after what was sent', async () => {
    const server = await start()
    const reader = new SseReader(await post(server, '/v1/messages', anthropicBody('MEOW: text part;; cut')))
    await expect(reader.ended).rejects.toThrow()
    expect(textOf(reader.events)).toBe('part')
    await expect(post(server, '/v1/messages', anthropicBody('MEOW: cut'))).rejects.toThrow()
    expect(server.requests.map(({ response }) => response.finished)).toEqual(['cut', 'cut'])
    const once = anthropicBody('MEOW: cut x1;; text whole')
    await expect(post(server, '/v1/messages', once)).rejects.toThrow()
    expect(textOf(await stream(server, 'anthropic', once))).toBe('whole')
  })

  it('says that a port is taken', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const port = Number(at(other.address(), 'port'))
    const failure = await startModelServer({ port }).catch((error: unknown) => error)
    other.close()
    expect(failure).toBeInstanceOf(ModelServerError)
    expect(failure).toMatchObject({ code: 'port_in_use', detail: expect.stringContaining(String(port)) })
  })

  it('answers an unknown path with 404 and remembers it', async () => {
    const server = await start()
    expect((await post(server, '/v1/embeddings', {})).status).toBe(404)
    expect(server.unmatched).toMatchObject([{ method: 'POST', path: '/v1/embeddings' }])
  })

  it('keeps web pages out', async () => {
    const server = await start()
    const headers = { origin: 'https://evil.example' }
    const page = await fetch(`${server.url}/_control/requests`, { headers })
    expect(page.status).toBe(403)
    expect((await fetch(`${server.url}/_control/requests`)).status).toBe(200)
  })
})
