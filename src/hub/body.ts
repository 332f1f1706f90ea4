/** @module hub/body - a request's body, with a cap, as JSON. */
import { MeowError } from '../protocol/errors.js'

/** `undefined` for an empty body; what `tooLarge` makes as soon as the cap (bytes) is passed, read or not. */
export async function readJson(
  request: Request,
  cap: number,
  tooLarge: (detail: string) => MeowError,
): Promise<unknown> {
  const over = (): MeowError => tooLarge(`the body is over ${cap} bytes`)
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > cap) throw over()
  const chunks: Uint8Array[] = []
  let size = 0
  if (request.body !== null) {
    for await (const chunk of request.body) {
      size += chunk.length
      if (size > cap) throw over()
      chunks.push(chunk)
    }
  }
  if (size === 0) return undefined
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    // The parser's message quotes the text, which may be a prompt.
    throw new MeowError('invalid_argument', 'the body is not JSON')
  }
}
