/** @module adapter/steps - scripts that act on a vendor's program and name what must be seen. */
import type { ErrorCode } from '../protocol/errors.js'
import type { Observation } from './observation.js'
import type { Reading } from './reading.js'

/** What a condition may look at. */
export interface Seen {
  /** The newest reading; null before the first frame. */
  readonly reading: Reading | null
  /** Observations since the script began, oldest first. */
  readonly observations: readonly Observation[]
}

export interface Condition {
  /** For errors and receipts: "the composer shows the text". */
  readonly name: string
  readonly holds: (seen: Seen) => boolean
}

export type Step =
  | { readonly do: 'paste'; readonly text: string }
  | { readonly do: 'keys'; readonly keys: readonly string[] }
  /** A call over the vendor's own side channel. */
  | { readonly do: 'call'; readonly method: string; readonly params: unknown }
  /** Waits until the condition holds; the bound never decides anything but failure. */
  | {
      readonly do: 'see'
      readonly condition: Condition
      readonly withinMs: number
      /** The code of the failure; default `delivery_failed`. */
      readonly code?: ErrorCode
      /** Steps to take when the bound passes and `when` still holds, at most `times` times. */
      readonly retry?: { readonly when: Condition; readonly steps: readonly Step[]; readonly times: number }
    }
  /** Goes on only if the condition holds at this moment; else fails with `code` (default `conflict`). */
  | { readonly do: 'must'; readonly condition: Condition; readonly code?: ErrorCode }
  /** Takes the steps only if the condition holds at this moment. */
  | { readonly do: 'if'; readonly condition: Condition; readonly steps: readonly Step[] }
  /** Moves the message's receipt on. */
  | { readonly do: 'receipt'; readonly state: 'typed' | 'accepted' }
