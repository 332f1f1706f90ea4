/** @module web/model/terminal-feed - which bytes of the record a terminal still needs: each once, none skipped. */

/** Where a terminal stands in the record. */
export interface TerminalPosition {
  readonly channel: number
  /** Offset of the next byte that it has not seen. */
  readonly offset: number
}

export type Fed =
  | { readonly kind: 'write'; readonly bytes: Uint8Array; readonly at: TerminalPosition }
  /** Seen already, or of another channel. */
  | { readonly kind: 'skip' }
  /** Bytes are missing: ask for a new snapshot. */
  | { readonly kind: 'hole' }

/** Cuts what the snapshot or an earlier frame covers. */
export function feed(
  at: TerminalPosition,
  frame: { readonly channel: number; readonly offset: number; readonly bytes: Uint8Array },
): Fed {
  if (frame.channel !== at.channel) return { kind: 'skip' }
  if (frame.offset > at.offset) return { kind: 'hole' }
  const bytes = frame.bytes.subarray(at.offset - frame.offset)
  if (bytes.length === 0) return { kind: 'skip' }
  return { kind: 'write', bytes, at: { channel: at.channel, offset: at.offset + bytes.length } }
}
