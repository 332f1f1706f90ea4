/** @module protocol/events - what observers get; the only vocabulary between the rooms. */
import { z } from 'zod'
import { Item, ItemKind } from './items.js'

export const EVENT_VERSION = 1

export const Source = z.enum(['screen', 'transcript', 'hook', 'rpc', 'bridge'])
export type Source = z.infer<typeof Source>

/**
 * `unknown` is a state of its own: a screen that no rule knows is never shown as idle or running.
 * `blocked`: a dialog waits for a person. `ended` is final.
 */
export const SessionState = z.enum(['starting', 'idle', 'running', 'blocked', 'unknown', 'ended'])
export type SessionState = z.infer<typeof SessionState>

/** Tokens as the vendor reports them: `input` excludes what was read from or written to the cache. */
export const Tokens = z.object({
  input: z.number().int().nonnegative(),
  output: z.number().int().nonnegative(),
  cacheRead: z.number().int().nonnegative(),
  cacheWrite: z.number().int().nonnegative(),
  /** Part of `output`, where the vendor says. */
  reasoning: z.number().int().nonnegative().optional(),
})
export type Tokens = z.infer<typeof Tokens>

/** `usd` is null when neither the vendor nor the price table knows a price. */
export const Usage = z.object({
  tokens: Tokens,
  usd: z.number().nonnegative().nullable(),
  /** Who computed `usd`. */
  pricedBy: z.enum(['vendor', 'table', 'none']),
})
export type Usage = z.infer<typeof Usage>

export const TurnOutcome = z.enum(['completed', 'interrupted', 'failed'])
export type TurnOutcome = z.infer<typeof TurnOutcome>

/** `queued -> typed -> accepted -> started -> completed | failed(reason)`, one receipt per message. */
export const DeliveryState = z.enum(['queued', 'typed', 'accepted', 'started', 'completed', 'failed'])
export type DeliveryState = z.infer<typeof DeliveryState>

/**
 * How a prompt is to arrive. `queue`: when the turn that runs and what was sent before are over; `steer`: now, by the
 * vendor's own way into a running turn, where it has one; `interrupt`: the running turn is stopped for it.
 */
export const DeliveryMode = z.enum(['queue', 'steer', 'interrupt'])
export type DeliveryMode = z.infer<typeof DeliveryMode>

/** An answer that a vendor's dialog takes; `key` names it in the API. */
export const ApprovalOption = z.object({ key: z.string(), label: z.string() })
export type ApprovalOption = z.infer<typeof ApprovalOption>

const bodies = {
  'session.started': z.object({
    vendor: z.string(),
    vendorVersion: z.string().nullable(),
    cwd: z.string(),
    model: z.string().nullable(),
    backend: z.enum(['tmux', 'pty']),
    pid: z.number().int(),
  }),
  /** The vendor's own conversation id and record, when they become known or rotate. */
  'session.vendor': z.object({ vendorSessionId: z.string(), transcript: z.string().nullable() }),
  'session.ended': z.object({
    reason: z.enum(['exited', 'killed', 'start_failed', 'lost']),
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
    detail: z.string().nullable(),
  }),
  'session.superseded': z.object({ by: z.string() }),
  'session.state': z.object({
    state: SessionState,
    /** The rule that decided, and the lines or facts that are its evidence. */
    rule: z.string(),
    evidence: z.array(z.string()),
  }),
  'turn.started': z.object({ turnId: z.string() }),
  'turn.completed': z.object({
    turnId: z.string(),
    outcome: TurnOutcome,
    detail: z.string().nullable(),
    usage: Usage.nullable(),
  }),
  'item.started': z.object({
    itemId: z.string(),
    turnId: z.string().nullable(),
    kind: ItemKind,
    item: Item,
    /** The item that it belongs before, when a source told it late; otherwise items stand in order of `seq`. */
    before: z.string().optional(),
    /** See `item.completed`. */
    key: z.string().optional(),
  }),
  'item.completed': z.object({
    itemId: z.string(),
    turnId: z.string().nullable(),
    item: Item,
    /** The source's own name of it, opaque: after a restart what was told already is known by it. */
    key: z.string().optional(),
  }),
  /** One model response; `session` is the sum so far. */
  usage: z.object({
    key: z.string().optional(),
    turnId: z.string().nullable(),
    model: z.string().nullable(),
    usage: Usage,
    session: Usage,
  }),
  model: z.object({ model: z.string() }),
  mode: z.object({ mode: z.string() }),
  delivery: z.object({
    messageId: z.string(),
    state: DeliveryState,
    reason: z.string().nullable(),
    /** What is handed to the vendor's program, told with `queued`; told again when it was edited. */
    text: z.string().optional(),
    how: DeliveryMode.optional(),
    /** Paths of its images. */
    images: z.array(z.string()).optional(),
    /** Told before the first key or call of each try to hand it over. */
    attempt: z.number().int().positive().optional(),
    /** See {@link Receipt}. */
    undecided: z.boolean().optional(),
  }),
  /** The order of the prompts that wait, when a person changed it. */
  queue: z.object({ order: z.array(z.string()) }),
  /** A step of stopping a turn: what was done, or what was seen after it. */
  interrupt: z.object({
    turnId: z.string().nullable(),
    stage: z.enum(['asked', 'again', 'seen', 'failed']),
    detail: z.string(),
  }),
  /** A command of the session that was run from outside the terminal, and what came of it. */
  'session.command': z.object({
    commandId: z.string(),
    command: z.string(),
    argument: z.string().nullable(),
    state: z.enum(['started', 'done', 'failed']),
    detail: z.string().nullable(),
  }),
  'approval.requested': z.object({
    approvalId: z.string(),
    title: z.string(),
    detail: z.string(),
    /** `permission`, `question`, `trust`, `plan`, `login`, `other`. */
    kind: z.string().optional(),
    /** The answers that can be given from outside the terminal; none: it is answered in the terminal. */
    options: z.array(ApprovalOption).optional(),
  }),
  'approval.resolved': z.object({
    approvalId: z.string(),
    /** `answered`: the dialog is gone and the screen alone does not say which way. */
    verdict: z.enum(['allow', 'deny', 'dismissed', 'answered']),
    by: z.string(),
    /** The label of the chosen option, where it is known. */
    option: z.string().optional(),
  }),
  agent: z.object({ agentId: z.string(), state: z.string() }),
  /** Bytes of the record are missing, a source fell silent, or two sources disagree: told, never hidden. */
  gap: z.object({ what: z.string(), detail: z.string() }),
} as const

/** Live events follow their item's `item.started`; a delta's `offset` counts from the start of the item's text. */
const liveBodies = {
  /** `delta` continues the item's text at `offset` (UTF-16 units of the text so far). */
  'item.delta': z.object({
    itemId: z.string(),
    turnId: z.string().nullable(),
    kind: ItemKind,
    offset: z.number().int().nonnegative(),
    delta: z.string(),
  }),
  /** The output of a running call so far, whole (not a difference); `omitted` characters were cut from its head. */
  'tool.output': z.object({
    itemId: z.string(),
    turnId: z.string().nullable(),
    text: z.string(),
    omitted: z.number().int().nonnegative(),
  }),
  'session.activity': z.object({ activity: z.string(), detail: z.string().nullable() }),
  /** What a person has typed into the vendor's prompt box and not sent; null when it is empty again. */
  'session.draft': z.object({ text: z.string().nullable() }),
  /** A person types a prompt in a page; good for ten seconds. */
  'session.typing': z.object({ client: z.string(), active: z.boolean() }),
} as const

export type DurableType = keyof typeof bodies
export type LiveType = keyof typeof liveBodies

const envelope = {
  v: z.literal(EVENT_VERSION),
  sessionId: z.string(),
  id: z.string(),
  /** Milliseconds since the epoch. */
  ts: z.number().int(),
  source: Source,
}

type Shapes<B extends Record<string, z.ZodObject>> = { [K in keyof B]: z.infer<B[K]> }
export type DurableBodies = Shapes<typeof bodies>
export type LiveBodies = Shapes<typeof liveBodies>

interface Envelope {
  v: typeof EVENT_VERSION
  sessionId: string
  id: string
  ts: number
  source: Source
}

/** A journalled event; `seq` is dense per session, from 1. */
export type DurableEvent = {
  [K in DurableType]: Envelope & { seq: number; type: K } & DurableBodies[K]
}[DurableType]
/** A live event: board only, no `seq`, never journalled. */
export type LiveEvent = { [K in LiveType]: Envelope & { type: K } & LiveBodies[K] }[LiveType]
export type MeowEvent = DurableEvent | LiveEvent

/** What the reducer makes, before the session stamps it: type, body and source. */
export type DurableDraft = { [K in DurableType]: { type: K; source: Source } & DurableBodies[K] }[DurableType]
export type LiveDraft = { [K in LiveType]: { type: K; source: Source } & LiveBodies[K] }[LiveType]
export type EventDraft = DurableDraft | LiveDraft

function schemas<B extends Record<string, z.ZodObject>>(of: B, extra: z.ZodRawShape): z.ZodObject[] {
  return Object.entries(of).map(([type, body]) =>
    z.object({ ...envelope, ...extra, type: z.literal(type), ...body.shape }),
  )
}

const durable = schemas(bodies, { seq: z.number().int().positive() })
const live = schemas(liveBodies, {})

/** Checks a journalled event read from disk or from the wire. */
export const DurableEventSchema = z.discriminatedUnion(
  'type',
  durable as [z.ZodObject, ...z.ZodObject[]],
) as unknown as z.ZodType<DurableEvent>
/** Checks any event from the wire. */
export const EventSchema = z.discriminatedUnion('type', [...durable, ...live] as [
  z.ZodObject,
  ...z.ZodObject[],
]) as unknown as z.ZodType<MeowEvent>

const LIVE_TYPES: ReadonlySet<string> = new Set(Object.keys(liveBodies))

/** Whether an event or draft is board-only. */
export function isLive<E extends { type: string }>(event: E): event is E & { type: LiveType } {
  return LIVE_TYPES.has(event.type)
}
