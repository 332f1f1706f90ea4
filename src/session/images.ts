/** @module session/images - images of a prompt as files that the vendor can read. */
import { createHash } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readSync, statSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { type ImageInput, MAX_IMAGE_BYTES } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'

/** First bytes of the kinds that vendors take, and the name's end for each. */
const KINDS: readonly { readonly mime: string; readonly end: string; readonly magic: RegExp }[] = [
  { mime: 'image/png', end: 'png', magic: /^\x89PNG\r\n\x1a\n/u },
  { mime: 'image/jpeg', end: 'jpg', magic: /^\xff\xd8\xff/u },
  { mime: 'image/gif', end: 'gif', magic: /^GIF8[79]a/u },
  { mime: 'image/webp', end: 'webp', magic: /^RIFF[\s\S]{4}WEBP/u },
]
const MAGIC_BYTES = 16

/**
 * Absolute paths of the images; bytes are written (0600) below the session's folder, under the message's id. Errors:
 * `invalid_argument` (not there, not an image that vendors take), `too_large`.
 */
export function imageFiles(
  sessionDir: string,
  messageId: string,
  images: readonly ImageInput[],
): readonly string[] {
  // An id may hold signs that a name of a file may not.
  const name = createHash('sha256').update(messageId).digest('hex').slice(0, 24)
  return images.map((image, n) => {
    if ('path' in image) return checkedPath(image.path)
    const bytes = Buffer.from(image.base64, 'base64')
    const kind = kindOf(bytes)
    if (kind?.mime !== image.mime)
      throw new MeowError('invalid_argument', `image ${n + 1} is no ${image.mime}: its bytes say otherwise`)
    if (bytes.length > MAX_IMAGE_BYTES) throw tooLarge(`image ${n + 1}`, bytes.length)
    const folder = join(sessionDir, 'images')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, `${name}-${n + 1}.${kind.end}`)
    writeFileSync(file, bytes, { mode: 0o600 })
    return file
  })
}

function checkedPath(path: string): string {
  if (!isAbsolute(path)) {
    throw new MeowError('invalid_argument', `the path of an image must be absolute: ${path}`, {
      hint: 'the session may run in another folder',
    })
  }
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isFile()) throw new MeowError('invalid_argument', `there is no file ${path}`)
  if (stat.size > MAX_IMAGE_BYTES) throw tooLarge(path, stat.size)
  const head = Buffer.alloc(MAGIC_BYTES)
  const fd = openSync(path, 'r')
  try {
    readSync(fd, head, 0, MAGIC_BYTES, 0)
  } finally {
    closeSync(fd)
  }
  if (!kindOf(head))
    throw new MeowError('invalid_argument', `${path} is no image of a kind that is taken`, {
      hint: `png, jpeg, gif or webp`,
    })
  return path
}

function kindOf(bytes: Uint8Array) {
  const head = Buffer.from(bytes.subarray(0, MAGIC_BYTES)).toString('latin1')
  return KINDS.find(({ magic }) => magic.test(head))
}

function tooLarge(what: string, bytes: number): MeowError {
  return new MeowError('too_large', `${what} has ${bytes} bytes; ${MAX_IMAGE_BYTES} is the most`)
}
