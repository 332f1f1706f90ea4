/** @module terminal/cast/read-cast - reads asciicast v2 and v3. The file is hostile input: every line is checked. */
import { z } from 'zod'
import { MeowError } from '../../protocol/errors.js'
import {
  CAPPED,
  type Cast,
  type CastEnding,
  type CastEvent,
  type CastEventKind,
  type CastHeader,
  castSize,
} from './cast.js'
import { foreign } from './foreign.js'

const Cells = z.number().int().min(1).max(65_535)
const Text = z.string().nullish()

/** What both versions may carry, and what we add. Unknown names pass: the format allows them. */
const common = {
  timestamp: z.number().nullish(),
  command: Text,
  title: Text,
  env: z.record(z.string(), z.string()).nullish(),
  vendor: z.object({ id: z.string(), version: z.string().nullable() }).nullish(),
  backend: Text,
  tmux: Text,
  fromStart: z.boolean().nullish(),
  redacted: z.array(z.string()).nullish(),
}
const Header = z.discriminatedUnion('version', [
  z.object({ version: z.literal(2), width: Cells, height: Cells, ...common }),
  z.object({
    version: z.literal(3),
    term: z.object({ cols: Cells, rows: Cells, type: Text }),
    ...common,
  }),
])
/** In seconds: more is no time, also where a recorder wrote the time of day. */
const MAX_SECONDS = 1e11
const Line = z.tuple([z.number().min(0).max(MAX_SECONDS), z.string().min(1), z.unknown()])
const KINDS: ReadonlySet<string> = new Set<CastEventKind>(['o', 'i', 'r', 'm', 'x'])

/**
 * Reads a whole recording. Events of codes that we do not know are left out, as the format asks; their time counts.
 *
 * Errors: `invalid_argument`, with the number of the line that is wrong, and for another kind of file with what it is. A
 * half last line without a line end is none.
 */
export function readCast(text: string): Cast {
  // Editors of some systems put a byte order mark at the head.
  const whole = text.startsWith('\ufeff') ? text.slice(1) : text
  const lines = whole.split('\n')
  const header = readHeader(lines[0] ?? '', whole)
  const closed = lines.some((line, i) => i > 0 && line.startsWith('# {'))
  const last = lines.length - 1
  const events: CastEvent[] = []
  // In whole microseconds: a sum of many fractions would drift.
  let clock = 0
  for (const [i, line] of lines.entries()) {
    if (i === 0 || line.trim() === '' || line.startsWith('#')) continue
    const parsed = parseLine(line)
    if (typeof parsed === 'string') {
      // Only the very end of a file can be half written, and then its line end is missing.
      if (i === last) return { header, events, cut: true, ...endingOf(header, events, closed) }
      throw wrongLine(i + 1, parsed)
    }
    const [seconds, kind, data] = parsed
    const micros = Math.round(seconds * 1e6)
    // A time that steps back (v2) is taken as "no later": players cannot go back either.
    clock = header.version === 3 ? clock + micros : Math.max(clock, micros)
    if (isKind(kind)) events.push({ at: clock / 1000, kind, data: checked(kind, data, i + 1) })
  }
  return { header, events, cut: false, ...endingOf(header, events, closed) }
}

/** Only our own recorder tells its end: by a marker, or by a comment as its last line. */
function endingOf(
  { redacted }: CastHeader,
  events: readonly CastEvent[],
  closed: boolean,
): { ending?: CastEnding } {
  if (redacted === undefined) return {}
  const { kind, data = '' } = events.at(-1) ?? {}
  if (kind === 'm' && (data === CAPPED || data.startsWith(`${CAPPED}:`))) return { ending: 'capped' }
  return { ending: closed ? 'closed' : 'open' }
}

function isKind(kind: string): kind is CastEventKind {
  return KINDS.has(kind)
}

function parseLine(line: string): z.infer<typeof Line> | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'it is no JSON'
  }
  const parsed = Line.safeParse(value)
  return parsed.success ? parsed.data : 'an event is [seconds, code, text]'
}

function checked(kind: CastEventKind, data: unknown, line: number): string {
  // Exit codes and old sizes are written as bare numbers by some.
  if (kind === 'x' && typeof data === 'number') return String(data)
  if (typeof data !== 'string') throw wrongLine(line, `the text of an event ${kind} is no string`)
  if (kind === 'r' && castSize(data) === null) throw wrongLine(line, 'a size is COLSxROWS')
  return data
}

function readHeader(line: string, text: string): CastHeader {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw foreign(text, line) ?? wrongLine(1, 'the header is no JSON', cause)
  }
  const parsed = Header.safeParse(value)
  if (!parsed.success) {
    const why = z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' ')
    throw foreign(text, line) ?? wrongLine(1, why)
  }
  const head = parsed.data
  const size =
    head.version === 2
      ? { cols: head.width, rows: head.height, term: head.env?.TERM }
      : { cols: head.term.cols, rows: head.term.rows, term: head.term.type ?? undefined }
  const { timestamp, command, title, env, vendor, backend, tmux, fromStart, redacted } = head
  return {
    version: head.version,
    ...given({ ...size, timestamp, command, title, env, vendor, backend, fromStart, redacted }),
    // Null is a statement here: no tmux was there.
    ...(tmux === undefined ? {} : { tmux }),
  }
}

type Given<T> = { [K in keyof T]: Exclude<T[K], null | undefined> }

/** Without what is null or missing. */
function given<T extends object>(values: T): Given<T> {
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(entries) as Given<T>
}

function wrongLine(line: number, what: string, cause?: unknown): MeowError {
  return new MeowError('invalid_argument', `line ${line} of the recording: ${what}`, {
    hint: 'asciicast version 2 or 3 is read (one JSON value a line)',
    ...(cause === undefined ? {} : { cause }),
  })
}
