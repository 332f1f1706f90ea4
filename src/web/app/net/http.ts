/** @module web/net/http - calls to the hub's API; answers are checked, faults carry what a person can do. */
import './zod-setup.js'
import { z } from 'zod'
import { API, HubInfo } from '../../../protocol/api.js'
import {
  type AnswerResult,
  type CommandResult,
  type CreateSessionInput,
  type EditQueued,
  ErrorBody,
  type InterruptResult,
  type Receipt,
  type RunCommand,
  Scope,
  type SendMessageInput,
  type SessionCommand,
} from '../../../protocol/commands.js'
import type { RecordingInfo, SessionInfo } from '../../../protocol/session.js'

/** `network`: no answer came, so nobody knows whether the call was heard. */
export class ApiFault extends Error {
  readonly code: string
  readonly retryable: boolean
  readonly hint: string | null

  constructor(code: string, detail: string, retryable: boolean, hint: string | null = null) {
    super(detail)
    this.name = 'ApiFault'
    this.code = code
    this.retryable = retryable
    this.hint = hint
  }
}

/** Any thrown value as a fault. */
export function asFault(value: unknown): ApiFault {
  if (value instanceof ApiFault) return value
  return new ApiFault('internal', value instanceof Error ? value.message : String(value), false)
}

interface CallRoute<T> {
  readonly method: string
  readonly path: string
  readonly response: { safeParse(value: unknown): { success: boolean; data?: T } }
}

interface CallOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Bound of the wait; starting a program takes longer than a look. */
  readonly timeoutMs?: number
  /** The answer is not wanted any more. */
  readonly signal?: AbortSignal
}

function pathOf(route: { readonly path: string }, options: CallOptions): string {
  return route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(options.params?.[name] ?? ''))
}

/** An answer that is text as it is. */
async function callText(route: { method: string; path: string }, options: CallOptions): Promise<string> {
  const response = await request(route.method, pathOf(route, options), options)
  if (!response.ok) throw refusal(response.status, await response.json().catch(() => null))
  try {
    return await response.text()
  } catch {
    throw new ApiFault('network', 'The answer of the hub broke off.', true)
  }
}

async function call<T>(route: CallRoute<T>, options: CallOptions = {}): Promise<T> {
  const path = pathOf(route, options)
  const response = await request(route.method, path, options)
  const value: unknown = await response.json().catch(() => null)
  if (!response.ok) throw refusal(response.status, value)
  const checked = route.response.safeParse(value)
  if (!checked.success)
    throw new ApiFault('internal', `The hub's answer to ${path} was not understood.`, false)
  return checked.data as T
}

async function request(method: string, path: string, options: CallOptions): Promise<Response> {
  const { body, timeoutMs = 15_000, signal } = options
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    return await fetch(path, {
      method,
      credentials: 'same-origin',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  } catch (cause) {
    const late = cause instanceof DOMException && cause.name === 'TimeoutError'
    throw new ApiFault(
      'network',
      late ? 'The hub did not answer in time.' : 'The hub does not answer.',
      true,
      'Is it running? `agent-meow up` starts it.',
    )
  }
}

function refusal(status: number, value: unknown): ApiFault {
  const parsed = ErrorBody.safeParse(value)
  if (!parsed.success)
    return new ApiFault('internal', `The hub answered with status ${status}.`, status >= 500)
  const { code, detail, retryable, hint } = parsed.data.error
  return new ApiFault(code, detail, retryable, hint ?? null)
}

const START_MS = 180_000
/** Something is pressed, and its effect is waited for. */
const ACT_MS = 60_000
/** Images over a slow network. */
const IMAGES_MS = 180_000
/** A long recording on a loaded machine; the hub's own bounds are shorter. */
const RECORDING_MS = 120_000

const Info = HubInfo.extend({ scopes: z.array(Scope).optional() })

/** The part of the API that the page uses. */
export const hub = {
  pair: (code: string) => call(API.pair, { body: { code } }),
  /** About the hub, and what this page may do where the hub says so. */
  info: () => call({ ...API.info, response: Info }),
  vendors: async () => (await call(API.vendors)).vendors,
  createSession: async (body: CreateSessionInput): Promise<SessionInfo> =>
    (await call(API.createSession, { body, timeoutMs: START_MS })).session,
  killSession: async (id: string): Promise<SessionInfo> =>
    (await call(API.killSession, { params: { id }, timeoutMs: 60_000 })).session,
  send: (id: string, body: SendMessageInput): Promise<Receipt> =>
    call(API.send, { params: { id }, body, ...(body.images === undefined ? {} : { timeoutMs: IMAGES_MS }) }),
  editQueued: (id: string, messageId: string, body: EditQueued): Promise<Receipt> =>
    call(API.editQueued, { params: { id, messageId }, body }),
  withdraw: (id: string, messageId: string): Promise<Receipt> =>
    call(API.withdraw, { params: { id, messageId } }),
  answer: (id: string, approvalId: string, option: string): Promise<AnswerResult> =>
    call(API.answer, { params: { id, approvalId }, body: { option }, timeoutMs: ACT_MS }),
  commands: async (id: string): Promise<SessionCommand[]> =>
    (await call(API.commands, { params: { id } })).commands,
  runCommand: (id: string, body: RunCommand): Promise<CommandResult> =>
    call(API.runCommand, { params: { id }, body, timeoutMs: START_MS }),
  interrupt: (id: string): Promise<InterruptResult> =>
    call(API.interrupt, { params: { id }, timeoutMs: ACT_MS }),
  record: async (id: string, action: 'start' | 'stop'): Promise<RecordingInfo> =>
    (await call(API.record, { params: { id }, body: { action }, timeoutMs: RECORDING_MS })).recording,
  recordings: async (): Promise<RecordingInfo[]> => (await call(API.listRecordings)).recordings,
  /** The text of an asciicast. */
  recording: (name: string, signal: AbortSignal): Promise<string> =>
    callText(API.recording, { params: { name }, timeoutMs: RECORDING_MS, signal }),
  /** What a recording says as a conversation: JSON lines. */
  recordingEvents: (name: string, signal: AbortSignal): Promise<string> =>
    callText(API.recordingEvents, { params: { name }, timeoutMs: RECORDING_MS, signal }),
} as const
