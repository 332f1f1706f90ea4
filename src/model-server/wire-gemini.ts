/**
 * Gemini API: `POST /v1beta/models/{model}:streamGenerateContent`, `:generateContent`, `:countTokens`.
 *
 * The stream is always sent as server-sent events, which is what clients ask for with `alt=sse`.
 *
 * @module model-server/wire-gemini
 */

import { z } from 'zod'
import { readUserText } from './conversation.js'
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from './json.js'
import type { ErrorPart, StopReason, Usage } from './reply.js'
import {
  type ConversationItem,
  imageFromBase64,
  type ModelRequest,
  type OfferedTool,
  type RequestImage,
} from './request.js'
import { type AnswerHead, BadRequest, type ContentBlock, type StreamEncoder, type Wire } from './wire.js'

const Content = z.looseObject({
  role: z.string().optional(),
  parts: z.array(z.looseObject({})).optional(),
})
const Body = z.looseObject({
  contents: z.array(Content).min(1),
  tools: z.array(z.looseObject({})).optional(),
})

const PATH = /^\/v1(?:beta|alpha)?\/models\/([^/:]+):(streamGenerateContent|generateContent|countTokens)$/

const ERROR_STATUS: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
  529: 'UNAVAILABLE',
}
const FINISH_REASONS: Record<StopReason, string> = {
  end: 'STOP',
  tool: 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
}

function partsText(content: unknown): string {
  return arrayAt(content, 'parts')
    .filter((part) => !(isObject(part) && part.thought === true))
    .map((part) => stringAt(part, 'text'))
    .filter((text) => text !== '')
    .join('\n')
}

/** A function's response: what it printed, its error, or all of it as JSON. */
function readResult(response: JsonObject): ConversationItem {
  const inner = objectAt(response, 'response')
  const error = inner.error
  const said = 'output' in inner ? inner.output : (error ?? inner)
  return {
    type: 'tool_result',
    callId: stringAt(response, 'id'),
    text: typeof said === 'string' ? said : JSON.stringify(said),
    isError: error !== undefined && error !== null,
  }
}

function readUser(content: z.infer<typeof Content>, items: ConversationItem[], images: RequestImage[]): void {
  for (const part of content.parts ?? []) {
    const data = objectAt(part, 'inlineData')
    if ('functionResponse' in part) items.push(readResult(objectAt(part, 'functionResponse')))
    else if ('data' in data) images.push(imageFromBase64(stringAt(data, 'mimeType'), stringAt(data, 'data')))
    else items.push(...readUserText(stringAt(part, 'text')))
  }
}

function readTools(tools: readonly unknown[]): OfferedTool[] {
  return tools
    .flatMap((tool) => arrayAt(tool, 'functionDeclarations'))
    .map((tool) => {
      const json = objectAt(tool, 'parametersJsonSchema')
      return {
        name: stringAt(tool, 'name'),
        description: stringAt(tool, 'description'),
        schema: Object.keys(json).length > 0 ? json : objectAt(tool, 'parameters'),
      }
    })
}

function parse(raw: unknown, path: string): ModelRequest {
  const [, model = '', method] = PATH.exec(path) ?? []
  // A count may wrap the request that it is about.
  const wrapped = objectAt(raw, 'generateContentRequest')
  const parsed = Body.safeParse('contents' in wrapped ? wrapped : raw)
  if (!parsed.success) throw new BadRequest(z.prettifyError(parsed.error))
  const data = parsed.data
  const items: ConversationItem[] = []
  const images: RequestImage[] = []
  for (const content of data.contents) {
    if (content.role === 'model') {
      const toolCalls = (content.parts ?? []).filter((part) => 'functionCall' in part).length
      items.push({ type: 'assistant', text: partsText(content), toolCalls })
    } else readUser(content, items, images)
  }
  const config = objectAt(data, 'generationConfig')
  const json = objectAt(config, 'responseJsonSchema')
  const schema = Object.keys(json).length > 0 ? json : objectAt(config, 'responseSchema')
  const system = data.systemInstruction
  return {
    model,
    stream: method === 'streamGenerateContent',
    system: typeof system === 'string' ? system : partsText(system),
    items,
    images,
    tools: readTools(data.tools ?? []),
    outputSchema: Object.keys(schema).length > 0 ? schema : null,
    reasoning: objectAt(config, 'thinkingConfig').includeThoughts === true,
    maxTokens: typeof config.maxOutputTokens === 'number' ? config.maxOutputTokens : null,
    sessionKey: '',
    raw,
  }
}

function usageBody(usage: Usage): JsonObject {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  return {
    promptTokenCount: prompt,
    cachedContentTokenCount: usage.cacheRead,
    candidatesTokenCount: Math.max(0, usage.output - usage.reasoning),
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: prompt + usage.output,
  }
}

function partOf(block: ContentBlock, text: string): JsonObject {
  if (block.type === 'text') return { text }
  if (block.type === 'reasoning') return { text, thought: true }
  const { id, name, input } = block.call
  // Clients send the signature back without reading it.
  return { functionCall: { id, name, args: input }, thoughtSignature: btoa(`scripted:${id}`) }
}

function answer(head: AnswerHead, parts: JsonObject[], stop: StopReason | null): JsonObject {
  const candidate = { content: { role: 'model', parts }, index: 0 }
  return {
    candidates: [stop === null ? candidate : { ...candidate, finishReason: FINISH_REASONS[stop] }],
    ...(stop === null ? {} : { usageMetadata: usageBody(head.usage) }),
    modelVersion: head.model,
    responseId: head.id,
  }
}

const data = (body: unknown): string => `data: ${JSON.stringify(body)}\n\n`

class GeminiStream implements StreamEncoder {
  private block: ContentBlock = { type: 'text', text: '' }

  constructor(private readonly head: AnswerHead) {}

  open(): string {
    return ''
  }

  /** The API sends a function call in one piece. */
  begin(block: ContentBlock): string {
    this.block = block
    return block.type === 'tool' ? data(answer(this.head, [partOf(block, '')], null)) : ''
  }

  delta(piece: string): string {
    return this.block.type === 'tool' ? '' : data(answer(this.head, [partOf(this.block, piece)], null))
  }

  end(): string {
    return ''
  }

  error(error: ErrorPart): string {
    return data(errorBody(error))
  }

  close(stop: StopReason): string {
    return data(answer(this.head, [{ text: '' }], stop))
  }
}

function errorBody(error: ErrorPart): unknown {
  const status = error.errorType ?? ERROR_STATUS[error.status] ?? 'INTERNAL'
  const message = error.message ?? `Scripted error ${error.status}`
  return { error: { code: error.status, message, status } }
}

/** The Gemini API. */
export const geminiWire: Wire = {
  id: 'gemini',
  idPrefix: { message: 'gemini-', toolCall: 'call_' },
  wholeThoughts: true,
  operation(path) {
    const method = PATH.exec(path)?.[2]
    if (method === undefined) return null
    return method === 'countTokens' ? 'count_tokens' : 'generate'
  },
  parse,
  stream: (head) => new GeminiStream(head),
  json: (head, blocks, stop) =>
    answer(
      head,
      blocks.map((block) => partOf(block, block.type === 'tool' ? '' : block.text)),
      stop,
    ),
  errorBody,
  tokenCount: (tokens) => ({ totalTokens: tokens }),
}
