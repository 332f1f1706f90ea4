/** @module protocol/commands - bodies and answers of the HTTP API. */
import { z } from 'zod'
import { DeliveryState } from './events.js'

/** Longest prompt, in UTF-16 units. */
export const MAX_PROMPT = 1_000_000

/** How a recording is made; all of it may be left out. */
export const RecordOptions = z.strictObject({
  /** Absolute path of a file that is not there yet, ending in `.cast`; the session's own folder when absent. */
  file: z.string().min(1).max(4096).optional(),
  /** Greatest size of the recording's files together; 100 MB unless told. */
  maxBytes: z.number().int().min(4096).max(1_000_000_000).optional(),
})
export type RecordOptions = z.infer<typeof RecordOptions>

/** Begins a recording of a session, or ends the one that runs. */
export const RecordCommand = z.discriminatedUnion('action', [
  RecordOptions.extend({ action: z.literal('start') }),
  z.strictObject({ action: z.literal('stop') }),
])
export type RecordCommand = z.infer<typeof RecordCommand>

export const CreateSession = z.strictObject({
  vendor: z.string().min(1),
  /** Absolute path of the folder the vendor works in. */
  cwd: z.string().min(1),
  name: z.string().max(120).optional(),
  model: z.string().min(1).optional(),
  /** Further arguments for the vendor's program, as given. */
  args: z.array(z.string()).max(200).default([]),
  /** The caller's environment for the vendor; the hub's own when absent. Never journalled. */
  env: z.record(z.string(), z.string()).optional(),
  backend: z.enum(['tmux', 'pty']).default('tmux'),
  cols: z.number().int().min(20).max(500).default(120),
  rows: z.number().int().min(10).max(300).default(40),
  /** Start even when no login or key is found. */
  skipAuthCheck: z.boolean().default(false),
  /** Record the terminal from its first byte. */
  record: RecordOptions.optional(),
})
export type CreateSession = z.infer<typeof CreateSession>
export type CreateSessionInput = z.input<typeof CreateSession>

export const SendMessage = z.strictObject({
  text: z.string().min(1).max(MAX_PROMPT),
  /** The caller's id for the message: a repeated id is not sent again and answers with the first receipt. */
  messageId: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[\w.:-]+$/)
    .optional(),
})
export type SendMessage = z.infer<typeof SendMessage>

export const Receipt = z.object({
  messageId: z.string(),
  state: DeliveryState,
  reason: z.string().nullable(),
})
export type Receipt = z.infer<typeof Receipt>

/** What an interrupt saw. */
export const InterruptResult = z.object({
  /** `interrupted`: the turn ended as interrupted; `idle`: nothing was running. */
  result: z.enum(['interrupted', 'idle']),
  turnId: z.string().nullable(),
  /** The signals that showed it, in the order seen. */
  evidence: z.array(z.string()),
})
export type InterruptResult = z.infer<typeof InterruptResult>

export const ResizeTerminal = z.strictObject({
  cols: z.number().int().min(20).max(500),
  rows: z.number().int().min(10).max(300),
})

export const SendKeys = z.strictObject({ keys: z.array(z.string().min(1).max(20)).min(1).max(100) })

export const ErrorBody = z.object({
  error: z.object({
    code: z.string(),
    detail: z.string(),
    retryable: z.boolean(),
    hint: z.string().optional(),
  }),
})
export type ErrorBody = z.infer<typeof ErrorBody>

export const Scope = z.enum(['view', 'type', 'approve', 'spawn'])
export type Scope = z.infer<typeof Scope>
