/**
 * Makes a reply ready to be sent: tool intents become calls of offered tools, token counts and the stop
 * reason are settled, and the number of tool calls after one prompt is capped so that every loop ends.
 *
 * @module model-server/prepare
 */

import { inputCharacters, turnState } from './conversation.js'
import type { Reply, ReplyPart, StopReason, ToolIntent, Usage } from './reply.js'
import type { ModelRequest } from './request.js'
import { describeIntent, fitTool } from './tools.js'
import type { ToolCall } from './wire.js'

/** A part that needs no further decision. */
export type PreparedPart = Exclude<ReplyPart, { type: 'tool' }> | { type: 'tool'; call: ToolCall }

/** A reply that needs no further decision. */
export interface PreparedReply {
  parts: PreparedPart[]
  usage: Usage
  stop: StopReason
}

/** What preparing depends on beside the reply and the request. */
export interface PrepareOptions {
  maxToolCalls: number
  newToolCallId: () => string
}

/** Tokens that a number of characters counts for. */
export function tokensFor(characters: number): number {
  return Math.ceil(characters / 4)
}

function defaultUsage(parts: readonly PreparedPart[], request: ModelRequest): Usage {
  let output = 0
  let reasoning = 0
  for (const part of parts) {
    if (part.type === 'text') output += part.text.length
    if (part.type === 'tool') output += part.call.name.length + JSON.stringify(part.call.input).length
    if (part.type === 'reasoning') reasoning += part.text.length
  }
  return {
    input: tokensFor(inputCharacters(request)),
    output: tokensFor(output + reasoning),
    cacheRead: 0,
    cacheWrite: 0,
    reasoning: tokensFor(reasoning),
  }
}

function settleUsage(usage: Usage, scripted: NonNullable<Reply['usage']>): Usage {
  const output = scripted.output ?? usage.output
  return {
    input: scripted.input ?? usage.input,
    output,
    cacheRead: scripted.cacheRead ?? usage.cacheRead,
    cacheWrite: scripted.cacheWrite ?? usage.cacheWrite,
    reasoning: scripted.reasoning ?? Math.min(usage.reasoning, output),
  }
}

function fitPart(intent: ToolIntent, request: ModelRequest, newId: () => string): PreparedPart {
  const fitted = fitTool(intent, request)
  if (fitted === null) return { type: 'text', text: `(No tool is offered for: ${describeIntent(intent)})\n` }
  return { type: 'tool', call: { id: intent.id ?? newId(), ...fitted } }
}

/** Prepares a reply for one request. */
export function prepareReply(reply: Reply, request: ModelRequest, options: PrepareOptions): PreparedReply {
  let room = options.maxToolCalls - turnState(request.items).results.length
  const parts: PreparedPart[] = []
  let refused = 0
  for (const part of reply.parts) {
    if (part.type !== 'tool') {
      parts.push(part)
      continue
    }
    const fitted = fitPart(part.call, request, options.newToolCallId)
    if (fitted.type === 'tool') room -= 1
    if (fitted.type === 'tool' && room < 0) refused += 1
    else parts.push(fitted)
  }
  if (refused > 0) {
    const text = `(Stopped: no more than ${options.maxToolCalls} tool calls after one prompt.)`
    parts.push({ type: 'text', text })
  }
  const calls = parts.some((part) => part.type === 'tool')
  const stop = reply.stop === 'tool' || reply.stop === undefined ? (calls ? 'tool' : 'end') : reply.stop
  return { parts, stop, usage: settleUsage(defaultUsage(parts, request), reply.usage ?? {}) }
}
