/** @module session/side-log - reads a recording's side-channel log. The file is hostile input: every line is checked. */
import { z } from 'zod'
import type { Observation } from '../adapter/index.js'
import { MeowError } from '../protocol/errors.js'
import { SessionState, Source, Tokens, TurnOutcome } from '../protocol/events.js'
import { CanonicalTool, ToolStatus } from '../protocol/items.js'

/** One fact of a side channel; `at` in ms since the recording's start. */
export interface SideFact {
  readonly at: number
  readonly observation: Observation
}

export interface SideLog {
  readonly facts: readonly SideFact[]
  /** The last line is half written (whoever wrote it was killed); it is not among the facts. */
  readonly cut: boolean
}

const text = z.string()
const key = { key: text }
const textKind = z.enum(['assistant_message', 'reasoning'])

function fact<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.object({ source: Source, type: z.literal(type), ...shape })
}

/** Every observation there is; a new kind of it that is missing here does not compile. */
const ObservationSchema: z.ZodType<Observation> = z.discriminatedUnion('type', [
  fact('ready', {}),
  fact('vendor.session', { vendorSessionId: text, transcript: text.nullable() }),
  fact('vendor.version', { version: text }),
  fact('prompt.accepted', { text }),
  fact('turn.started', {}),
  fact('turn.ended', { outcome: TurnOutcome, detail: text.exactOptional() }),
  fact('user.message', { ...key, text, images: z.number().exactOptional() }),
  fact('text.delta', { ...key, kind: textKind, delta: text }),
  fact('text.completed', {
    ...key,
    kind: textKind,
    text,
    partial: z.boolean().exactOptional(),
    beforeKey: text.exactOptional(),
  }),
  fact('tool.started', { callId: text, tool: CanonicalTool, name: text, input: z.unknown() }),
  fact('tool.output', { callId: text, text }),
  fact('tool.completed', {
    callId: text,
    status: ToolStatus.exclude(['running']),
    output: text,
    durationMs: z.number().nonnegative().exactOptional(),
  }),
  fact('usage', { ...key, model: text.nullable(), tokens: Tokens, usd: z.number().exactOptional() }),
  fact('state', { state: SessionState, rule: text, evidence: z.array(text) }),
  fact('model', { model: text }),
  fact('mode', { mode: text }),
  fact('notice', { ...key, level: z.enum(['info', 'warning', 'error']), text }),
  fact('command', { ...key, text }),
  fact('item', { ...key, kind: z.enum(['compaction', 'plan', 'diff', 'panel']), text }),
  fact('dialog.opened', { ...key, title: text, detail: text }),
  fact('dialog.closed', key),
  fact('activity', { activity: text, detail: text.exactOptional() }),
  fact('gap', { what: text, detail: text }),
])

const Line = z.object({ at: z.number().nonnegative(), observation: ObservationSchema })

/** Reads a whole log. Errors: `invalid_argument`, with the number of the line that is wrong. */
export function readSideLog(log: string): SideLog {
  const lines = log.split('\n')
  const facts: SideFact[] = []
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue
    const parsed = Line.safeParse(parseJson(line))
    if (parsed.success) {
      facts.push(parsed.data)
      continue
    }
    // Only the very end of a file can be half written, and then its line end is missing.
    if (i === lines.length - 1) return { facts, cut: true }
    const issue = parsed.error.issues[0]
    const where = issue?.path.join('.') ?? ''
    const why = `${where === '' ? '' : `${where}: `}${issue?.message ?? 'not understood'}`
    throw new MeowError('invalid_argument', `line ${i + 1} of the side-channel log: ${why}`, {
      hint: 'a line is {"at": ms, "observation": {...}}; --screen-only replays without the log',
    })
  }
  return { facts, cut: false }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
