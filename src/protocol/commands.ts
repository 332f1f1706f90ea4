/** @module protocol/commands - bodies and answers of the HTTP API. */
import { z } from 'zod'
import { DeliveryMode, DeliveryState } from './events.js'

/** Longest prompt, in UTF-16 units. */
export const MAX_PROMPT = 1_000_000
/** Most images of one prompt, and the greatest size of one in bytes. */
export const MAX_IMAGES = 10
export const MAX_IMAGE_BYTES = 5_000_000

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

/** An image of a prompt: a file of the machine that the session runs on, or its bytes. */
export const ImageInput = z.union([
  z.strictObject({ path: z.string().min(1).max(4096) }),
  z.strictObject({
    mime: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    /** At most {@link MAX_IMAGE_BYTES} when decoded. */
    base64: z
      .string()
      .min(4)
      .max(Math.ceil(MAX_IMAGE_BYTES / 3) * 4),
  }),
])
export type ImageInput = z.infer<typeof ImageInput>

export const SendMessage = z.strictObject({
  text: z.string().min(1).max(MAX_PROMPT),
  /** The caller's id for the message: a repeated id is not sent again and answers with the first receipt. */
  messageId: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[\w.:-]+$/)
    .optional(),
  how: DeliveryMode.default('queue'),
  images: z.array(ImageInput).max(MAX_IMAGES).default([]),
})
export type SendMessage = z.infer<typeof SendMessage>
export type SendMessageInput = z.input<typeof SendMessage>

export const Receipt = z.object({
  messageId: z.string(),
  state: DeliveryState,
  reason: z.string().nullable(),
  /** With `failed`: it may have arrived all the same, and a person decides whether it is sent again. */
  undecided: z.boolean().optional(),
})
export type Receipt = z.infer<typeof Receipt>

/** A prompt that waits; everyone sees the same queue. */
export const QueuedPrompt = z.object({
  messageId: z.string(),
  text: z.string(),
  how: DeliveryMode,
  images: z.number().int().nonnegative(),
  /** What it waits for. */
  reason: z.string().nullable(),
  queuedAt: z.number().int(),
})
export type QueuedPrompt = z.infer<typeof QueuedPrompt>

/** Changes a prompt that waits; what is left out stays. */
export const EditQueued = z.strictObject({
  text: z.string().min(1).max(MAX_PROMPT).optional(),
  how: DeliveryMode.optional(),
  /** Moves it before this one; null: to the end. */
  before: z.string().nullable().optional(),
})
export type EditQueued = z.infer<typeof EditQueued>

/** Answers a dialog that the vendor's program shows. */
export const AnswerApproval = z.strictObject({
  /** `key` of one of the options that `approval.requested` named. */
  option: z.string().min(1).max(20),
})
export type AnswerApproval = z.infer<typeof AnswerApproval>

export const AnswerResult = z.object({
  approvalId: z.string(),
  /** The label of the chosen option. */
  option: z.string(),
  /** What was seen: the dialog that stood, and that it is gone. */
  evidence: z.array(z.string()),
})
export type AnswerResult = z.infer<typeof AnswerResult>

/** A command that the bridge knows for a vendor; each is verified by its effect. */
export const SessionCommand = z.object({
  name: z.string(),
  description: z.string(),
  argument: z.enum(['none', 'optional', 'required']),
  /** What the argument is, in a word or two: `model`, `name`. */
  argumentHint: z.string().nullable(),
  /** The arguments there are, where the vendor's list is known. */
  choices: z.array(z.string()).nullable(),
  /** False: it waits for no turn, but is refused while one runs. */
  whileRunning: z.boolean(),
})
export type SessionCommand = z.infer<typeof SessionCommand>

export const RunCommand = z.strictObject({
  /** A name of the session's list, or `slash`: the argument is then typed as the vendor's own command. */
  command: z.string().min(1).max(40),
  argument: z.string().max(10_000).optional(),
})
export type RunCommand = z.infer<typeof RunCommand>

export const CommandResult = z.object({
  command: z.string(),
  argument: z.string().nullable(),
  /** What showed that it was done. */
  evidence: z.array(z.string()),
})
export type CommandResult = z.infer<typeof CommandResult>

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
