/** @module web/state/image-files - files that a person pasted, dropped or chose, read as images of a prompt. */
import { MAX_IMAGES } from '../../../protocol/commands.js'
import { type ImageMime, imageMime, imageRefusal, SNIFFED_BYTES, tooManyImages } from '../model/images.js'
import type { DraftImage } from './drafts.js'
import { newMessageId } from './send.js'

/** Longer side of a thumbnail, in pixels. */
const THUMBNAIL = 96

export interface ReadImages {
  readonly images: readonly DraftImage[]
  /** Why some were refused, one sentence each. */
  readonly refused: readonly string[]
}

/** Reads what may go with a prompt that has `present` images already. */
export async function readImages(files: readonly File[], present: number): Promise<ReadImages> {
  const images: DraftImage[] = []
  const refused: string[] = []
  let over = 0
  for (const file of files) {
    if (present + images.length >= MAX_IMAGES) {
      over += 1
      continue
    }
    const read = await readImage(file)
    if (typeof read === 'string') refused.push(read)
    else images.push(read)
  }
  if (over > 0) refused.push(tooManyImages(over))
  return { images, refused }
}

/** The image, or why it is none. */
async function readImage(file: File): Promise<DraftImage | string> {
  const name = file.name === '' ? 'The image' : file.name
  try {
    const mime = imageMime(new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer()))
    const refusal = imageRefusal(name, file.size, mime)
    if (refusal !== null || mime === null) return refusal ?? ''
    const thumbnail = await thumbnailOf(new Blob([file], { type: mime }))
    return { id: newMessageId(crypto), name, mime, base64: await base64Of(file, mime), thumbnail }
  } catch {
    return `${name} cannot be read as an image.`
  }
}

/** Drawn small once: the whole image is not kept decoded. Throws when it is broken. */
async function thumbnailOf(blob: Blob): Promise<string> {
  const bitmap = await createImageBitmap(blob)
  const scale = Math.min(1, THUMBNAIL / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return canvas.toDataURL('image/png')
}

function base64Of(file: File, mime: ImageMime): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onerror = () => reject(reader.error ?? new Error(`${mime} is unreadable`))
    reader.onload = () => {
      const url = typeof reader.result === 'string' ? reader.result : ''
      resolve(url.slice(url.indexOf(',') + 1))
    }
    reader.readAsDataURL(file)
  })
}
