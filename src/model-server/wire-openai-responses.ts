/**
 * OpenAI Responses: `POST /v1/responses`, as server-sent events or as one JSON body.
 *
 * @module model-server/wire-openai-responses
 */

import { z } from 'zod'
import { readNoteText, readUserText } from './conversation.js'
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from './json.js'
import { errorBody, outputItem, ResponsesStream, responseObject } from './openai-responses-stream.js'
import {
  type ConversationItem,
  imageFromUrl,
  type ModelRequest,
  type OfferedTool,
  type RequestImage,
} from './request.js'
import { argumentText, BadRequest, type Wire } from './wire.js'

const Body = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.looseObject({ type: z.string().optional() })).min(1)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
})

const CALLS = ['function_call', 'custom_tool_call', 'local_shell_call']
const OUTPUTS = ['function_call_output', 'custom_tool_call_output', 'local_shell_call_output']

/** What a tool that takes plain text is described with, so that it can be fitted like any other. */
const FREEFORM_SCHEMA = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => stringAt(part, 'text'))
    .filter((text) => text !== '')
    .join('\n')
}

function readImages(parts: readonly unknown[], images: RequestImage[]): void {
  for (const part of parts) {
    if (stringAt(part, 'type') === 'input_image') images.push(imageFromUrl(stringAt(part, 'image_url')))
  }
}

function readMessage(item: JsonObject, items: ConversationItem[], images: RequestImage[]): void {
  const role = stringAt(item, 'role')
  if (role === 'assistant') items.push({ type: 'assistant', text: textOf(item.content), toolCalls: 0 })
  else if (role === 'user') {
    const parts = arrayAt(item, 'content')
    readImages(parts, images)
    const texts =
      typeof item.content === 'string' ? [item.content] : parts.map((part) => stringAt(part, 'text'))
    for (const text of texts) items.push(...readUserText(text))
  } else if (role === 'developer' || role === 'system') items.push(readNoteText(textOf(item.content)))
  else throw new BadRequest(`Invalid value: '${role}' for input[].role`)
}

/** Codex sends a command's output in a JSON string with its exit code. */
function readOutput(item: JsonObject, images: RequestImage[]): ConversationItem {
  readImages(arrayAt(item, 'output'), images)
  return {
    type: 'tool_result',
    callId: stringAt(item, 'call_id'),
    text: textOf(item.output),
    isError: stringAt(item, 'status') === 'failed',
  }
}

/** Flattens the offered tools: a namespace's tools are called by their own names within it. */
function readTools(tools: readonly unknown[]): OfferedTool[] {
  return tools.flatMap((tool): OfferedTool[] => {
    const type = stringAt(tool, 'type')
    if (type === 'namespace') return readTools(arrayAt(tool, 'tools'))
    const named = { name: stringAt(tool, 'name'), description: stringAt(tool, 'description') }
    if (type === 'function') return [{ ...named, schema: objectAt(tool, 'parameters') }]
    return type === 'custom' ? [{ ...named, schema: FREEFORM_SCHEMA, freeform: true }] : []
  })
}

function parse(body: unknown): ModelRequest {
  const parsed = Body.safeParse(body)
  if (!parsed.success) throw new BadRequest(z.prettifyError(parsed.error))
  const data = parsed.data
  const items: ConversationItem[] = []
  const images: RequestImage[] = []
  const tools = readTools(data.tools ?? [])
  if (typeof data.input === 'string') items.push(...readUserText(data.input))
  else {
    for (const item of data.input) {
      const type = item.type ?? 'message'
      if (type === 'message') readMessage(item, items, images)
      else if (CALLS.includes(type)) items.push({ type: 'assistant', text: '', toolCalls: 1 })
      else if (OUTPUTS.includes(type)) items.push(readOutput(item, images))
      else if (type === 'additional_tools') tools.push(...readTools(arrayAt(item, 'tools')))
    }
  }
  const schema = objectAt(objectAt(data.text, 'format'), 'schema')
  const limit = data.max_output_tokens
  return {
    model: data.model,
    stream: data.stream === true,
    system: data.instructions ?? '',
    items,
    images,
    tools,
    outputSchema: Object.keys(schema).length > 0 ? schema : null,
    reasoning: isObject(data.reasoning) && stringAt(data.reasoning, 'effort') !== 'none',
    maxTokens: typeof limit === 'number' ? limit : null,
    sessionKey: stringAt(data, 'prompt_cache_key'),
    raw: body,
  }
}

/** The OpenAI Responses API. */
export const openaiResponsesWire: Wire = {
  id: 'openai-responses',
  idPrefix: { message: 'resp_', toolCall: 'call_' },
  operation: (path) => (path === '/v1/responses' ? 'generate' : null),
  parse,
  stream: (head) => new ResponsesStream(head),
  json: (head, blocks, stop) => {
    const output = blocks.map((block, index) => {
      const text = block.type === 'tool' ? argumentText(block.call) : block.text
      return outputItem(block, head.id, index, text)
    })
    return responseObject(head, output, stop)
  },
  errorBody,
  tokenCount: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
}
