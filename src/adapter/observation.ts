/** @module adapter/observation - facts from any source, before they are told as events. */
import type { SessionState, Source, Tokens, TurnOutcome } from '../protocol/events.js'
import type { CanonicalTool, ToolStatus } from '../protocol/items.js'

/**
 * One fact. `key` names the thing it is about within the session, so that a delta and the completed text
 * of one message meet; keys are the adapter's own and never leave the session.
 */
export type Observation = { source: Source } & ObservedFact

export type ObservedFact =
  /** The vendor's program takes prompts now. Told once a launch. */
  | { type: 'ready' }
  | { type: 'vendor.session'; vendorSessionId: string; transcript: string | null }
  | { type: 'vendor.version'; version: string }
  /** The vendor took a prompt out of its composer (its text as the vendor holds it); `queued`: into its own queue. */
  | { type: 'prompt.accepted'; text: string; queued?: boolean; messageId?: string }
  /** The vendor gave a prompt of its own queue back unsent (an interrupt did that); nobody will run it. */
  | { type: 'prompt.returned'; text: string; messageId?: string }
  /** After a restart: all that the source had told before, and what came meanwhile, has been told. */
  | { type: 'caught_up' }
  | { type: 'turn.started' }
  /** Told only when everything of the turn has been told. */
  | { type: 'turn.ended'; outcome: TurnOutcome; detail?: string }
  /** `messageId`: the prompt that it is, where the source knows; else it is found by its text. */
  | { type: 'user.message'; key: string; text: string; images?: number; messageId?: string }
  | { type: 'text.delta'; key: string; kind: 'assistant_message' | 'reasoning'; delta: string }
  /**
   * Authoritative; needs no delta before it. `beforeKey`: it belongs before that item, which was told first
   * (a record of reasoning that arrives after the text it led to).
   */
  | {
      type: 'text.completed'
      key: string
      kind: 'assistant_message' | 'reasoning'
      text: string
      partial?: boolean
      beforeKey?: string
    }
  | { type: 'tool.started'; callId: string; tool: CanonicalTool; name: string; input: unknown }
  /** All output so far. */
  | { type: 'tool.output'; callId: string; text: string }
  | {
      type: 'tool.completed'
      callId: string
      status: Exclude<ToolStatus, 'running'>
      output: string
      durationMs?: number
    }
  /** One model response; a repeated `key` replaces nothing and is dropped. `usd` when the vendor priced it. */
  | { type: 'usage'; key: string; model: string | null; tokens: Tokens; usd?: number }
  | { type: 'state'; state: SessionState; rule: string; evidence: string[] }
  | { type: 'model'; model: string }
  | { type: 'mode'; mode: string }
  | { type: 'notice'; key: string; level: 'info' | 'warning' | 'error'; text: string }
  /** A session command that the person gave the vendor (`/clear`, `!ls`). */
  | { type: 'command'; key: string; text: string }
  /** An item of a kind that has nothing but its text. */
  | { type: 'item'; key: string; kind: 'compaction' | 'plan' | 'diff' | 'panel'; text: string }
  /** A dialog waits for a person, or is gone; who answered what is not told by its closing. */
  | {
      type: 'dialog.opened'
      key: string
      title: string
      detail: string
      kind?: string
      /** The answers that can be given by key. */
      options?: { key: string; label: string }[]
    }
  | { type: 'dialog.closed'; key: string }
  | { type: 'activity'; activity: string; detail?: string }
  /** Two sources disagree, or one fell silent: counted and shown, never merged by guess. */
  | { type: 'gap'; what: string; detail: string }
