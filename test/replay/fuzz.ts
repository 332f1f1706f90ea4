/** @module test/replay/fuzz - sessions of broken bytes through one screen and every vendor's reader. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readers } from '../../adapters/registry.js'
import type { Observation } from '../../src/adapter/index.js'
import { countingIds } from '../../src/protocol/ids.js'
import { Conversation } from '../../src/session/conversation.js'
import { ReplayClock } from '../../src/session/replay.js'
import { ScreenConversation } from '../../src/session/screen-conversation.js'
import { type Cast, readCast, Screen } from '../../src/terminal/index.js'
import { type Piece, piecesOf } from './drive.js'
import { keptBy, Steps } from './fuzz-bounds.js'
import { brought, corpusOf, randomBytes } from './fuzz-bytes.js'
import { painterReader } from './painter.js'
import { conversation, random, record } from './recorded.js'

/** Strings that one session gets. */
export const STRINGS = 25
/** A session may begin with so many bytes of a recording, so that readers have something to read. */
const BEGINNING = 40_000
/** Lines of scrollback: few, so that they are often full. */
const SCROLLBACK = 100
/** Most steps that a string may cost: of its length, and of each frame's rows for each reader. */
const stepsFor = (bytes: number, frames: number) => 20_000 + bytes * 400 + frames * 40_000
/** Most that one reader may keep after any session. */
export const KEPT = { objects: 60_000, units: 3_000_000 }

/** What a session came to. */
export interface Outcome {
  readonly problems: readonly string[]
  readonly objects: number
  readonly units: number
  /** The dearest string's steps. */
  readonly steps: number
}

export { Steps }

/** What is mutated, and the recordings with which sessions begin. */
export interface FuzzCorpus {
  readonly strings: readonly Uint8Array[]
  readonly recordings: readonly Recorded[]
}

interface Recorded {
  readonly bytes: Uint8Array
  readonly cols: number
  readonly rows: number
}

/** Most bytes of a recording that are used. */
const USED = 300_000
const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), '../../fixtures')

function outputOf(cast: Cast): Recorded {
  const bytes = Buffer.concat(piecesOf(cast).map((piece) => piece.bytes ?? new Uint8Array()))
  const { cols, rows } = cast.header
  return { bytes: bytes.subarray(0, USED), cols: Math.max(2, cols), rows: Math.max(2, rows) }
}

/** Conversations of the painter and the project's own recordings, at most so many of a vendor. */
export function fuzzCorpus(ofEach = Number.POSITIVE_INFINITY): FuzzCorpus {
  const drawn = [3, 5, 9].flatMap((seed) =>
    (['ink', 'alt'] as const).map((kind) => {
      const next = random(seed)
      return outputOf(record(kind, conversation(next), next, { resizes: false, cut: false }))
    }),
  )
  const casts = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.cast'))
    .sort()
  const kept = readers.flatMap(({ vendor }) =>
    casts.filter((path) => path.startsWith(vendor.id)).slice(0, ofEach),
  )
  const recordings = [
    ...drawn,
    ...kept.map((path) => outputOf(readCast(readFileSync(join(FIXTURES, path), 'utf8')))),
  ]
  return { strings: corpusOf(recordings.map(({ bytes }) => bytes)), recordings }
}

/** Runs the session of a seed; `steps` watches the emulators of this process. */
export function fuzzSession(seed: number, corpus: FuzzCorpus, steps: Steps): Outcome {
  const next = random(seed)
  const problems: string[] = []
  const clock = new ReplayClock()
  const begin = next(2) === 0 ? corpus.recordings[next(corpus.recordings.length)] : undefined
  const { cols, rows } = begin ?? { cols: 2 + next(130), rows: 2 + next(50) }
  const screen = new Screen({
    cols,
    rows,
    scrollback: SCROLLBACK,
    clock,
    onFault: (error) => problems.push(told(error)),
  })
  const vendors = [...readers, painterReader]
  const conversations = vendors.map((vendor) => {
    const watched = steps.watch(vendor)
    const events = new Conversation(countingIds(), () => null, null)
    const done = new Set<string>()
    const reader = new ScreenConversation(watched, clock, (observations) => {
      for (const observation of observations) {
        const key = completedKey(observation)
        if (key !== null && done.has(key)) problems.push(`${vendor.vendor.id} told ${key} twice`)
        if (key !== null) done.add(key)
        events.observe(observation)
      }
    })
    screen.onFrame((frame) => reader.frame(frame))
    return { vendor, watched, reader }
  })
  let frames = 0
  screen.onFrame(() => {
    frames += 1
  })
  let most = 0
  let n = 0
  try {
    for (; n < STRINGS && problems.length === 0; n += 1) {
      const bytes =
        n === 0 && begin ? begin.bytes.subarray(0, next(BEGINNING)) : randomBytes(corpus.strings, next)
      const pieces = n === 0 && begin ? plain(bytes, clock.now()) : brought(bytes, clock.now(), next)
      const bound = stepsFor(bytes.length, pieces.length * 2 + 10)
      steps.start(bound)
      frames = 0
      for (const piece of pieces) {
        clock.advance(piece.at)
        if (piece.bytes) screen.write(piece.bytes)
        if (piece.size) screen.resize(piece.size.cols, piece.size.rows)
      }
      clock.advance(clock.now() + 40 + next(4000))
      // xterm 6.0.0 can break its own buffer; the screen mends it, so that it happens once and not with every print.
      if (screen.faults > 1)
        problems.push(`the emulator failed ${screen.faults} times, ${steps.taken} steps of ${bound}`)
      if (frames > pieces.length * 2 + 10) problems.push(`${frames} frames of ${pieces.length} pieces`)
      most = Math.max(most, steps.taken)
    }
    for (const { reader } of conversations) reader.end()
  } catch (error) {
    problems.push(told(error))
  }
  steps.start(Number.POSITIVE_INFINITY)
  let objects = 0
  let units = 0
  for (const { vendor, watched, reader } of conversations) {
    const kept = keptBy(reader, new Set<unknown>([clock, vendor, watched, ...watched.grammar.rules]))
    objects = Math.max(objects, kept.objects)
    units = Math.max(units, kept.units)
    if (kept.objects > KEPT.objects || kept.units > KEPT.units)
      problems.push(`${vendor.vendor.id} keeps ${kept.objects} objects, ${kept.units} characters`)
  }
  screen.dispose()
  return {
    problems: problems.map((text) => `seed ${seed}, string ${n}: ${text}`),
    objects,
    units,
    steps: most,
  }
}

/** Bytes in reads of a usual size. */
function plain(bytes: Uint8Array, at: number): Piece[] {
  return Array.from({ length: Math.ceil(bytes.length / 2000) }, (_, n) => ({
    at: at + n * 20,
    bytes: bytes.subarray(n * 2000, n * 2000 + 2000),
  }))
}

const told = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

/** The item that an observation tells for good. */
function completedKey(observation: Observation): string | null {
  switch (observation.type) {
    case 'text.completed':
    case 'user.message':
    case 'notice':
    case 'command':
    case 'item':
      return observation.key
    case 'tool.completed':
      return observation.callId
    default:
      return null
  }
}
