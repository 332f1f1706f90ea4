/** @module protocol/session - a session as listings show it, and its live board. */
import { z } from 'zod'
import { SessionState, Tokens, TurnOutcome } from './events.js'
import { Item, ItemKind } from './items.js'

export const SessionInfo = z.object({
  id: z.string(),
  name: z.string(),
  vendor: z.string(),
  vendorVersion: z.string().nullable(),
  vendorSessionId: z.string().nullable(),
  cwd: z.string(),
  model: z.string().nullable(),
  mode: z.string().nullable(),
  backend: z.enum(['tmux', 'pty']),
  pid: z.number().int().nullable(),
  cols: z.number().int(),
  rows: z.number().int(),
  state: SessionState,
  /** The rule and evidence behind `state`. */
  stateRule: z.string(),
  stateEvidence: z.array(z.string()),
  stateSince: z.number().int(),
  createdAt: z.number().int(),
  endedAt: z.number().int().nullable(),
  /** Newest durable event. */
  lastSeq: z.number().int().nonnegative(),
  turns: z.number().int().nonnegative(),
  lastOutcome: TurnOutcome.nullable(),
  tokens: Tokens,
  usd: z.number().nonnegative().nullable(),
})
export type SessionInfo = z.infer<typeof SessionInfo>

/** Live progress: what has been written of the items that are still open, and what is going on. */
export const Board = z.object({
  turnId: z.string().nullable(),
  activity: z.string().nullable(),
  /** What a person has typed into the vendor's prompt box and not sent. */
  draft: z.string().nullable().optional(),
  items: z.array(
    z.object({
      itemId: z.string(),
      turnId: z.string().nullable(),
      kind: ItemKind,
      item: Item,
      /** Text of the deltas so far, joined; or the output of a running call. */
      text: z.string(),
    }),
  ),
})
export type Board = z.infer<typeof Board>

/** One recording of a session's terminal: an asciicast v3 and, beside it, what the side channels told. */
export const RecordingInfo = z.object({
  /** Names it in the API and for commands. */
  name: z.string(),
  sessionId: z.string(),
  vendor: z.string(),
  vendorVersion: z.string().nullable(),
  /** Absolute path of the asciicast. */
  file: z.string(),
  /** Absolute path of the side channels' log: one JSON value a line. */
  sideFile: z.string(),
  /** Of both files. */
  bytes: z.number().int().nonnegative(),
  startedAt: z.number().int(),
  endedAt: z.number().int().nullable(),
  /**
   * `stopped`: by a command; `ended`: with its session; `capped`: it reached its greatest size; `failed`: it could not
   * be written; `lost`: the hub that wrote it ended without closing it.
   */
  state: z.enum(['recording', 'stopped', 'ended', 'capped', 'failed', 'lost']),
  /**
   * Whether its screens were looked through for secrets after its end. `patched`: what was seen was taken out;
   * `refused`: some could not be, so it is not given out.
   */
  check: z.enum(['unchecked', 'clean', 'patched', 'refused']),
  /** Why, where the state or the check is not the usual one. */
  detail: z.string().nullable(),
})
export type RecordingInfo = z.infer<typeof RecordingInfo>

/** What a screen was taken for, and why. */
export const ScreenReading = z.object({
  /** What the newest settled screen says; the session's own state, which other sources tell too, is `told`. */
  state: SessionState,
  /** The rule that decided, and the lines that are its evidence. */
  rule: z.string(),
  evidence: z.array(z.string()),
  /** Milliseconds since that screen was drawn and read. */
  ageMs: z.number().nonnegative(),
  /** Since when, in ms before now; null before the first state was told. */
  told: z.object({ state: SessionState, rule: z.string(), ageMs: z.number().nonnegative() }).nullable(),
  /** `text` was typed; `ghost` is a suggestion that nobody typed. Null: no prompt box is seen. */
  composer: z.object({ text: z.string(), ghost: z.string().nullable() }).nullable(),
  dialog: z
    .object({
      kind: z.string(),
      title: z.string(),
      options: z.array(z.object({ key: z.string(), label: z.string(), selected: z.boolean() })),
      fingerprint: z.string(),
    })
    .nullable(),
  /** The conversation's rows by block: the rule that took them, and what they were told as (null: as nothing). */
  blocks: z.array(
    z.object({ rule: z.string().nullable(), kind: z.string().nullable(), rows: z.array(z.string()) }),
  ),
})
export type ScreenReading = z.infer<typeof ScreenReading>
