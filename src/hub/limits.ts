/** @module hub/limits - the largest body of each route, and what an error about a size says. */
import type { RouteName } from '../protocol/api.js'
import { MAX_IMAGE_BYTES, MAX_IMAGES, MAX_PROMPT } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'

/** A prompt of the greatest length with every character escaped (6 bytes each), with room to spare. */
const USUAL_BYTES = 8 * 1024 * 1024
/** The same with every image of the greatest size as base64. */
const SEND_BYTES = USUAL_BYTES + MAX_IMAGES * Math.ceil(MAX_IMAGE_BYTES / 3) * 4

/** Bytes of the longest body that a route reads. */
export function bodyLimit(name: RouteName): number {
  return name === 'send' ? SEND_BYTES : USUAL_BYTES
}

/** What a prompt may have, in words. */
const PROMPT_LIMITS = `a prompt may have ${MAX_PROMPT} characters and ${MAX_IMAGES} images of ${MAX_IMAGE_BYTES} bytes each`

/** A body, or a part of it, that is over its limit; `detail` names the limit. */
export function tooLarge(name: RouteName, detail: string): MeowError {
  const ofPrompt = name === 'send' || name === 'editQueued'
  return new MeowError('too_large', detail, ofPrompt ? { hint: PROMPT_LIMITS } : {})
}
