/** @module session/recording-catalog - which recordings there are: one small file for each, in one folder. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf, unwritable, writePrivateFile } from '../journal/private-files.js'
import { RecordingInfo } from '../protocol/session.js'

/** Recordings of one session at most: a bound for the search of a free name. */
const MAX_PER_SESSION = 10_000

/** Takes a name that no recording has, `SESSION-1`, `-2` ..., and lists the recording under it. */
export function newRecording(
  folder: string,
  sessionId: string,
  make: (name: string) => RecordingInfo,
): RecordingInfo {
  for (let n = 1; n <= MAX_PER_SESSION; n += 1) {
    const info = make(`${sessionId}-${n}`)
    const path = pathOf(folder, info.name)
    try {
      closeSync(openSync(path, 'wx', 0o600))
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') continue
      throw unwritable(path, 'the recording cannot be listed', error)
    }
    saveRecording(folder, info)
    return info
  }
  throw unwritable(folder, 'the session has too many recordings', undefined)
}

export function saveRecording(folder: string, info: RecordingInfo): void {
  writePrivateFile(pathOf(folder, info.name), `${JSON.stringify(info)}\n`)
}

/** A recording that could not begin is none. */
export function forgetRecording(folder: string, name: string): void {
  rmSync(pathOf(folder, name), { force: true })
}

/** Every listed recording, newest first; a file that is no listing is passed over. */
export function readRecordings(folder: string): RecordingInfo[] {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    // No folder yet: nothing was recorded.
    return []
  }
  const found = names.flatMap((name) => {
    if (!name.endsWith('.json')) return []
    const info = readOne(join(folder, name))
    // The file's own name says nothing but the name in it: a listing that was moved is none.
    return info !== null && `${info.name}.json` === name ? [info] : []
  })
  return found.sort((a, b) => b.startedAt - a.startedAt)
}

function readOne(path: string): RecordingInfo | null {
  try {
    // A pipe in its place would hold up everybody.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    let text: string
    try {
      if (!fstatSync(file).isFile()) return null
      text = readFileSync(file, 'utf8')
    } finally {
      closeSync(file)
    }
    const parsed = RecordingInfo.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

function pathOf(folder: string, name: string): string {
  return join(folder, `${name}.json`)
}
