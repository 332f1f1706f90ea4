/** @module session/recording-check - the last look at a finished recording: does any of its screens show a secret? */
import { readFile, stat } from 'node:fs/promises'
import { writePrivateFile } from '../journal/private-files.js'
import type { RecordingInfo } from '../protocol/session.js'
import { CastLines, patchCast, readCast, type Secrets, verifyRedacted } from '../terminal/index.js'

/** Longer ones would take the hub minutes. */
const MAX_CHECK_BYTES = 20 * 1024 * 1024

type Checked = Pick<RecordingInfo, 'check' | 'detail'>

/** Looks through every screen and takes out what it finds. Rejects when the file cannot be read or written. */
export async function checkRecording(file: string, secrets: Secrets): Promise<Checked> {
  const { size } = await stat(file)
  if (size > MAX_CHECK_BYTES)
    return {
      check: 'unchecked',
      detail: `its ${size} bytes are more than is looked through (${MAX_CHECK_BYTES})`,
    }
  const text = await readFile(file, 'utf8')
  const cast = readCast(text)
  const found = await verifyRedacted(cast, secrets)
  if (found.length === 0) return { check: 'clean', detail: null }
  const rules = [...new Set(found.map(({ rule }) => rule))].join(', ')
  const patched = await patchCast(cast, secrets)
  if (patched === null || (await verifyRedacted(patched, secrets)).length > 0)
    return { check: 'refused', detail: `a screen shows what could not be taken out: ${rules}` }
  const lines = text.split('\n')
  const out = new CastLines()
  const comments = lines.filter((line, i) => i > 0 && line.startsWith('#')).map((line) => `${line}\n`)
  // The header as it stands: a reader's view of it may know less than what is there.
  const events = patched.events.map((event) => out.event(event))
  writePrivateFile(file, [`${lines[0]}\n`, ...events, ...comments].join(''))
  return { check: 'patched', detail: `drawn in pieces and taken out afterwards: ${rules}` }
}
