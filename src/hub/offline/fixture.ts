/** @module hub/offline/fixture - recordings that are tests: a folder each, with the events that they must give. */
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Adapter, VendorReader } from '../../adapter/index.js'
import { errnoOf } from '../../journal/private-files.js'
import { MeowError } from '../../protocol/errors.js'
import { whyCut } from '../../terminal/index.js'
import { expectedLines } from './expected.js'
import { isFile, type OpenedRecording, openRecording, readText, siblings } from './recording-file.js'
import { replayRecording } from './replay-recording.js'

/** The files of a fixture's folder. */
export const FIXTURE = {
  cast: 'session.cast',
  side: 'side.jsonl',
  truth: 'truth.json',
  /** What the screen alone gives. */
  expected: 'expected.jsonl',
  /** What the side channels give, where the vendor's can be replayed. */
  expectedSide: 'expected.side.jsonl',
  /** What a reader of it must know: `cut`, why the recording does not have all of its session. */
  notes: 'notes.json',
} as const

export interface NewFixture {
  /** The recording's file. */
  readonly cast: string
  /** The folder of all fixtures. */
  readonly root: string
  readonly name: string
  /** As the recording's header says unless told. */
  readonly vendor?: string
  readonly version?: string
  /** What truly happened. */
  readonly truth?: string
  /** Replace one that is there. */
  readonly force?: boolean
  /** Take a recording that does not have all of its session; the fixture's notes say so. */
  readonly allowCut?: boolean
}

export interface AddedFixture {
  readonly folder: string
  /** Why the recording does not have all of its session; null when it has. */
  readonly cut: string | null
}

const PART = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/**
 * Makes `<root>/<vendor>/<version>/<name>/`. Errors: `conflict` (it is there), `invalid_argument` (a name
 * that is no folder's, a truth that is none, a pipe, a recording that is cut), `state_unwritable`, and those of {@link openRecording}.
 */
export async function addFixture(
  fixture: NewFixture,
  known: { readonly readers: readonly VendorReader[]; readonly adapters: readonly Adapter[] },
): Promise<AddedFixture> {
  const { cast, vendor } = fixture
  for (const file of [cast, fixture.truth]) if (file !== undefined) checkKept(file)
  const recording = openRecording(cast, known, vendor === undefined ? {} : { vendor })
  const cut = cutOf(recording)
  if (cut !== null && fixture.allowCut !== true) {
    throw new MeowError('invalid_argument', `${cast} does not have all of its session: ${cut}`, {
      hint: 'record it again; or take it as it is with --allow-cut, and the notes of the fixture will say so',
    })
  }
  const version = fixture.version ?? recording.version
  if (version === null) {
    throw new MeowError('invalid_argument', `${cast} does not say of which version it is`, {
      hint: 'name it with --version',
    })
  }
  const parts = [recording.vendor.vendor.id, version, fixture.name]
  for (const part of parts) {
    if (PART.test(part)) continue
    throw new MeowError('invalid_argument', `${part} cannot be the name of a fixture's folder`, {
      hint: 'letters, digits, dots, dashes and underscores',
    })
  }
  if (fixture.truth !== undefined) checkTruth(fixture.truth)
  const side = siblings(cast).find((one) => isFile(one))
  const folder = join(fixture.root, ...parts)
  if (existsSync(folder) && fixture.force !== true) {
    throw new MeowError('conflict', `there is a fixture ${folder} already`, {
      hint: 'choose another --name, or replace it with --force',
    })
  }
  const expected = await expectedOf(recording)
  try {
    mkdirSync(folder, { recursive: true })
    // Replaced, a fixture keeps its truth unless another is given.
    rmSync(join(folder, FIXTURE.notes), { force: true })
    for (const old of [FIXTURE.side, FIXTURE.expectedSide])
      if (side !== join(folder, old)) rmSync(join(folder, old), { force: true })
    copy(cast, join(folder, FIXTURE.cast))
    if (side !== undefined) copy(side, join(folder, FIXTURE.side))
    if (fixture.truth !== undefined) copy(fixture.truth, join(folder, FIXTURE.truth))
    if (cut !== null) writeFileSync(join(folder, FIXTURE.notes), `${JSON.stringify({ cut }, null, 1)}\n`)
    for (const [file, lines] of Object.entries(expected))
      writeFileSync(join(folder, file), lines.map((line) => `${line}\n`).join(''))
  } catch (cause) {
    throw new MeowError('state_unwritable', `${folder} cannot be written (${errnoOf(cause)})`, { cause })
  }
  return { folder, cut }
}

/** The lines of each file of expected events. */
export async function expectedOf(recording: OpenedRecording): Promise<Record<string, string[]>> {
  const screen = await replayRecording({ ...recording, side: null })
  const files = { [FIXTURE.expected]: expectedLines(screen) }
  if (recording.side === null) return files
  return { ...files, [FIXTURE.expectedSide]: expectedLines(await replayRecording(recording)) }
}

/** Why the recording, or its side channels' log, is not whole; null when both are. */
function cutOf({ cast, side }: OpenedRecording): string | null {
  return whyCut(cast) ?? (side?.cut === true ? `${side.file} ends in the middle of a line` : null)
}

/** What is read and then copied must be there twice: a pipe (`<(...)`) is empty the second time. */
function checkKept(file: string): void {
  if (!existsSync(file) || isFile(file)) return
  throw new MeowError('invalid_argument', `${file} is no regular file: it cannot be copied into a fixture`, {
    hint: 'write it to a file first, and name that',
  })
}

function checkTruth(file: string): void {
  let truth: unknown
  try {
    truth = JSON.parse(readText(file, 'a truth file'))
  } catch (cause) {
    if (cause instanceof MeowError) throw cause
    throw new MeowError('invalid_argument', `${file} is no JSON`, { cause })
  }
  const items = typeof truth === 'object' && truth !== null && 'items' in truth ? truth.items : null
  if (!Array.isArray(items)) throw new MeowError('invalid_argument', `${file} has no list of items`)
}

/** A fixture may be made again of its own files. */
function copy(from: string, to: string): void {
  if (from !== to) copyFileSync(from, to)
}
