/**
 * Requests that a vendor sends beside the conversation: a title for the session, a summary for
 * compaction, a suggested next prompt. They are answered sensibly and use up no script.
 *
 * @module model-server/side-requests
 */

import { turnState } from './conversation.js'
import { findDirective } from './directive.js'
import { objectAt } from './json.js'
import { type Reply, textReply } from './reply.js'
import type { ModelRequest } from './request.js'
import { fillSchema } from './tools.js'

/** What a request is for. */
export type RequestKind = 'turn' | 'title' | 'other'

const SUGGESTION = /^\[SUGGESTION MODE/
const SUMMARY_PROMPT =
  /create a detailed summary of (?:the|this|our) conversation|^Provide a detailed (?:prompt|summary)/m
/** The one line under which Gemini CLI lists an earlier session. */
const ONE_LINE = /^Summari[sz]e the user's primary intent\b[^\n]*\bone sentence\b/i
const TITLE_TASK = /^(?:you are|your task is to|generate|create|write)\b[^\n]{0,120}\btitle/im
const SUMMARY_TASK = /^(?:you are|your task is to|generate|create|write|summari[sz]e)\b[^\n]{0,120}\bsummar/im

/** What stands before the person's words in a task that quotes them. */
const QUOTED_PROMPT = /^[\s\S]*^User prompt:$/m

function looksLike(pattern: RegExp, request: ModelRequest, prompt: string): boolean {
  if (pattern.test(request.system)) return true
  return findDirective(prompt) === null && pattern.test(prompt)
}

/** Tells a turn of the conversation from the requests around it. */
export function classify(request: ModelRequest): RequestKind {
  const { prompt } = turnState(request.items)
  if ([SUGGESTION, ONE_LINE, SUMMARY_PROMPT].some((pattern) => pattern.test(prompt))) return 'other'
  // Codex offers a tool even where it wants nothing but a title.
  const titled = 'title' in objectAt(request.outputSchema, 'properties')
  if (titled && TITLE_TASK.test(prompt)) return 'title'
  if (request.tools.length > 0) return 'turn'
  if (request.outputSchema !== null) return titled ? 'title' : 'other'
  if (request.maxTokens === 1) return 'other'
  if (looksLike(TITLE_TASK, request, prompt)) return 'title'
  return looksLike(SUMMARY_TASK, request, prompt) ? 'other' : 'turn'
}

/** A title of at most six words from what was asked. */
export function titleFor(prompt: string): string {
  const words = prompt
    .replace(QUOTED_PROMPT, '')
    .replaceAll(/<[^>]*>|MEOW:\s*(?:text|think|bash)?|;;\s*\w*|&&&/g, ' ')
    .replaceAll(/[^\p{L}\p{N}\s'-]/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 6)
  const title = words.join(' ').slice(0, 60)
  return title === '' ? 'Scripted session' : title.charAt(0).toUpperCase() + title.slice(1)
}

function summaryText(request: ModelRequest): string {
  const prompts = request.items.flatMap((item) => (item.type === 'user' ? [item.text] : [])).slice(0, -1)
  const asked = prompts.slice(-5).map((text) => `- asked: ${text.replaceAll(/\s+/g, ' ').slice(0, 120)}`)
  return [`<summary>`, `Scripted summary of ${prompts.length} prompts.`, ...asked, `</summary>`].join('\n')
}

/** The answer to a request that is no turn. */
export function sideReply(request: ModelRequest, kind: Exclude<RequestKind, 'turn'>): Reply {
  const { prompt } = turnState(request.items)
  if (request.outputSchema !== null) {
    // A model that should speak on by itself would never let a turn end.
    const known = { title: titleFor(prompt), next_speaker: 'user' }
    return textReply(JSON.stringify(fillSchema(request.outputSchema, known)))
  }
  if (kind === 'title') return textReply(titleFor(prompt))
  if (SUGGESTION.test(prompt)) return textReply('list files')
  if (ONE_LINE.test(prompt)) return textReply('Run a script of the scripted model')
  if (SUMMARY_PROMPT.test(prompt) || looksLike(SUMMARY_TASK, request, prompt)) {
    return textReply(summaryText(request))
  }
  return textReply('ok')
}
