/** @module protocol/stream - frames of `WS /v1/stream`. */
import { z } from 'zod'
import { EventSchema } from './events.js'
import { Board, SessionInfo } from './session.js'

/** Client to server, JSON text frames. */
export const ClientFrame = z.discriminatedUnion('type', [
  /** The list of sessions, now and on every change. */
  z.strictObject({ type: z.literal('sessions.subscribe') }),
  /** Durable events after `since` (0 = all), then live ones. */
  z.strictObject({
    type: z.literal('session.subscribe'),
    sessionId: z.string(),
    since: z.number().int().nonnegative().default(0),
  }),
  z.strictObject({ type: z.literal('session.unsubscribe'), sessionId: z.string() }),
  /** The terminal: a snapshot, then raw bytes in binary frames. */
  z.strictObject({ type: z.literal('terminal.subscribe'), sessionId: z.string() }),
  z.strictObject({ type: z.literal('terminal.unsubscribe'), sessionId: z.string() }),
  /** Raw keystrokes of a live terminal, base64; needs the scope `type`. */
  z.strictObject({ type: z.literal('terminal.input'), sessionId: z.string(), data: z.string().max(100_000) }),
  /** The person at this client types a prompt, or no longer does; needs the scope `type`. */
  z.strictObject({ type: z.literal('typing'), sessionId: z.string(), active: z.boolean() }),
])
export type ClientFrame = z.infer<typeof ClientFrame>

/** Server to client, JSON text frames. */
export const ServerFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sessions'), sessions: z.array(SessionInfo) }),
  /** A session appeared or its summary changed. */
  z.object({ type: z.literal('session.info'), session: SessionInfo }),
  /** First answer to `session.subscribe`: taken at one instant; `events` continue from `since`. */
  z.object({
    type: z.literal('session.snapshot'),
    sessionId: z.string(),
    session: SessionInfo,
    events: z.array(EventSchema),
    board: Board,
    lastSeq: z.number().int(),
  }),
  z.object({ type: z.literal('events'), sessionId: z.string(), events: z.array(EventSchema) }),
  /** First answer to `terminal.subscribe`; binary frames with this `channel` continue at `offset` of the record. */
  z.object({
    type: z.literal('terminal.snapshot'),
    sessionId: z.string(),
    channel: z.number().int(),
    cols: z.number().int(),
    rows: z.number().int(),
    offset: z.number().int(),
    screen: z.string(),
  }),
  z.object({
    type: z.literal('terminal.resize'),
    sessionId: z.string(),
    channel: z.number().int(),
    cols: z.number().int(),
    rows: z.number().int(),
  }),
  z.object({
    type: z.literal('error'),
    about: z.string().nullable(),
    error: z.object({
      code: z.string(),
      detail: z.string(),
      retryable: z.boolean(),
      hint: z.string().optional(),
    }),
  }),
])
export type ServerFrame = z.infer<typeof ServerFrame>

/** Binary frame: channel (u32 BE), offset of the first byte in the record (u64 BE), bytes. */
export const TERMINAL_HEADER_BYTES = 12

/** Packs a piece of the record for one channel. */
export function encodeTerminalFrame(channel: number, offset: number, bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(TERMINAL_HEADER_BYTES + bytes.length)
  const view = new DataView(frame.buffer)
  view.setUint32(0, channel)
  view.setBigUint64(4, BigInt(offset))
  frame.set(bytes, TERMINAL_HEADER_BYTES)
  return frame
}

/** Unpacks {@link encodeTerminalFrame}; null when the frame is too short. */
export function decodeTerminalFrame(
  frame: Uint8Array,
): { channel: number; offset: number; bytes: Uint8Array } | null {
  if (frame.length < TERMINAL_HEADER_BYTES) return null
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  return {
    channel: view.getUint32(0),
    offset: Number(view.getBigUint64(4)),
    bytes: frame.subarray(TERMINAL_HEADER_BYTES),
  }
}
