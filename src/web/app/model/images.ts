/** @module web/model/images - which files may go with a prompt: by what they are, not by how they are named. */
import { type ImageInput, MAX_IMAGE_BYTES, MAX_IMAGES } from '../../../protocol/commands.js'

export type ImageMime = Extract<ImageInput, { mime: string }>['mime']

/** For the file picker. */
export const IMAGE_MIMES: readonly ImageMime[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Bytes that {@link imageMime} looks at. */
export const SNIFFED_BYTES = 12

const SIGNATURES: readonly { mime: ImageMime; matches: (text: string) => boolean }[] = [
  { mime: 'image/png', matches: (text) => text.startsWith('\u0089PNG\r\n\u001a\n') },
  { mime: 'image/jpeg', matches: (text) => text.startsWith('\u00ff\u00d8\u00ff') },
  { mime: 'image/gif', matches: (text) => /^GIF8[79]a/.test(text) },
  { mime: 'image/webp', matches: (text) => text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP' },
]

/** The kind of an image by its first bytes; null for anything that a prompt does not take. */
export function imageMime(head: Uint8Array): ImageMime | null {
  const text = String.fromCharCode(...head.subarray(0, SNIFFED_BYTES))
  return SIGNATURES.find(({ matches }) => matches(text))?.mime ?? null
}

/** Why a file is refused; null when it is taken. `mime` as {@link imageMime} found it. */
export function imageRefusal(name: string, bytes: number, mime: ImageMime | null): string | null {
  if (mime === null) return `${name} is not a PNG, JPEG, GIF or WebP image.`
  if (bytes <= MAX_IMAGE_BYTES) return null
  return `${name} has ${megabytes(bytes)}; an image may have ${megabytes(MAX_IMAGE_BYTES)}.`
}

/** Said when more files came than a prompt takes. */
export function tooManyImages(leftOut: number): string {
  return `A prompt takes ${MAX_IMAGES} images; ${leftOut} ${leftOut === 1 ? 'was' : 'were'} left out.`
}

function megabytes(bytes: number): string {
  // A file just over the limit must not read as the limit itself.
  return `${(Math.ceil(bytes / 10_000) / 100).toLocaleString('en')} MB`
}
