/**
 * The wires that the server speaks. A new API is one more file and one more line here.
 *
 * @module model-server/wires
 */

import type { Wire, WireOperation } from './wire.js'
import { anthropicWire } from './wire-anthropic.js'
import { geminiWire } from './wire-gemini.js'
import { openaiChatWire } from './wire-openai-chat.js'
import { openaiResponsesWire } from './wire-openai-responses.js'

/** Every wire, in the order in which a path is offered to them. */
export const WIRES: readonly Wire[] = [anthropicWire, openaiChatWire, openaiResponsesWire, geminiWire]

/** The wire and operation of a POST path, or null. */
export function wireFor(path: string): { wire: Wire; operation: WireOperation } | null {
  for (const wire of WIRES) {
    const operation = wire.operation(path)
    if (operation !== null) return { wire, operation }
  }
  return null
}
