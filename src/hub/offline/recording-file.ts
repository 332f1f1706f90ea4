/** @module hub/offline/recording-file - a recording on disk: its cast, whose it is, and the side channels' log beside it. */
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Adapter, VendorReader } from '../../adapter/index.js'
import { errnoOf } from '../../journal/private-files.js'
import { MeowError } from '../../protocol/errors.js'
import { readSideLog, type SideFact } from '../../session/side-log.js'
import { type Cast, readCast, whyCut } from '../../terminal/index.js'

/** Files are read whole; a longer one is no recording of ours. */
const MAX_BYTES = 256 * 1024 * 1024

export interface OpenOptions {
  /** Whose it is; the cast's own header says it unless told. */
  readonly vendor?: string
  /** The side channels' log; the one beside the cast unless told, none with null. */
  readonly side?: string | null
}

export interface OpenedRecording {
  readonly file: string
  readonly cast: Cast
  readonly vendor: VendorReader
  /** The vendor's version as the header tells it. */
  readonly version: string | null
  /** What writes the content: null where the screen does. */
  readonly side: {
    readonly file: string
    readonly adapter: Adapter
    readonly facts: readonly SideFact[]
    /** Its last line is half written. */
    readonly cut: boolean
  } | null
  /** What a person should know about it, a line each. */
  readonly warnings: readonly string[]
}

/**
 * Errors: `not_found` (no such file), `invalid_argument` (it cannot be read, is no asciicast, or nobody says whose it
 * is), `vendor_unknown`, `too_large`.
 */
export function openRecording(
  file: string,
  known: { readonly readers: readonly VendorReader[]; readonly adapters: readonly Adapter[] },
  options: OpenOptions = {},
): OpenedRecording {
  const cast = within(file, () => readCast(readText(file, 'the recording')))
  const warnings: string[] = []
  const why = whyCut(cast)
  if (cast.cut) warnings.push(`${file} ends in the middle of a line: what was whole is read`)
  else if (why !== null) warnings.push(`${file} does not have all of its session: ${why}`)
  const told = cast.header.vendor
  if (options.vendor !== undefined && told !== undefined && told.id !== options.vendor)
    warnings.push(`the recording says that it is of ${told.id}; it is read as ${options.vendor}`)
  const vendor = readerOf(options.vendor ?? told?.id, file, known.readers)
  const version = told?.id === vendor.vendor.id ? told.version : null
  const side = sideOf(file, vendor, known.adapters, options.side, warnings)
  return { file, cast, vendor, version, side, warnings }
}

function readerOf(id: string | undefined, file: string, readers: readonly VendorReader[]): VendorReader {
  const names = readers.map(({ vendor }) => vendor.id).join(', ')
  if (id === undefined) {
    throw new MeowError('invalid_argument', `${file} does not say whose program it shows`, {
      hint: `name it with --vendor: ${names}`,
    })
  }
  const found = readers.find(({ vendor }) => vendor.id === id)
  if (found !== undefined) return found
  throw new MeowError('vendor_unknown', `no vendor whose screen can be read is called ${id}`, {
    hint: `name one with --vendor: ${names}`,
  })
}

function sideOf(
  file: string,
  vendor: VendorReader,
  adapters: readonly Adapter[],
  wanted: string | null | undefined,
  warnings: string[],
): OpenedRecording['side'] {
  if (wanted === null) return null
  const path = wanted ?? siblings(file).find((one) => isFile(one))
  if (path === undefined) return null
  const adapter = adapters.find((one) => one.vendor.id === vendor.vendor.id)
  if (adapter === undefined) {
    if (wanted === undefined) return null
    throw new MeowError('unsupported', `side channels of ${vendor.vendor.id} cannot be replayed`, {
      hint: 'without --side its screen is replayed',
    })
  }
  const { facts, cut } = within(path, () => readSideLog(readText(path, 'the side-channel log')))
  // A session whose side channels told nothing has its screen all the same.
  if (facts.length === 0 && wanted === undefined) {
    warnings.push(`${path} is empty: the screen is replayed`)
    return null
  }
  if (cut) warnings.push(`${path} ends in the middle of a line: what was whole is read`)
  return { file: path, adapter, facts, cut }
}

/** Where the log of a cast may stand: `NAME.side.jsonl`, and `side.jsonl` in a fixture's folder. */
export function siblings(file: string): string[] {
  const folder = dirname(file)
  const name = basename(file)
  const own = join(folder, `${name.replace(/\.cast$/, '')}.side.jsonl`)
  return name === 'session.cast' ? [own, join(folder, 'side.jsonl')] : [own]
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** A file's text. `not_found`, `too_large`, or `invalid_argument` when it cannot be read. */
export function readText(path: string, what: string): string {
  try {
    const stat = statSync(path)
    if (stat.isDirectory()) {
      throw new MeowError('invalid_argument', `${path} is a folder, not ${what}`, {
        hint: 'name a file in it: a recording is NAME.cast, an asciicast of version 2 or 3',
      })
    }
    // A device may never end; a pipe (`<(...)`) does.
    if (!stat.isFile() && !stat.isFIFO())
      throw new MeowError('invalid_argument', `${path} is neither a file nor a pipe`)
    if (stat.size > MAX_BYTES) {
      throw new MeowError('too_large', `${path} has ${stat.size} bytes; at most ${MAX_BYTES} are read`)
    }
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (cause instanceof MeowError) throw cause
    const code = errnoOf(cause)
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new MeowError('not_found', `there is no file ${path}`, {
        cause,
        hint: 'agent-meow record ls shows the recordings of your sessions',
      })
    }
    throw new MeowError('invalid_argument', `${path} cannot be read (${code ?? 'no reason given'})`, {
      cause,
    })
  }
}

/** An error in a file's text, with the file's name. */
function within<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof MeowError) || error.detail.includes(file)) throw error
    const { code, detail, hint } = error
    throw new MeowError(code, `${file}: ${detail}`, { cause: error, ...(hint === undefined ? {} : { hint }) })
  }
}
