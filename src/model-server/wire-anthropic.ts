/**
 * Anthropic Messages: `POST /v1/messages`, `POST /v1/messages/count_tokens`.
 *
 * @module model-server/wire-anthropic
 */

import { z } from 'zod'
import { readNoteText, readUserText } from './conversation.js'
import { arrayAt, isObject, objectAt, stringAt } from './json.js'
import type { ErrorPart, StopReason, Usage } from './reply.js'
import {
  type ConversationItem,
  imageFromBase64,
  imageFromUrl,
  type ModelRequest,
  type RequestImage,
} from './request.js'
import { type AnswerHead, BadRequest, type ContentBlock, type StreamEncoder, type Wire } from './wire.js'

const Block = z.looseObject({ type: z.string() })
const Content = z.union([z.string(), z.array(Block)])
const Body = z.looseObject({
  model: z.string(),
  messages: z
    .array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: Content }))
    .min(1),
  system: Content.optional(),
  stream: z.boolean().optional(),
  max_tokens: z.number().optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
})

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}
const STOP_REASONS: Record<StopReason, string> = {
  end: 'end_turn',
  tool: 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
}

type Blocks = z.infer<typeof Content>

function blocksOf(content: Blocks): z.infer<typeof Block>[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((block) => stringAt(block, 'text'))
    .filter((text) => text !== '')
    .join('\n')
}

function readImage(block: unknown): RequestImage {
  const source = objectAt(block, 'source')
  if (stringAt(source, 'type') === 'url') return imageFromUrl(stringAt(source, 'url'))
  return imageFromBase64(stringAt(source, 'media_type'), stringAt(source, 'data'))
}

function readUserBlock(
  block: z.infer<typeof Block>,
  items: ConversationItem[],
  images: RequestImage[],
): void {
  if (block.type === 'text') items.push(...readUserText(stringAt(block, 'text')))
  else if (block.type === 'image') images.push(readImage(block))
  else if (block.type === 'tool_result') {
    for (const inner of arrayAt(block, 'content')) {
      if (stringAt(inner, 'type') === 'image') images.push(readImage(inner))
    }
    items.push({
      type: 'tool_result',
      callId: stringAt(block, 'tool_use_id'),
      text: textOf(block.content),
      isError: block.is_error === true,
    })
  }
}

function parse(body: unknown): ModelRequest {
  const parsed = Body.safeParse(body)
  if (!parsed.success) throw new BadRequest(z.prettifyError(parsed.error))
  const data = parsed.data
  const items: ConversationItem[] = []
  const images: RequestImage[] = []
  for (const message of data.messages) {
    if (message.role === 'system') items.push(readNoteText(textOf(message.content)))
    else if (message.role === 'user') {
      for (const block of blocksOf(message.content)) readUserBlock(block, items, images)
    } else {
      const toolCalls = blocksOf(message.content).filter((block) => block.type === 'tool_use').length
      items.push({ type: 'assistant', text: textOf(message.content), toolCalls })
    }
  }
  const format = objectAt(data.output_config, 'format')
  const schema = objectAt('schema' in format ? format : data.output_format, 'schema')
  const thinking = stringAt(data.thinking, 'type', 'disabled')
  return {
    model: data.model,
    stream: data.stream === true,
    system: textOf(data.system),
    items,
    images,
    tools: (data.tools ?? []).map((tool) => ({
      name: tool.name,
      description: stringAt(tool, 'description'),
      schema: objectAt(tool, 'input_schema'),
    })),
    outputSchema: Object.keys(schema).length > 0 ? schema : null,
    reasoning: thinking !== 'disabled',
    maxTokens: data.max_tokens ?? null,
    sessionKey: stringAt(data.metadata, 'user_id'),
    raw: body,
  }
}

function usageBody(usage: Usage, output = usage.output): Record<string, number> {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: output,
  }
}

/** A signature that clients keep and send back without reading it. */
function signature(id: string): string {
  return Buffer.from(`scripted:${id}`).toString('base64')
}

function event(data: { type: string } & Record<string, unknown>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

function emptyBlock(block: ContentBlock): Record<string, unknown> {
  if (block.type === 'text') return { type: 'text', text: '' }
  if (block.type === 'reasoning') return { type: 'thinking', thinking: '', signature: '' }
  return { type: 'tool_use', id: block.call.id, name: block.call.name, input: {} }
}

class AnthropicStream implements StreamEncoder {
  private index = -1
  private kind: ContentBlock['type'] = 'text'

  constructor(private readonly head: AnswerHead) {}

  open(): string {
    const message = {
      id: this.head.id,
      type: 'message',
      role: 'assistant',
      model: this.head.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usageBody(this.head.usage, Math.min(1, this.head.usage.output)),
    }
    return event({ type: 'message_start', message }) + event({ type: 'ping' })
  }

  begin(block: ContentBlock): string {
    this.index += 1
    this.kind = block.type
    return event({ type: 'content_block_start', index: this.index, content_block: emptyBlock(block) })
  }

  delta(piece: string): string {
    if (this.kind === 'text') return this.blockDelta({ type: 'text_delta', text: piece })
    if (this.kind === 'reasoning') return this.blockDelta({ type: 'thinking_delta', thinking: piece })
    return this.blockDelta({ type: 'input_json_delta', partial_json: piece })
  }

  end(): string {
    const stop = event({ type: 'content_block_stop', index: this.index })
    if (this.kind !== 'reasoning') return stop
    return this.blockDelta({ type: 'signature_delta', signature: signature(this.head.id) }) + stop
  }

  error(error: ErrorPart): string {
    const body = errorBody(error, this.head.id)
    return event({ type: 'error', error: isObject(body) ? body.error : body })
  }

  close(stop: StopReason): string {
    const delta = { stop_reason: STOP_REASONS[stop], stop_sequence: null }
    return (
      event({ type: 'message_delta', delta, usage: usageBody(this.head.usage) }) +
      event({ type: 'message_stop' })
    )
  }

  private blockDelta(delta: Record<string, unknown>): string {
    return event({ type: 'content_block_delta', index: this.index, delta })
  }
}

function errorBody(error: ErrorPart, requestId: string): unknown {
  const type = error.errorType ?? ERROR_TYPES[error.status] ?? 'api_error'
  const message = error.message ?? (error.status === 529 ? 'Overloaded' : `Scripted error ${error.status}`)
  return { type: 'error', error: { type, message }, request_id: requestId }
}

function finishedBlock(block: ContentBlock, id: string): Record<string, unknown> {
  if (block.type === 'text') return { type: 'text', text: block.text }
  if (block.type === 'reasoning') return { type: 'thinking', thinking: block.text, signature: signature(id) }
  return { type: 'tool_use', id: block.call.id, name: block.call.name, input: block.call.input }
}

/** The Anthropic Messages API. */
export const anthropicWire: Wire = {
  id: 'anthropic-messages',
  idPrefix: { message: 'msg_', toolCall: 'toolu_' },
  operation(path) {
    if (path === '/v1/messages') return 'generate'
    return path === '/v1/messages/count_tokens' ? 'count_tokens' : null
  },
  parse,
  stream: (head) => new AnthropicStream(head),
  json: (head, blocks, stop) => ({
    id: head.id,
    type: 'message',
    role: 'assistant',
    model: head.model,
    content: blocks.map((block) => finishedBlock(block, head.id)),
    stop_reason: STOP_REASONS[stop],
    stop_sequence: null,
    usage: usageBody(head.usage),
  }),
  errorBody,
  tokenCount: (tokens) => ({ input_tokens: tokens }),
}
