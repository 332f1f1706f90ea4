/**
 * @module pi/wire - what the extension inside Pi and the bridge say to each other.
 *
 * Newline-delimited JSON over a private unix socket. Types and constants only: the extension is loaded by Pi's own
 * loader and depends on nothing but Node at run time.
 *
 *     extension -> bridge   hello; after the welcome how far its facts go, facts with a dense `n`, what was given up,
 *                           answers to calls
 *     bridge -> extension   welcome (the last `n` it has), acks, calls
 */

/** Longest line that either side accepts, in bytes. */
export const MAX_LINE = 8 * 1024 * 1024

/** First line of a connection. `instance` names the Pi process; `n` counts within it. */
export interface Hello {
  readonly hello: 1
  readonly token: string
  readonly pid: number
  readonly piVersion: string | null
  readonly instance: string
}

/** How many facts were given up because the buffer was full: their numbers never come. */
export interface Lost {
  readonly lost: number
}

/** Behind the welcome: the last `n` there is; with it a bridge that came back knows when it has caught up. */
export interface Upto {
  readonly upto: number
}

export type BridgeLine =
  | { readonly welcome: { readonly seen: number } }
  | { readonly ack: number }
  | { readonly call: string; readonly id: string; readonly params: unknown }

/** The answer to a call; a repeated call of the same id gets the same answer and does nothing again. */
export type Answer =
  | { readonly answer: string; readonly ok: true; readonly result: unknown }
  | { readonly answer: string; readonly ok: false; readonly error: string }

export interface PiUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly reasoning: number | null
  readonly usd: number
  /** The provider billed it, so that zero is a price and not a missing one. */
  readonly billed: boolean
}

export interface PiBlock {
  /** Index among the message's content blocks; deltas carry the same. */
  readonly c: number
  readonly kind: 'text' | 'thinking'
  readonly text: string
}

/** One fact from Pi. `m` numbers messages within the process. */
export type PiFact =
  | {
      readonly ev: 'session_start'
      readonly reason: string
      readonly sid: string
      readonly file: string | null
      readonly model: string | null
    }
  | { readonly ev: 'session_shutdown'; readonly reason: string }
  /** Where Pi stands now: after a session start, around a compaction and after each reconnect. */
  | {
      readonly ev: 'state'
      readonly idle: boolean
      readonly prompt: string | null
      /** Pi's session file. */
      readonly file: string | null
    }
  /**
   * Pi has a prompt as it was put in: it checked model and key and starts a run with it, or it is in Pi's own queue.
   * `messageId` where the bridge sent it; told again when the bridge sends it again.
   */
  | {
      readonly ev: 'accepted'
      readonly text: string
      readonly messageId: string | null
      readonly queued: 'steer' | 'followUp' | null
    }
  /** A prompt of the bridge that Pi had and will not run: an abort or a person took it out of Pi's queue. */
  | { readonly ev: 'returned'; readonly text: string; readonly messageId: string; readonly why: string }
  /** `first`: nothing ran before it; a retry or a queued message starts another loop of the same run. */
  | { readonly ev: 'agent_start'; readonly first: boolean }
  | { readonly ev: 'agent_settled'; readonly aborted: boolean; readonly error: string | null }
  | { readonly ev: 'turn_start' }
  | { readonly ev: 'turn_end'; readonly entryId: string | null; readonly m: number }
  | {
      readonly ev: 'delta'
      readonly m: number
      readonly c: number
      readonly kind: 'text' | 'thinking'
      /** UTF-16 units of the block before this delta. */
      readonly at: number
      readonly delta: string
    }
  | {
      readonly ev: 'user'
      readonly m: number
      /** As it was sent; what Pi put behind it is `added`. */
      readonly text: string
      readonly images: number
      readonly messageId: string | null
      /** What Pi tells the model about the images, behind the text. */
      readonly added: string | null
    }
  | {
      readonly ev: 'assistant'
      readonly m: number
      readonly blocks: readonly PiBlock[]
      readonly stop: string
      readonly error: string | null
      readonly model: string | null
      readonly usage: PiUsage | null
    }
  | { readonly ev: 'tool_start'; readonly id: string; readonly name: string; readonly args: unknown }
  | { readonly ev: 'tool_update'; readonly id: string; readonly text: string }
  | {
      readonly ev: 'tool_end'
      readonly id: string
      readonly text: string
      readonly isError: boolean
      readonly aborted: boolean
      /** An extension stopped it before it ran. */
      readonly blocked: boolean
      readonly ms: number | null
    }
  | { readonly ev: 'model'; readonly model: string }
  | { readonly ev: 'thinking'; readonly level: string }
  /** The name of Pi's session; null: taken away. */
  | { readonly ev: 'name'; readonly name: string | null }
  | { readonly ev: 'compact'; readonly reason: string; readonly tokensBefore: number | null }
  | {
      readonly ev: 'compact_failed'
      readonly reason: string
      readonly aborted: boolean
      readonly error: string | null
    }
  | { readonly ev: 'prompt_start'; readonly kind: string; readonly title: string }
  | { readonly ev: 'prompt_end'; readonly idle: boolean }
  /** A fact whose line would have been longer than {@link MAX_LINE}. */
  | { readonly ev: 'oversize'; readonly of: string; readonly bytes: number }

export type Numbered = PiFact & { readonly n: number }

/** Facts that a later one makes up for; given up first when the buffer is full. */
export const LIVE: ReadonlySet<PiFact['ev']> = new Set(['delta', 'tool_update', 'turn_start'])
