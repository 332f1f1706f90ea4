/** @module terminal/cast/foreign - what a file is that is no asciicast version 2 or 3, and what a person can do about it. */
import { z } from 'zod'
import { MeowError } from '../../protocol/errors.js'

const READ = 'asciicast versions 2 and 3 are read'
/** `convert` came with version 3 of asciinema. */
const CONVERT = `${READ}: make one of it with "asciinema convert OLD NEW.cast" (asciinema 3)`
const NAME_A_CAST = `${READ}: name the file NAME.cast of a recording`

/** How the files begin that are likely to be named by mistake; as text, where a byte that is no UTF-8 is U+FFFD. */
const PACKED: readonly (readonly [string, string, string])[] = [
  ['\u001f\ufffd', 'it is compressed with gzip', 'gunzip'],
  ['(\ufffd/\ufffd', 'it is compressed with zstd', 'unzstd'],
  ['\ufffd7zXZ', 'it is compressed with xz', 'unxz'],
  ['BZh', 'it is compressed with bzip2', 'bunzip2'],
  ['PK\u0003\u0004', 'it is a zip archive', 'unzip'],
]

const Versioned = z.object({ version: z.union([z.number(), z.string()]) })
const Fact = z.object({ at: z.number(), observation: z.object({}) })
const Told = z.object({ t: z.number(), type: z.string() })

/** The error that fits a text whose first line is no header that we read; null when it says nothing better than that. */
export function foreign(text: string, firstLine: string): MeowError | null {
  if (text.trim() === '') return refusal('it is empty', `${READ}: nothing was recorded in this file`)
  for (const [head, what, how] of PACKED)
    if (text.startsWith(head)) return refusal(what, `${READ}: unpack it first (${how} FILE)`)
  if (firstLine.includes('\0') || firstLine.includes('\ufffd')) return refusal('it is no text', NAME_A_CAST)
  const head = parsed(firstLine)
  // Version 1 is one JSON value, often over many lines.
  const value = head === undefined && text.startsWith('{') ? parsed(text) : head
  if (value === undefined) return refusal('line 1 of the recording: the header is no JSON', NAME_A_CAST)
  const versioned = Versioned.safeParse(value)
  if (versioned.success) return ofVersion(versioned.data.version)
  if (Fact.safeParse(value).success)
    return refusal('it is the side-channel log of a recording', `${READ}: name the NAME.cast beside it`)
  if (Told.safeParse(value).success) return refusal('it holds the events of a replay', NAME_A_CAST)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refusal('line 1 of the recording: the header is no JSON object', NAME_A_CAST)
  return refusal('line 1 of the recording: the header names no version', NAME_A_CAST)
}

function ofVersion(version: number | string): MeowError | null {
  if (version === 2 || version === 3) return null
  if (version === 1) return refusal('it is an asciicast of version 1', CONVERT)
  const said = JSON.stringify(version).slice(0, 40)
  return refusal(`it is an asciicast of version ${said}`, `${READ}: have its recorder write one of those`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(what: string, hint: string): MeowError {
  return new MeowError('invalid_argument', what, { hint })
}
