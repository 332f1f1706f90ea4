/** @module cli/image-file - images of a prompt, read on the person's machine: the session may run on another. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type ImageInput, MAX_IMAGE_BYTES, MAX_IMAGES } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import { UsageError } from './exits.js'

type Mime = Extract<ImageInput, { mime: string }>['mime']

/** The kinds that vendors take, by their first bytes: a name may lie. */
const KINDS: readonly { readonly mime: Mime; readonly magic: RegExp }[] = [
  { mime: 'image/png', magic: /^\x89PNG\r\n\x1a\n/u },
  { mime: 'image/jpeg', magic: /^\xff\xd8\xff/u },
  { mime: 'image/gif', magic: /^GIF8[79]a/u },
  { mime: 'image/webp', magic: /^RIFF[\s\S]{4}WEBP/u },
]
const MAGIC_BYTES = 12

/**
 * The files (relative to `cwd`) as the API takes them. All are looked at before one is sent: `not_found`, `too_large`
 * (over {@link MAX_IMAGE_BYTES}), `invalid_argument` (no image of a kind that is taken).
 */
export function readImages(cwd: string, files: readonly string[]): ImageInput[] {
  if (files.length > MAX_IMAGES)
    throw new UsageError(`a prompt takes ${MAX_IMAGES} images at most, not ${files.length}`)
  for (const file of files) mustFit(cwd, file)
  return files.map((file) => imageOf(file, readFileSync(resolve(cwd, file))))
}

function mustFit(cwd: string, file: string): void {
  const stat = statSync(resolve(cwd, file), { throwIfNoEntry: false })
  if (stat?.isFile() !== true) throw new MeowError('not_found', `there is no file ${file}`)
  if (stat.size <= MAX_IMAGE_BYTES) return
  throw new MeowError('too_large', `${file} has ${stat.size} bytes; ${MAX_IMAGE_BYTES} is the most`, {
    hint: 'make it smaller, or name the file in the prompt and let the program read it',
  })
}

function imageOf(file: string, bytes: Buffer): ImageInput {
  const head = bytes.subarray(0, MAGIC_BYTES).toString('latin1')
  const kind = KINDS.find(({ magic }) => magic.test(head))
  if (kind !== undefined) return { mime: kind.mime, base64: bytes.toString('base64') }
  throw new MeowError('invalid_argument', `${file} is no image of a kind that is taken`, {
    hint: 'PNG, JPEG, GIF and WebP are',
  })
}
