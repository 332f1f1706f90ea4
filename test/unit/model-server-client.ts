/**
 * A small client of the scripted model server: real HTTP, parsed server-sent events.
 *
 * @module test/unit/model-server-client
 */

import type { ModelServer } from '../../src/model-server/index.js'

export type Json = Record<string, unknown>

export interface SseEvent {
  event: string | null
  data: Json | '[DONE]'
}

/** Reads a stream event by event; `events` grows as they arrive. */
export class SseReader {
  readonly events: SseEvent[] = []
  readonly ended: Promise<void>
  private readonly watchers = new Set<() => void>()

  constructor(response: Response) {
    this.ended = this.read(response)
    this.ended.catch(() => {})
  }

  /** Resolves when the predicate holds; rejects when the stream ends before. */
  async until(predicate: (events: SseEvent[]) => boolean): Promise<void> {
    const ended = this.ended.then(() => 'ended' as const)
    while (!predicate(this.events)) {
      const next = new Promise<'more'>((resolve) => this.watchers.add(() => resolve('more')))
      if ((await Promise.race([next, ended])) === 'ended' && !predicate(this.events)) {
        throw new Error('the stream ended before')
      }
    }
  }

  private async read(response: Response): Promise<void> {
    const decoder = new TextDecoder()
    let rest = ''
    if (response.body === null) return
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      rest += decoder.decode(bytes, { stream: true })
      for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
        this.events.push(parseEvent(rest.slice(0, end)))
        rest = rest.slice(end + 2)
      }
      for (const watcher of [...this.watchers]) watcher()
      this.watchers.clear()
    }
    if (rest !== '') throw new Error(`half an event: ${rest}`)
  }
}

function parseEvent(text: string): SseEvent {
  const event = /^event: (.*)$/m.exec(text)?.[1] ?? null
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? ''
  return { event, data: data === '[DONE]' ? data : (JSON.parse(data) as Json) }
}

/** Tools as Claude Code offers them. */
export const ANTHROPIC_TOOLS = [
  tool('Bash', { command: 'The command', description: 'What it does' }, ['command']),
  tool('Read', { file_path: 'The absolute path to the file to read' }, ['file_path']),
  tool('Write', { file_path: 'The absolute path to the file', content: 'The content' }, [
    'file_path',
    'content',
  ]),
  tool('Edit', { file_path: 'The absolute path to the file', old_string: 'Old', new_string: 'New' }, [
    'file_path',
    'old_string',
    'new_string',
  ]),
]

function tool(name: string, properties: Record<string, string>, required: string[]): Json {
  const described = Object.entries(properties).map(([key, description]) => [
    key,
    { type: 'string', description },
  ])
  return {
    name,
    description: name,
    input_schema: { type: 'object', properties: Object.fromEntries(described), required },
  }
}

/** Tools as Pi offers them. */
export const OPENAI_TOOLS = [
  chatTool('bash', { command: { type: 'string' }, timeout: { type: 'number' } }, ['command']),
  chatTool('read', { path: { type: 'string', description: 'Path (relative or absolute)' } }, ['path']),
  chatTool(
    'write',
    { path: { type: 'string', description: 'Path (relative or absolute)' }, content: { type: 'string' } },
    ['path', 'content'],
  ),
  chatTool(
    'edit',
    {
      path: { type: 'string' },
      edits: {
        type: 'array',
        items: {
          type: 'object',
          properties: { oldText: { type: 'string' }, newText: { type: 'string' } },
          required: ['oldText', 'newText'],
        },
      },
    },
    ['path', 'edits'],
  ),
]

function chatTool(name: string, properties: Json, required: string[]): Json {
  return { type: 'function', function: { name, parameters: { type: 'object', properties, required } } }
}

const PATHS = { anthropic: '/v1/messages?beta=true', openai: '/v1/chat/completions' }

/** Posts a body as it is. */
export function post(
  server: ModelServer,
  path: string,
  body: unknown,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'sk-secret' },
    body: JSON.stringify(body),
    ...init,
  })
}

/** An Anthropic request with one prompt, or with whole messages. */
export function anthropicBody(prompt: string | unknown[], more: Json = {}): Json {
  const messages = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt
  return { model: 'claude-x', max_tokens: 1000, stream: true, tools: ANTHROPIC_TOOLS, messages, ...more }
}

/** An OpenAI request with one prompt, or with whole messages. */
export function openaiBody(prompt: string | unknown[], more: Json = {}): Json {
  const messages = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt
  const stream_options = { include_usage: true }
  return { model: 'gpt-x', stream: true, stream_options, tools: OPENAI_TOOLS, messages, ...more }
}

/** Sends a body on a wire and reads the stream to its end. */
export async function stream(server: ModelServer, wire: keyof typeof PATHS, body: Json): Promise<SseEvent[]> {
  const reader = new SseReader(await post(server, PATHS[wire], body))
  await reader.ended
  return reader.events
}

/** A member by its path, `a.0.b`. */
export function at(value: unknown, path: string): unknown {
  let found = value
  for (const key of path.split('.')) {
    found = typeof found === 'object' && found !== null ? (found as Json)[key] : undefined
  }
  return found
}

/** The text of an Anthropic stream. */
export function textOf(events: SseEvent[]): string {
  return events.map((event) => at(event.data, 'delta.text') ?? '').join('')
}

/** What an agent loop did. */
export interface Loop {
  calls: { name: string; input: unknown }[]
  texts: string[]
}

/** Plays a coding agent on the Anthropic wire: answers every tool call until the model stops. */
export async function agentLoop(server: ModelServer, prompt: string, more: Json = {}): Promise<Loop> {
  const messages: unknown[] = [{ role: 'user', content: prompt }]
  const loop: Loop = { calls: [], texts: [] }
  for (let turn = 0; turn < 100; turn += 1) {
    const response = await post(server, PATHS.anthropic, anthropicBody(messages, { stream: false, ...more }))
    const answer = (await response.json()) as { content: Json[]; stop_reason: string }
    messages.push({ role: 'assistant', content: answer.content })
    for (const block of answer.content) if (typeof block.text === 'string') loop.texts.push(block.text)
    const calls = answer.content.filter((block) => block.type === 'tool_use')
    if (answer.stop_reason !== 'tool_use') return loop
    for (const call of calls) loop.calls.push({ name: String(call.name), input: call.input })
    const results = calls.map((call) => ({
      type: 'tool_result',
      tool_use_id: call.id,
      content: `result of ${String(call.name)}`,
    }))
    messages.push({ role: 'user', content: results })
  }
  throw new Error('the loop did not end')
}
