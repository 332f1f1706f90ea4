/**
 * The contract of a wire: one vendor API that the server speaks. Adding an API means adding one file
 * that implements {@link Wire} and naming it in `wires.ts`.
 *
 * @module model-server/wire
 */

import { stringAt } from './json.js'
import type { ErrorPart, StopReason, Usage } from './reply.js'
import type { ModelRequest } from './request.js'

/** What a path of the wire is for. */
export type WireOperation = 'generate' | 'count_tokens'

/** What is known when an answer begins. */
export interface AnswerHead {
  id: string
  model: string
  createdMs: number
  usage: Usage
  request: ModelRequest
}

/** A tool call fitted to the offered tools. */
export interface ToolCall {
  id: string
  name: string
  input: Record<string, unknown>
  /** The tool takes plain text: `input` has it as its one member, `input`. */
  freeform?: true
}

/** A call's arguments as the API sends them: JSON, or the plain text of a freeform tool. */
export function argumentText(call: ToolCall): string {
  return call.freeform ? stringAt(call.input, 'input') : JSON.stringify(call.input)
}

/** A finished content block, for answers that are not streamed. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool'; call: ToolCall }

/** Turns parts into stream bytes. Every method returns what to send now; an empty text is fine. */
export interface StreamEncoder {
  open(): string
  begin(block: ContentBlock): string
  /** A piece of the open block: text, reasoning, or the arguments' JSON. */
  delta(piece: string): string
  end(): string
  /** An error after the stream has begun; ends the stream. */
  error(error: ErrorPart): string
  close(stop: StopReason): string
}

/** One vendor API. */
export interface Wire {
  readonly id: string
  /** Prefix of message ids and of tool call ids. */
  readonly idPrefix: { message: string; toolCall: string }
  /** The API sends a thought in one piece, however the text is cut. */
  readonly wholeThoughts?: true
  /** What a POST to this path asks for; null if the path is not of this wire. */
  operation(path: string): WireOperation | null
  /** Reads a body; throws {@link BadRequest}. */
  parse(body: unknown, path: string): ModelRequest
  stream(head: AnswerHead): StreamEncoder
  json(head: AnswerHead, blocks: ContentBlock[], stop: StopReason): unknown
  errorBody(error: ErrorPart, requestId: string): unknown
  tokenCount(tokens: number): unknown
}

/** The client sent a request that the API would refuse with status 400. */
export class BadRequest extends Error {}
