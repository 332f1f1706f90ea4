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
