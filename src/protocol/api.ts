/** @module protocol/api - every HTTP route with its schemas; the hub serves it, the OpenAPI file is made from it. */
import { z } from 'zod'
import {
  AnswerApproval,
  AnswerResult,
  CommandResult,
  CreateSession,
  EditQueued,
  InterruptResult,
  QueuedPrompt,
  Receipt,
  RecordCommand,
  ResizeTerminal,
  RunCommand,
  Scope,
  SendKeys,
  SendMessage,
  SessionCommand,
} from './commands.js'
import { DurableEventSchema } from './events.js'
import { RecordingInfo, ScreenReading, SessionInfo } from './session.js'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Hono style: `/v1/sessions/:id`. */
  readonly path: string
  readonly summary: string
  /** `none`: open without a token (pairing only); `hook`: the session's hook token. */
  readonly scope: Scope | 'none' | 'hook'
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly response: z.ZodType
  readonly status?: number
  /** The answer is text of this kind, as it is, and not JSON. */
  readonly media?: string
}

const Ok = z.object({ ok: z.literal(true) })

export const HubInfo = z.object({
  version: z.string(),
  pid: z.number().int(),
  port: z.number().int(),
  home: z.string(),
  startedAt: z.number().int(),
  sessions: z.number().int(),
  /** What the caller may do. */
  scopes: z.array(Scope),
})
export type HubInfo = z.infer<typeof HubInfo>

export const VendorInfo = z.object({
  id: z.string(),
  name: z.string(),
  /** Absolute path, or null when not installed. */
  binary: z.string().nullable(),
  version: z.string().nullable(),
  testedVersions: z.array(z.string()),
  auth: z.object({ status: z.enum(['ok', 'missing', 'unknown']), detail: z.string() }),
  installHint: z.string(),
  loginHint: z.string(),
  capabilities: z.array(z.object({ row: z.string(), level: z.string(), note: z.string() })),
})
export type VendorInfo = z.infer<typeof VendorInfo>

export const EventsQuery = z.object({
  since: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(10_000).default(1000),
})

export const TerminalText = z.object({
  cols: z.number().int(),
  rows: z.number().int(),
  offset: z.number().int(),
  /** The screen as plain text, one string a row. */
  lines: z.array(z.string()),
})

/** The first line of a recording's events: what they were read from, and why they are not all of it. */
export const ReplaySummary = z.object({
  recording: z.string(),
  /** Null where the recording does not say. */
  vendor: z.string().nullable(),
  vendorVersion: z.string().nullable(),
  /** Who told the content: the vendor's side channels where they were recorded, else the screen; null: nobody. */
  told: z.enum(['screen', 'side_channels']).nullable(),
  /** Lines that follow. */
  events: z.number().int().nonnegative(),
  complete: z.boolean(),
  /** Why it is not complete; null when it is. */
  detail: z.string().nullable(),
})
export type ReplaySummary = z.infer<typeof ReplaySummary>

export const AttachCommand = z.object({ argv: z.array(z.string()), env: z.record(z.string(), z.string()) })

export const API = {
  pair: {
    method: 'POST',
    path: '/v1/pair',
    scope: 'none',
    summary: 'Exchanges a one-time pairing code for a cookie (HttpOnly, SameSite=Strict).',
    body: z.strictObject({ code: z.string().min(1).max(200) }),
    response: Ok,
  },
  createPairing: {
    method: 'POST',
    path: '/v1/pairings',
    scope: 'spawn',
    summary:
      'Makes a one-time pairing code (good for ten minutes) and the URL that carries it in its fragment.',
    response: z.object({ code: z.string(), url: z.string() }),
    status: 201,
  },
  info: { method: 'GET', path: '/v1/info', scope: 'view', summary: 'About the hub.', response: HubInfo },
  vendors: {
    method: 'GET',
    path: '/v1/vendors',
    scope: 'view',
    summary: 'Adapters, whether their programs are installed and logged in, and what they can do.',
    response: z.object({ vendors: z.array(VendorInfo) }),
  },
  listSessions: {
    method: 'GET',
    path: '/v1/sessions',
    scope: 'view',
    summary: 'Every session, newest first.',
    response: z.object({ sessions: z.array(SessionInfo) }),
  },
  createSession: {
    method: 'POST',
    path: '/v1/sessions',
    scope: 'spawn',
    summary: "Starts a vendor's program; answers when it takes prompts.",
    body: CreateSession,
    response: z.object({ session: SessionInfo }),
    status: 201,
  },
  getSession: {
    method: 'GET',
    path: '/v1/sessions/:id',
    scope: 'view',
    summary: 'One session.',
    response: z.object({ session: SessionInfo }),
  },
  killSession: {
    method: 'DELETE',
    path: '/v1/sessions/:id',
    scope: 'spawn',
    summary: "Ends the vendor's program; answers when it is gone.",
    response: z.object({ session: SessionInfo }),
  },
  events: {
    method: 'GET',
    path: '/v1/sessions/:id/events',
    scope: 'view',
    summary: 'Durable events after `since`, in order.',
    query: EventsQuery,
    response: z.object({ events: z.array(DurableEventSchema), lastSeq: z.number().int() }),
  },
  send: {
    method: 'POST',
    path: '/v1/sessions/:id/messages',
    scope: 'type',
    summary:
      'Queues a prompt; its receipts follow as `delivery` events. A repeated messageId is not sent again.',
    body: SendMessage,
    response: Receipt,
    status: 202,
  },
  receipt: {
    method: 'GET',
    path: '/v1/sessions/:id/messages/:messageId',
    scope: 'view',
    summary: 'The newest receipt of a message.',
    response: Receipt,
  },
  queue: {
    method: 'GET',
    path: '/v1/sessions/:id/queue',
    scope: 'view',
    summary: 'The prompts that wait, in the order in which they will be handed over.',
    response: z.object({ queue: z.array(QueuedPrompt) }),
  },
  editQueued: {
    method: 'PATCH',
    path: '/v1/sessions/:id/messages/:messageId',
    scope: 'type',
    summary:
      'Changes the text, the way or the place of a prompt that waits; `conflict` once it is on its way.',
    body: EditQueued,
    response: Receipt,
  },
  withdraw: {
    method: 'DELETE',
    path: '/v1/sessions/:id/messages/:messageId',
    scope: 'type',
    summary: 'Takes a prompt that waits out of the queue; `conflict` once it is on its way.',
    response: Receipt,
  },
  answer: {
    method: 'POST',
    path: '/v1/sessions/:id/approvals/:approvalId',
    scope: 'approve',
    summary:
      'Answers a dialog of the vendor, once, after it was read again; `conflict` when it is not the one that stands there.',
    body: AnswerApproval,
    response: AnswerResult,
  },
  commands: {
    method: 'GET',
    path: '/v1/sessions/:id/commands',
    scope: 'view',
    summary: "The commands that this session's vendor takes from outside its terminal.",
    response: z.object({ commands: z.array(SessionCommand) }),
  },
  runCommand: {
    method: 'POST',
    path: '/v1/sessions/:id/commands',
    scope: 'type',
    summary: 'Runs a command of the session; answers when its effect was seen.',
    body: RunCommand,
    response: CommandResult,
  },
  interrupt: {
    method: 'POST',
    path: '/v1/sessions/:id/interrupt',
    scope: 'type',
    summary: 'Stops the running turn; answers with what was seen.',
    response: InterruptResult,
  },
  keys: {
    method: 'POST',
    path: '/v1/sessions/:id/keys',
    scope: 'type',
    summary: "Presses named keys in the session's terminal.",
    body: SendKeys,
    response: Ok,
  },
  resize: {
    method: 'POST',
    path: '/v1/sessions/:id/resize',
    scope: 'type',
    summary: 'Resizes the terminal of the session (cells).',
    body: ResizeTerminal,
    response: Ok,
  },
  terminal: {
    method: 'GET',
    path: '/v1/sessions/:id/terminal',
    scope: 'view',
    summary: 'The screen now, as text.',
    response: TerminalText,
  },
  reading: {
    method: 'GET',
    path: '/v1/sessions/:id/reading',
    scope: 'view',
    summary: 'What the newest screen was taken for: state, rule, evidence, age, dialog, composer, blocks.',
    response: z.object({ reading: ScreenReading }),
  },
  attach: {
    method: 'GET',
    path: '/v1/sessions/:id/attach',
    scope: 'type',
    summary:
      'The command with which a terminal on this machine joins the process; `attach` is null on the pty backend.',
    response: z.object({ attach: AttachCommand.nullable() }),
  },
  record: {
    method: 'POST',
    path: '/v1/sessions/:id/recording',
    scope: 'type',
    summary:
      'Begins or ends a recording of the session (asciicast v3, secrets replaced). A file of the caller needs the scope spawn.',
    body: RecordCommand,
    response: z.object({ recording: RecordingInfo }),
  },
  listRecordings: {
    method: 'GET',
    path: '/v1/recordings',
    scope: 'view',
    summary: 'Recordings of all sessions, newest first.',
    response: z.object({ recordings: z.array(RecordingInfo) }),
  },
  recording: {
    method: 'GET',
    path: '/v1/recordings/:name',
    scope: 'view',
    summary: 'The text of a recording: an asciicast v3 that any player of asciinema plays.',
    response: z.string(),
    media: 'application/x-asciicast',
  },
  recordingSide: {
    method: 'GET',
    path: '/v1/recordings/:name/side',
    scope: 'view',
    summary: "What the session's side channels told meanwhile: one `{at, observation}` a line, `at` in ms.",
    response: z.string(),
    media: 'application/jsonl',
  },
  recordingEvents: {
    method: 'GET',
    path: '/v1/recordings/:name/events',
    scope: 'view',
    summary:
      'The conversation that the recording shows, read back from it: a `ReplaySummary`, then an event a line without its envelope, `t` in seconds.',
    response: z.string(),
    media: 'application/jsonl',
  },
  hook: {
    method: 'POST',
    path: '/v1/sessions/:id/hook',
    scope: 'hook',
    summary: "Posts of the vendor's own hooks (this session's hook token).",
    body: z.unknown(),
    response: z.unknown(),
  },
  shutdown: {
    method: 'POST',
    path: '/v1/shutdown',
    scope: 'spawn',
    summary: 'Ends every session that the hub started, then the hub.',
    response: Ok,
  },
  openapi: {
    method: 'GET',
    path: '/v1/openapi.json',
    scope: 'view',
    summary: 'This API as OpenAPI 3.1.',
    response: z.unknown(),
  },
} as const satisfies Record<string, Route>

export type RouteName = keyof typeof API
