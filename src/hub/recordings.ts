/** @module hub/recordings - the listed recordings and their files; nothing that is not listed can be read. */
import { constants, lstatSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf } from '../journal/private-files.js'
import { MeowError } from '../protocol/errors.js'
import type { RecordingInfo } from '../protocol/session.js'
import type { Recorder } from '../session/handle.js'
import { readRecordings } from '../session/recording-catalog.js'
import type { ReplayRecording } from './replays.js'

export interface RecordingsOptions {
  /** The state home. */
  readonly home: string
  /** The recorder of a living session. */
  readonly recorderOf: (sessionId: string) => Recorder | undefined
  /** Reads a recording back as a conversation; absent where nothing can. */
  readonly replay?: ReplayRecording | undefined
}

/** Recordings in a list, the newest ones. */
const MAX_LISTED = 1000

export class Recordings {
  readonly #options: RecordingsOptions

  constructor(options: RecordingsOptions) {
    this.#options = options
  }

  /** Newest first. */
  list(): RecordingInfo[] {
    return readRecordings(join(this.#options.home, 'recordings'))
      .slice(0, MAX_LISTED)
      .map((info) => this.#asItIs(info))
  }

  /** The asciicast's text; one that is being written gives what it has so far. */
  async cast(name: string): Promise<string> {
    return await readText(this.#given(name).file)
  }

  /** What the side channels told, a JSON value a line. */
  async side(name: string): Promise<string> {
    return await readText(this.#given(name).sideFile)
  }

  /** The conversation that the recording shows, as JSON lines: a `ReplaySummary`, then its events. */
  async events(name: string, signal: AbortSignal): Promise<string> {
    const { file, sideFile } = this.#given(name)
    const { replay } = this.#options
    if (replay === undefined) throw new MeowError('unsupported', 'this hub does not read recordings back')
    return await replay({ name, file, sideFile }, signal)
  }

  #given(name: string): RecordingInfo {
    const info = this.list().find((one) => one.name === name)
    if (info === undefined) {
      const hint = 'agent-meow record ls shows them'
      throw new MeowError('not_found', `there is no recording ${name}`, { hint })
    }
    if (info.check === 'refused') {
      throw new MeowError(
        'forbidden',
        `recording ${name} is not given out: ${info.detail ?? 'it shows a secret'}`,
        {
          hint: `look at it yourself, on this machine: ${info.file}`,
        },
      )
    }
    return info
  }

  /** A listing that says "recording" is only true while its recorder says so, too. */
  #asItIs(info: RecordingInfo): RecordingInfo {
    if (info.state !== 'recording') return info
    const now = this.#options.recorderOf(info.sessionId)?.current()
    if (now?.name === info.name) return now
    // Saved when it began; nobody was there to say how much came.
    const bytes = sizeOf(info.file) + sizeOf(info.sideFile)
    return { ...info, bytes, state: 'lost', detail: 'the hub that wrote it ended without closing it' }
  }
}

/** In bytes; 0 for what is not there, or is no file. */
function sizeOf(path: string): number {
  try {
    const stat = lstatSync(path)
    return stat.isFile() ? stat.size : 0
  } catch {
    return 0
  }
}

async function readText(path: string): Promise<string> {
  try {
    // A link or a pipe may have been put in its place: then it is not what was recorded.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      if (!(await file.stat()).isFile())
        throw new MeowError('not_found', `there is no file in the recording's place: ${path}`)
      return await file.readFile('utf8')
    } finally {
      await file.close()
    }
  } catch (cause) {
    const code = errnoOf(cause)
    if (code !== 'ENOENT' && code !== 'ELOOP') throw cause
    throw new MeowError('not_found', `the recording's file is not there any more: ${path}`, { cause })
  }
}
