/** @module adapters/claude/records - shapes of hook posts, transcript records and the status file (2.1.197). */
import { z } from 'zod'

/** Common and own fields of the hooks that are observed; others pass. */
export const Hook = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string(),
  transcript_path: z.string().optional(),
  prompt_id: z.string().nullish(),
  agent_id: z.string().nullish(),
  prompt: z.string().optional(),
  permission_mode: z.string().nullish(),
  tool_name: z.string().optional(),
  tool_use_id: z.string().optional(),
  duration_ms: z.number().optional(),
  message_id: z.string().optional(),
  index: z.number().int().optional(),
  final: z.boolean().optional(),
  delta: z.string().optional(),
  reason: z.string().optional(),
  error: z.unknown().optional(),
})
export type Hook = z.infer<typeof Hook>

const ResultText = z.union([
  z.string(),
  z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
])

export const Block = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('thinking'), thinking: z.string() }),
  z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: ResultText.optional(),
    is_error: z.boolean().nullish(),
  }),
  z.looseObject({ type: z.literal('image') }),
])
export type Block = z.infer<typeof Block>

const ApiUsage = z.looseObject({
  input_tokens: z.number().int(),
  output_tokens: z.number().int(),
  cache_read_input_tokens: z.number().int().nullish(),
  cache_creation_input_tokens: z.number().int().nullish(),
})
export type ApiUsage = z.infer<typeof ApiUsage>

export const TranscriptRecord = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  uuid: z.string().optional(),
  timestamp: z.string().optional(),
  version: z.string().optional(),
  promptId: z.string().nullish(),
  isSidechain: z.boolean().optional(),
  isMeta: z.boolean().optional(),
  isCompactSummary: z.boolean().optional(),
  isApiErrorMessage: z.boolean().optional(),
  permissionMode: z.string().optional(),
  /** Copied from another session by a branch: told there. */
  forkedFrom: z.unknown().optional(),
  /** `typed`, or `queued` while a turn ran. */
  promptSource: z.string().optional(),
  /** A queue operation: `enqueue`, `dequeue`, `remove`, `popAll`. */
  operation: z.string().optional(),
  /** Of a queue operation or a system record. */
  content: z.unknown().optional(),
  level: z.string().optional(),
  attachment: z
    .looseObject({ type: z.string(), prompt: z.unknown().optional(), commandMode: z.string().optional() })
    .optional(),
  message: z
    .looseObject({
      id: z.string().optional(),
      role: z.string(),
      model: z.string().optional(),
      content: z.union([z.string(), z.array(z.unknown())]),
      usage: ApiUsage.optional(),
    })
    .optional(),
})
export type TranscriptRecord = z.infer<typeof TranscriptRecord>

export const Status = z.looseObject({
  sessionId: z.string().optional(),
  status: z.string(),
  waitingFor: z.string().nullish(),
  /** Start of the program, in ms since the epoch. */
  startedAt: z.number().optional(),
})
export type Status = z.infer<typeof Status>

/** The blocks that have a known shape; the others (new kinds, signatures) are passed over. */
export function knownBlocks(content: readonly unknown[]): Block[] {
  return content.flatMap((block) => Block.safeParse(block).data ?? [])
}

/** A tool result as the model was given it. */
export function resultText(content: z.infer<typeof ResultText> | undefined): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return content
  return content.map((part) => part.text ?? `[${part.type}]`).join('\n')
}
