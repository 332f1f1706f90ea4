/**
 * @module hub/replay-job - one recording read back as a conversation, bounded in bytes, events and time.
 *
 * It takes the whole processor while it runs: the hub gives it a thread of its own (`replays.ts`).
 */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Adapter, VendorReader } from '../adapter/index.js'
import { errnoOf } from '../journal/private-files.js'
import type { ReplaySummary } from '../protocol/api.js'
import { asMeowError, MeowError } from '../protocol/errors.js'
import { type ReplayOptions, replay } from '../session/replay.js'
import { replayWithSide } from '../session/replay-side.js'
import { readSideLog, type SideFact } from '../session/side-log.js'
import { type Cast, readCast } from '../terminal/index.js'

export interface ReplayJob {
  /** The recording's name. */
  readonly name: string
  /** Absolute path of the asciicast. */
  readonly file: string
  /** Absolute path of the side channels' log. */
  readonly sideFile: string
}

/** Who can read what. */
export interface Known {
  readonly readers: readonly VendorReader[]
  /** Those whose side channels can be replayed, too. */
  readonly adapters: readonly Adapter[]
}

export interface ReplayLimits {
  /** Bytes of each of the two files that are read. */
  readonly fileBytes: number
  readonly events: number
  /** UTF-16 units of the events' text. */
  readonly chars: number
  /** Time that the reading of the file and the replay may take. */
  readonly ms: number
}

export const REPLAY_LIMITS: ReplayLimits = {
  fileBytes: 128 * 1024 * 1024,
  events: 20_000,
  chars: 8 * 1024 * 1024,
  ms: 30_000,
}

/**
 * JSON lines: a `ReplaySummary`, then the events in order. What ended early, or could not be read at all, is said in the
 * summary's `detail`.
 *
 * Errors: `not_found` when the file is gone, or what is in its place is no file.
 */
export async function replayText(
  job: ReplayJob,
  known: Known,
  limits: ReplayLimits = REPLAY_LIMITS,
): Promise<string> {
  const until = performance.now() + limits.ms
  const { text, whole } = await readStart(job.file, limits.fileBytes)
  const lines: string[] = []
  const answer = (cast: Cast | null, told: ReplaySummary['told'], why: readonly (string | null)[]) => {
    const reasons = why.filter((one) => one !== null)
    const summary: ReplaySummary = {
      recording: job.name,
      vendor: cast?.header.vendor?.id ?? null,
      vendorVersion: cast?.header.vendor?.version ?? null,
      told,
      events: lines.length,
      complete: reasons.length === 0,
      detail: reasons.length === 0 ? null : reasons.join('; '),
    }
    return `${[JSON.stringify(summary), ...lines].join('\n')}\n`
  }
  let cast: Cast
  try {
    cast = readCast(text)
  } catch (thrown) {
    return answer(null, null, [asMeowError(thrown).detail])
  }
  const { vendor } = cast.header
  if (vendor === undefined) return answer(cast, null, ['the recording does not say whose program it shows'])
  const reader = known.readers.find((one) => one.vendor.id === vendor.id)
  if (reader === undefined) return answer(cast, null, [`nothing here reads the screens of ${vendor.id}`])
  const adapter = known.adapters.find((one) => one.vendor.id === vendor.id)
  const side = adapter === undefined ? NO_SIDE : await readSide(job.sideFile, limits.fileBytes)
  const ended = await run(limits, until, lines, (options) =>
    adapter !== undefined && side.facts.length > 0
      ? replayWithSide(cast, adapter, side.facts, options)
      : replay(cast, reader, options),
  )
  const short = whole ? null : `only its first ${mb(limits.fileBytes)} were read`
  return answer(cast, side.facts.length > 0 ? 'side_channels' : 'screen', [ended, short, side.fault])
}

interface Side {
  readonly facts: readonly SideFact[]
  /** Why there are none, or not all; null when nothing is wrong. */
  readonly fault: string | null
}

const NO_SIDE: Side = { facts: [], fault: null }

/** What the side channels told; a session that has none is read from its screen. */
async function readSide(path: string, most: number): Promise<Side> {
  try {
    const { text, whole } = await readStart(path, most)
    return {
      facts: readSideLog(text).facts,
      fault: whole ? null : `only the first ${mb(most)} of its side channels were read`,
    }
  } catch (thrown) {
    const { code, detail } = asMeowError(thrown)
    return code === 'not_found' ? NO_SIDE : { facts: [], fault: `its screen is told alone: ${detail}` }
  }
}

/** Thrown out of a replay that has reached a bound. */
class Enough extends Error {}

/** Null when it came to its end; otherwise why not. `until` is on the clock of `performance`. */
async function run(
  limits: ReplayLimits,
  until: number,
  lines: string[],
  begin: (options: ReplayOptions) => Promise<unknown>,
): Promise<string | null> {
  let chars = 0
  const pace = async (atMs: number) => {
    const upTo = `the conversation is told up to second ${Math.round(atMs / 1000)}`
    if (lines.length >= limits.events) throw new Enough(`${upTo}: it has more than ${limits.events} events`)
    if (chars >= limits.chars) throw new Enough(`${upTo}: it has more than ${mb(limits.chars)} of text`)
    if (performance.now() > until) throw new Enough(`${upTo}: reading on would take too long`)
  }
  try {
    await begin({
      pace,
      onEvent: (event) => {
        if (lines.length >= limits.events || chars >= limits.chars) return
        const line = JSON.stringify(event)
        chars += line.length
        lines.push(line)
      },
    })
    return null
  } catch (thrown) {
    // A reader of ours that fails on a screen must not cost what was told before it.
    return thrown instanceof Enough
      ? thrown.message
      : `the reading failed there: ${asMeowError(thrown).detail}`
  }
}

async function readStart(path: string, most: number): Promise<{ text: string; whole: boolean }> {
  try {
    // A link or a pipe may have been put in its place: then it is not what was recorded.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = await file.stat()
      if (!stat.isFile())
        throw new MeowError('not_found', `there is no file in the recording's place: ${path}`)
      const { size } = stat
      const bytes = Buffer.alloc(Math.min(size, most))
      let have = 0
      while (have < bytes.length) {
        const { bytesRead } = await file.read(bytes, have, bytes.length - have, have)
        if (bytesRead === 0) break
        have += bytesRead
      }
      return { text: bytes.toString('utf8', 0, have), whole: size <= most }
    } finally {
      await file.close()
    }
  } catch (cause) {
    const code = errnoOf(cause)
    if (code !== 'ENOENT' && code !== 'ELOOP') throw cause
    throw new MeowError('not_found', `the recording's file is not there any more: ${path}`, { cause })
  }
}

function mb(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}
