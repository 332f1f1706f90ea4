/** @module terminal/cast/cast - a recording of a terminal (asciicast v2 or v3) as values. */

/**
 * One event. `o`: output of the program; `i`: input to it; `r`: a new size, `COLSxROWS`; `m`: a marker, its text is the
 * label; `x`: the program ended, the text is its exit status.
 */
export type CastEventKind = 'o' | 'i' | 'r' | 'm' | 'x'

export interface CastEvent {
  /** Milliseconds since the recording's start; never less than the event before. */
  readonly at: number
  readonly kind: CastEventKind
  readonly data: string
}

/** What was replaced before it was written, by rule: how often. */
export type Redactions = Readonly<Record<string, number>>

export interface CastHeader {
  /** The format's version. */
  readonly version: 2 | 3
  /** The size at the start, in cells. */
  readonly cols: number
  readonly rows: number
  /** The kind of terminal, such as `xterm-256color`. */
  readonly term?: string
  /** Start of the recording, Unix time in seconds. */
  readonly timestamp?: number
  readonly command?: string
  readonly title?: string
  readonly env?: Readonly<Record<string, string>>
  /** Ours: whose program it is. The version is null where it could not be told. */
  readonly vendor?: { readonly id: string; readonly version: string | null }
  /** Ours: what held the terminal. */
  readonly backend?: string
  /** Ours: the version of tmux that drew between the program and its terminal; null on another backend. */
  readonly tmux?: string | null
  /** Ours: whether the recording has the program's output from its very first byte. */
  readonly fromStart?: boolean
  /** Ours: the rules by which secrets were replaced. */
  readonly redacted?: readonly string[]
}

/** The beginning of the marker that says that a recording of ours was ended at its greatest size. */
export const CAPPED = 'record.capped'

/**
 * How a recording of ours ended. `closed`: with its last line; `capped`: at its greatest size, the session went on;
 * `open`: without its last line, because whoever wrote it was killed or could not write on.
 */
export type CastEnding = 'closed' | 'capped' | 'open'

export interface Cast {
  readonly header: CastHeader
  readonly events: readonly CastEvent[]
  /** The last line is half written (whoever wrote it was killed); it is not among the events. */
  readonly cut: boolean
  /** Missing where another recorder wrote it: nobody says how it ended. */
  readonly ending?: CastEnding
}

/** Why a recording does not have all that there was to record; null when it has, as far as it says. */
export function whyCut({ cut, ending }: Cast): string | null {
  if (ending === 'capped') return 'it was ended at its greatest size, and the session went on'
  if (cut) return 'it ends in the middle of a line'
  return ending === 'open' ? 'it was not closed: it is still being written, or its hub was killed' : null
}

/** The size that an `r` event tells, in cells; null for another text. */
export function castSize(data: string): { cols: number; rows: number } | null {
  const match = /^(\d{1,5})x(\d{1,5})$/.exec(data)
  return match && { cols: Number(match[1]), rows: Number(match[2]) }
}
