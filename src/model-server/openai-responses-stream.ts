/**
 * What the OpenAI Responses API answers: the output items, the events of a stream, and the errors.
 *
 * @module model-server/openai-responses-stream
 */

import type { JsonObject } from './json.js'
import type { ErrorPart, StopReason, Usage } from './reply.js'
import type { AnswerHead, ContentBlock, StreamEncoder } from './wire.js'

const ERRORS: Record<number, [type: string, code: string | null]> = {
  400: ['invalid_request_error', null],
  401: ['invalid_request_error', 'invalid_api_key'],
  403: ['invalid_request_error', 'permission_denied'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['rate_limit_error', 'rate_limit_exceeded'],
  503: ['server_error', 'server_is_overloaded'],
  529: ['server_error', 'server_is_overloaded'],
}

/** Why an answer is incomplete; the API calls every other answer completed. */
const INCOMPLETE: Partial<Record<StopReason, string>> = {
  length: 'max_output_tokens',
  refusal: 'content_filter',
}

const messageOf = (error: ErrorPart): string => error.message ?? `Scripted error ${error.status}`

/** The body of an HTTP error. */
export function errorBody(error: ErrorPart): unknown {
  const [type, code] = ERRORS[error.status] ?? ['server_error', null]
  return { error: { message: messageOf(error), type: error.errorType ?? type, param: null, code } }
}

function usageBody(usage: Usage): JsonObject {
  const input = usage.input + usage.cacheRead + usage.cacheWrite
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + usage.output,
  }
}

/** The `response` object as it stands before or after the answer; `stop` is null before. */
export function responseObject(head: AnswerHead, output: JsonObject[], stop: StopReason | null): JsonObject {
  const reason = stop === null ? undefined : INCOMPLETE[stop]
  return {
    id: head.id,
    object: 'response',
    created_at: Math.floor(head.createdMs / 1000),
    status: stop === null ? 'in_progress' : reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    model: head.model,
    output,
    usage: stop === null ? null : usageBody(head.usage),
  }
}

const ITEM_PREFIX: Record<ContentBlock['type'], string> = { text: 'msg_', reasoning: 'rs_', tool: 'fc_' }

/** One content block as an output item; `text` replaces the block's own text or arguments. */
export function outputItem(block: ContentBlock, responseId: string, index: number, text: string): JsonObject {
  const id = `${ITEM_PREFIX[block.type]}${responseId.replace(/^resp_/, '')}${index}`
  if (block.type === 'text') {
    const content = text === '' ? [] : [{ type: 'output_text', text, annotations: [] }]
    return { id, type: 'message', role: 'assistant', content }
  }
  if (block.type === 'reasoning') {
    const summary = text === '' ? [] : [{ type: 'summary_text', text }]
    // Clients send the encrypted reasoning back without reading it.
    return { id, type: 'reasoning', summary, encrypted_content: btoa(`scripted:${id}`) }
  }
  const call = { id, call_id: block.call.id, name: block.call.name }
  if (block.call.freeform) return { ...call, type: 'custom_tool_call', input: text }
  return { ...call, type: 'function_call', arguments: text }
}

/** Event names of a block's pieces. */
function eventOf(block: ContentBlock): string {
  if (block.type === 'text') return 'response.output_text'
  if (block.type === 'reasoning') return 'response.reasoning_summary_text'
  return block.call.freeform ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
}

/** The events of one streamed answer. */
export class ResponsesStream implements StreamEncoder {
  private readonly output: JsonObject[] = []
  private block: ContentBlock = { type: 'text', text: '' }
  private text = ''
  private sequence = 0

  constructor(private readonly head: AnswerHead) {}

  open(): string {
    const response = responseObject(this.head, [], null)
    return this.event('response.created', { response }) + this.event('response.in_progress', { response })
  }

  begin(block: ContentBlock): string {
    this.block = block
    this.text = ''
    const item = { ...this.item(), status: 'in_progress' }
    return this.event('response.output_item.added', { ...this.place(), item }) + this.part('added')
  }

  delta(piece: string): string {
    this.text += piece
    return this.event(`${eventOf(this.block)}.delta`, { ...this.where(), delta: piece })
  }

  end(): string {
    const item = { ...this.item(), status: 'completed' }
    const key = this.block.type === 'tool' ? (this.block.call.freeform ? 'input' : 'arguments') : 'text'
    const done =
      this.event(`${eventOf(this.block)}.done`, { ...this.where(), [key]: this.text }) +
      this.part('done') +
      this.event('response.output_item.done', { ...this.place(), item })
    this.output.push(item)
    return done
  }

  error(error: ErrorPart): string {
    const [, code] = ERRORS[error.status] ?? ['server_error', null]
    const response = {
      ...responseObject(this.head, this.output, null),
      status: 'failed',
      error: { code: error.errorType ?? code ?? 'server_error', message: messageOf(error) },
    }
    return this.event('response.failed', { response })
  }

  close(stop: StopReason): string {
    const response = responseObject(this.head, this.output, stop)
    return this.event(`response.${String(response.status)}`, { response })
  }

  private item(): JsonObject {
    return outputItem(this.block, this.head.id, this.output.length, this.text)
  }

  private place(): JsonObject {
    return { output_index: this.output.length }
  }

  /** Where a piece belongs. */
  private where(): JsonObject {
    const inner = { text: { content_index: 0 }, reasoning: { summary_index: 0 }, tool: {} }[this.block.type]
    return { item_id: this.item().id, ...this.place(), ...inner }
  }

  /** Begin or end of the one part that a text or a summary has. */
  private part(what: 'added' | 'done'): string {
    const text = this.text
    if (this.block.type === 'text') {
      const part = { type: 'output_text', text, annotations: [] }
      return this.event(`response.content_part.${what}`, { ...this.where(), part })
    }
    if (this.block.type === 'tool') return ''
    const part = { type: 'summary_text', text }
    return this.event(`response.reasoning_summary_part.${what}`, { ...this.where(), part })
  }

  private event(type: string, data: JsonObject): string {
    const body = { type, sequence_number: this.sequence, ...data }
    this.sequence += 1
    return `event: ${type}\ndata: ${JSON.stringify(body)}\n\n`
  }
}
