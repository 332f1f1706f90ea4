/** @module test/delivery/pi-user-texts - what the model got of Pi's user. */
import type { LoggedRequest } from '../../src/model-server/index.js'

/** The texts of the user messages of a request, in order. */
export function userTexts(request: LoggedRequest | undefined): string[] {
  const body = request?.body as { messages: { role: string; content: unknown }[] } | undefined
  return (body?.messages ?? [])
    .filter((m) => m.role === 'user')
    .map(({ content }) =>
      typeof content === 'string'
        ? content
        : (content as { text?: string }[]).map((part) => part.text ?? '').join(''),
    )
}
