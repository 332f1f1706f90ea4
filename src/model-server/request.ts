/**
 * A model request, said without any vendor's wire format.
 *
 * @module model-server/request
 */

import { createHash } from 'node:crypto'
import type { JsonObject } from './json.js'

/** An image that the client sent. */
export interface RequestImage {
  mediaType: string
  /** Size of the decoded image. */
  bytes: number
  sha256: string
  /** base64, or the address when the client sent an address only. */
  data: string
}

/** One result that the client sends for an earlier tool call. */
export interface ToolResult {
  callId: string
  text: string
  isError: boolean
}

/** The conversation as one flat list, in the order in which the client sends it. */
export type ConversationItem =
  /** Text that a person (or the program in a person's place) wrote. */
  | { type: 'user'; text: string }
  /** Text that the vendor added beside it: reminders, markers, command output. */
  | { type: 'note'; text: string }
  | { type: 'assistant'; text: string; toolCalls: number }
  | ({ type: 'tool_result' } & ToolResult)

/** A tool that the request offers to the model. */
export interface OfferedTool {
  name: string
  description: string
  /** JSON schema of its arguments. */
  schema: JsonObject
  /** The tool takes plain text, which stands under `input` here. */
  freeform?: true
}

/** A parsed request. */
export interface ModelRequest {
  model: string
  stream: boolean
  system: string
  items: ConversationItem[]
  tools: OfferedTool[]
  images: RequestImage[]
  /** JSON schema that the answer must follow, if the client asked for structured output. */
  outputSchema: JsonObject | null
  /** The client switched reasoning on. */
  reasoning: boolean
  maxTokens: number | null
  /** Anything stable that names the client's session, for telling two alike conversations apart. */
  sessionKey: string
  /** The parsed body as it came. */
  raw: unknown
}

/** Describes a base64 image. */
export function imageFromBase64(mediaType: string, data: string): RequestImage {
  const bytes = Buffer.from(data, 'base64')
  return { mediaType, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), data }
}

/** Describes an image given as a `data:` address or as any other address. */
export function imageFromUrl(url: string): RequestImage {
  const match = /^data:([^;,]+);base64,(.*)$/s.exec(url)
  if (match?.[1] !== undefined && match[2] !== undefined) return imageFromBase64(match[1], match[2])
  return {
    mediaType: 'text/uri-list',
    bytes: 0,
    sha256: createHash('sha256').update('').digest('hex'),
    data: url,
  }
}
