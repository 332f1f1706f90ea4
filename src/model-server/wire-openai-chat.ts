/**
 * OpenAI chat completions: `POST /v1/chat/completions`, with the `reasoning_content` deltas that
 * compatible servers send.
 *
 * @module model-server/wire-openai-chat
 */

import { z } from 'zod'
import { readNoteText, readUserText } from './conversation.js'
import { arrayAt, isObject, objectAt, stringAt } from './json.js'
import type { ErrorPart, StopReason, Usage } from './reply.js'
import { type ConversationItem, imageFromUrl, type ModelRequest, type RequestImage } from './request.js'
import { type AnswerHead, BadRequest, type ContentBlock, type StreamEncoder, type Wire } from './wire.js'

const Content = z.union([z.string(), z.null(), z.array(z.looseObject({ type: z.string() }))])
const Body = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: Content.optional() })).min(1),
  stream: z.boolean().optional(),
  tools: z.array(z.looseObject({ type: z.string() })).optional(),
})

const ERROR_TYPES: Record<number, [type: string, code: string | null]> = {
  400: ['invalid_request_error', null],
  401: ['invalid_request_error', 'invalid_api_key'],
  403: ['invalid_request_error', 'permission_denied'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
}
const FINISH_REASONS: Record<StopReason, string> = {
  end: 'stop',
  tool: 'tool_calls',
  length: 'length',
  refusal: 'content_filter',
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => stringAt(part, 'text'))
    .filter((text) => text !== '')
    .join('\n')
}

function readUserContent(content: unknown, items: ConversationItem[], images: RequestImage[]): void {
  if (typeof content === 'string') items.push(...readUserText(content))
  if (!Array.isArray(content)) return
  for (const part of content) {
    const type = stringAt(part, 'type')
    if (type === 'text') items.push(...readUserText(stringAt(part, 'text')))
    if (type === 'image_url') images.push(imageFromUrl(stringAt(objectAt(part, 'image_url'), 'url')))
  }
}

function parse(body: unknown): ModelRequest {
  const parsed = Body.safeParse(body)
  if (!parsed.success) throw new BadRequest(z.prettifyError(parsed.error))
  const data = parsed.data
  const system: string[] = []
  const items: ConversationItem[] = []
  const images: RequestImage[] = []
  for (const message of data.messages) {
    const text = textOf(message.content)
    if (message.role === 'system' || message.role === 'developer') {
      if (items.length === 0) system.push(text)
      else items.push(readNoteText(text))
    } else if (message.role === 'user') readUserContent(message.content, items, images)
    else if (message.role === 'assistant') {
      items.push({ type: 'assistant', text, toolCalls: arrayAt(message, 'tool_calls').length })
    } else if (message.role === 'tool') {
      items.push({ type: 'tool_result', callId: stringAt(message, 'tool_call_id'), text, isError: false })
    } else throw new BadRequest(`Invalid value: '${message.role}' for messages[].role`)
  }
  const schema = objectAt(objectAt(data.response_format, 'json_schema'), 'schema')
  const effort = stringAt(data, 'reasoning_effort', 'none')
  const maxTokens = data.max_completion_tokens ?? data.max_tokens
  return {
    model: data.model,
    stream: data.stream === true,
    system: system.join('\n\n'),
    items,
    images,
    tools: (data.tools ?? []).map((tool) => ({
      name: stringAt(objectAt(tool, 'function'), 'name'),
      description: stringAt(objectAt(tool, 'function'), 'description'),
      schema: objectAt(objectAt(tool, 'function'), 'parameters'),
    })),
    outputSchema: Object.keys(schema).length > 0 ? schema : null,
    reasoning: effort !== 'none' || data.enable_thinking === true || isObject(data.reasoning),
    maxTokens: typeof maxTokens === 'number' ? maxTokens : null,
    sessionKey: stringAt(data, 'prompt_cache_key', stringAt(data, 'user')),
    raw: body,
  }
}

function usageBody(usage: Usage): Record<string, unknown> {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}

class ChatStream implements StreamEncoder {
  private block: ContentBlock['type'] = 'text'
  private toolIndex = -1

  constructor(private readonly head: AnswerHead) {}

  open(): string {
    return this.chunk({ role: 'assistant', content: '' })
  }

  begin(block: ContentBlock): string {
    this.block = block.type
    if (block.type !== 'tool') return ''
    this.toolIndex += 1
    const call = { index: this.toolIndex, id: block.call.id, type: 'function' }
    return this.chunk({ tool_calls: [{ ...call, function: { name: block.call.name, arguments: '' } }] })
  }

  delta(piece: string): string {
    if (this.block === 'text') return this.chunk({ content: piece })
    if (this.block === 'reasoning') return this.chunk({ reasoning_content: piece })
    return this.chunk({ tool_calls: [{ index: this.toolIndex, function: { arguments: piece } }] })
  }

  end(): string {
    return ''
  }

  error(error: ErrorPart): string {
    return `data: ${JSON.stringify(errorBody(error))}\n\n`
  }

  close(stop: StopReason): string {
    const options = objectAt(this.head.request.raw, 'stream_options')
    const usage =
      options.include_usage === true ? this.event({ choices: [], usage: usageBody(this.head.usage) }) : ''
    return `${this.chunk({}, FINISH_REASONS[stop])}${usage}data: [DONE]\n\n`
  }

  private chunk(delta: Record<string, unknown>, finish: string | null = null): string {
    return this.event({ choices: [{ index: 0, delta, finish_reason: finish }] })
  }

  private event(rest: Record<string, unknown>): string {
    const created = Math.floor(this.head.createdMs / 1000)
    const base = { id: this.head.id, object: 'chat.completion.chunk', created, model: this.head.model }
    return `data: ${JSON.stringify({ ...base, ...rest })}\n\n`
  }
}

function errorBody(error: ErrorPart): unknown {
  const [type, code] = ERROR_TYPES[error.status] ?? ['server_error', null]
  const message = error.message ?? `Scripted error ${error.status}`
  return { error: { message, type: error.errorType ?? type, param: null, code } }
}

function joined(blocks: ContentBlock[], type: 'text' | 'reasoning'): string {
  return blocks.map((block) => (block.type === type ? block.text : '')).join('')
}

function message(blocks: ContentBlock[]): Record<string, unknown> {
  const text = joined(blocks, 'text')
  const reasoning = joined(blocks, 'reasoning')
  const calls = blocks.flatMap((block) => (block.type === 'tool' ? [block.call] : []))
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: JSON.stringify(call.input) },
          })),
        }),
  }
}

/** The OpenAI chat-completions API. */
export const openaiChatWire: Wire = {
  id: 'openai-chat',
  idPrefix: { message: 'chatcmpl-', toolCall: 'call_' },
  operation: (path) => (path === '/v1/chat/completions' ? 'generate' : null),
  parse,
  stream: (head) => new ChatStream(head),
  json: (head, blocks, stop) => ({
    id: head.id,
    object: 'chat.completion',
    created: Math.floor(head.createdMs / 1000),
    model: head.model,
    choices: [{ index: 0, message: message(blocks), finish_reason: FINISH_REASONS[stop] }],
    usage: usageBody(head.usage),
  }),
  errorBody,
  tokenCount: (tokens) => ({ total_tokens: tokens }),
}
