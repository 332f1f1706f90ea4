/**
 * What the model answers, said without any vendor's wire format. Scenarios, directives and the demo
 * persona all produce a {@link Reply}; a wire turns it into its own events.
 *
 * The zod schemas are the one source: script files are validated with them, the types come from them.
 *
 * @module model-server/reply
 */

import { z } from 'zod'

/** Token counts. `input` does not contain the cached tokens; `output` contains the reasoning tokens. */
export const Usage = z.strictObject({
  input: z.int().nonnegative(),
  output: z.int().nonnegative(),
  cacheRead: z.int().nonnegative(),
  cacheWrite: z.int().nonnegative(),
  reasoning: z.int().nonnegative(),
})
/** Token counts of one response. */
export type Usage = z.infer<typeof Usage>

const Id = z.string().min(1).optional()

/** A tool call by what it should do; the names and arguments come from the tools that a request offers. */
export const ToolIntent = z.discriminatedUnion('tool', [
  z.strictObject({ tool: z.literal('shell'), command: z.string(), id: Id }),
  z.strictObject({ tool: z.literal('read'), path: z.string(), id: Id }),
  z.strictObject({ tool: z.literal('write'), path: z.string(), content: z.string(), id: Id }),
  z.strictObject({ tool: z.literal('edit'), path: z.string(), old: z.string(), new: z.string(), id: Id }),
  /** Exactly this tool with exactly this input, offered or not. */
  z.strictObject({
    tool: z.literal('named'),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    id: Id,
  }),
])
/** A tool call before it is fitted to the offered tools. */
export type ToolIntent = z.infer<typeof ToolIntent>

/** An error as the HTTP answer (before the first content) or inside the stream (after it). */
export const ErrorPart = z.strictObject({
  type: z.literal('error'),
  status: z.int().min(400).max(599),
  errorType: z.string().optional(),
  message: z.string().optional(),
  /** Sent as `retry-after`; a 429 without it says 1. */
  retryAfterSeconds: z.number().nonnegative().optional(),
})
/** See the schema of the same name. */
export type ErrorPart = z.infer<typeof ErrorPart>

/** One part of an answer, in the order in which it is sent. */
export const ReplyPart = z.discriminatedUnion('type', [
  /** Consecutive texts continue the same block. `chunks` fixes how the text is cut for the stream. */
  z.strictObject({ type: z.literal('text'), text: z.string(), chunks: z.array(z.string()).optional() }),
  z.strictObject({ type: z.literal('reasoning'), text: z.string() }),
  z.strictObject({ type: z.literal('tool'), call: ToolIntent }),
  /** Ends the open content block, so that a following text begins a new one. */
  z.strictObject({ type: z.literal('break') }),
  /** Nothing more is sent until the gate is released. */
  z.strictObject({ type: z.literal('gate'), name: z.string().min(1) }),
  /** Changes the timing and size of the chunks that follow; `chunkSize` 0 means word by word. */
  z.strictObject({
    type: z.literal('pace'),
    delayMs: z.number().nonnegative().max(600_000).optional(),
    chunkSize: z.int().nonnegative().optional(),
  }),
  /** Destroys the connection here. */
  z.strictObject({ type: z.literal('cut') }),
  ErrorPart,
])
/** See the schema of the same name. */
export type ReplyPart = z.infer<typeof ReplyPart>

/** Why the model stopped; `tool` follows by itself from a tool call. */
export const StopReason = z.enum(['end', 'tool', 'length', 'refusal'])
/** See the schema of the same name. */
export type StopReason = z.infer<typeof StopReason>

/** One answer. */
export const Reply = z.strictObject({
  parts: z.array(ReplyPart),
  usage: Usage.partial().optional(),
  stop: StopReason.optional(),
})
/** See the schema of the same name. */
export type Reply = z.infer<typeof Reply>

/** An answer that is one text. */
export function textReply(text: string): Reply {
  return { parts: [{ type: 'text', text }] }
}

/** An answer that is one HTTP error. */
export function errorReply(status: number, detail: Partial<Omit<ErrorPart, 'type' | 'status'>> = {}): Reply {
  return { parts: [{ type: 'error', status, ...detail }] }
}
