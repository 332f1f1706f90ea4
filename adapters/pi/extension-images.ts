/** @module pi/extension-images - image files of a prompt as Pi takes them: their bytes, and what kind they are. */
import { readFile, stat } from 'node:fs/promises'
import type { PiImage } from './extension-api.js'

/** Greatest file that is read, in bytes. */
const MAX_BYTES = 20_000_000

/** First bytes of the kinds that Pi takes. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
]

/** The files' bytes; rejects with words for a person. */
export async function readImages(paths: readonly string[]): Promise<PiImage[]> {
  const images: PiImage[] = []
  for (const path of paths) {
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw new Error(`the image ${path} is larger than ${MAX_BYTES} bytes`)
    const bytes = await readFile(path)
    const head = bytes.toString('latin1', 0, 16)
    const kind = KINDS.find(([, begins]) => begins.test(head))
    if (!kind) throw new Error(`${path} is no PNG, JPEG, GIF or WebP image`)
    images.push({ type: 'image', data: bytes.toString('base64'), mimeType: kind[0] })
  }
  return images
}
