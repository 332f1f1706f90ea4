/** @module journal/rows - events and summaries as rows, and back with a check. */
import type { ZodType } from 'zod'
import { MeowError } from '../protocol/errors.js'
import { type DurableEvent, DurableEventSchema } from '../protocol/events.js'
import { SessionInfo } from '../protocol/session.js'
import type { UnplacedEvent } from './journal.js'

export interface EventRow {
  readonly session_id: string
  readonly seq: number
  readonly id: string
  readonly ts: number
  readonly type: string
  readonly source: string
  /** What is left of the event, as JSON. */
  readonly body: string
}

export interface SessionRow {
  readonly id: string
  readonly info: string
}

/** The row of an event at its place. */
export function eventRow(event: UnplacedEvent, seq: number): EventRow {
  const { sessionId, id, ts, type, source, ...body } = event
  return { session_id: sessionId, seq, id, ts, type, source, body: JSON.stringify(body) }
}

/** The event of a row; a row that is not one is an error that names it. */
export function eventOf(row: EventRow): DurableEvent {
  const name = `events(${row.session_id}, ${row.seq})`
  const body = parseObject(name, row.body)
  const { session_id: sessionId, seq, id, ts, type, source } = row
  return checked(name, DurableEventSchema, { ...body, sessionId, seq, id, ts, type, source })
}

/** The summary of a row; a row that is not one is an error that names it. */
export function sessionOf(row: SessionRow): SessionInfo {
  const name = `sessions(${row.id})`
  return checked(name, SessionInfo, parseObject(name, row.info))
}

function parseObject(name: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch (cause) {
    throw badRow(name, 'not JSON', cause)
  }
  throw badRow(name, 'not an object', undefined)
}

function checked<T>(name: string, schema: ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // Paths and codes only: values of a row may hold a person's prompt, and this text reaches the log.
  const where = result.error.issues.map((issue) => `${issue.path.join('.') || '(root)'}: ${issue.code}`)
  throw badRow(name, where.join('; '), undefined)
}

function badRow(name: string, detail: string, cause: unknown): MeowError {
  return new MeowError('internal', `journal row ${name} is not readable: ${detail}`, {
    cause,
    hint: 'The journal was written by something else or is damaged; move it away to start a new one.',
  })
}
