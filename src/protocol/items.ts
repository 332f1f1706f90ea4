/** @module protocol/items - what a conversation is made of. */
import { z } from 'zod'

/** The canonical tools that vendor tool names map to (the adapter does the mapping). */
export const CanonicalTool = z.enum([
  'shell',
  'read',
  'edit',
  'write',
  'fetch',
  'search',
  'mcp',
  'agent',
  'plan',
  'question',
  'other',
])
export type CanonicalTool = z.infer<typeof CanonicalTool>

export const ItemKind = z.enum([
  'user_message',
  'assistant_message',
  'reasoning',
  'tool_call',
  'plan',
  'diff',
  'image',
  'compaction',
  'notice',
  'command',
  'panel',
])
export type ItemKind = z.infer<typeof ItemKind>

/** `running` until settled; the others are final. */
export const ToolStatus = z.enum(['running', 'completed', 'failed', 'denied', 'interrupted'])
export type ToolStatus = z.infer<typeof ToolStatus>

const textItem = <K extends string>(kind: K) => z.object({ kind: z.literal(kind), text: z.string() })

export const UserMessage = textItem('user_message').extend({
  /** Where the prompt came from: typed in the TUI, sent through the bridge, or not known. */
  origin: z.enum(['terminal', 'bridge', 'unknown']),
  /** The delivery that it answers, when it came through the bridge. */
  messageId: z.string().optional(),
  images: z.number().int().nonnegative().optional(),
})
export const AssistantMessage = textItem('assistant_message').extend({
  /** The turn was cut; the text is what had been written. */
  partial: z.boolean().optional(),
})
export const Reasoning = textItem('reasoning').extend({ partial: z.boolean().optional() })
export const ToolCall = z.object({
  kind: z.literal('tool_call'),
  /** The vendor's call id. */
  callId: z.string(),
  tool: CanonicalTool,
  /** The vendor's name of the tool. */
  name: z.string(),
  input: z.unknown(),
  status: ToolStatus,
  /** What the model was given as the result; absent while running. */
  output: z.string().optional(),
  durationMs: z.number().nonnegative().optional(),
})
export const Notice = textItem('notice').extend({ level: z.enum(['info', 'warning', 'error']) })
export const Command = textItem('command')
export const Compaction = textItem('compaction')

/** Kinds that later slices fill in keep their vocabulary here: `text` carries what there is to read. */
export const OtherItem = z.object({ kind: z.enum(['plan', 'diff', 'image', 'panel']), text: z.string() })

export const Item = z.discriminatedUnion('kind', [
  UserMessage,
  AssistantMessage,
  Reasoning,
  ToolCall,
  Notice,
  Command,
  Compaction,
  OtherItem,
])
export type Item = z.infer<typeof Item>
export type ToolCallItem = z.infer<typeof ToolCall>
