/** @module cli/safe-text - vendor and model text is hostile input to a person's terminal: no control characters pass. */

import stripAnsi from 'strip-ansi'

/** C0 but tab and line feed, DEL, C1, and the marks that reorder what is read. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Text of several lines, without what a terminal would act on. */
export function safeText(text: string): string {
  return stripAnsi(text).replaceAll('\r\n', '\n').replaceAll(UNSAFE, '')
}

/** One line: line breaks and tabs become spaces, cut to `limit` characters with an ellipsis. */
export function safeLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  const line = safeText(text).replaceAll(/\s+/g, ' ').trim()
  const letters = [...line]
  return letters.length <= limit ? line : `${letters.slice(0, Math.max(0, limit - 1)).join('')}…`
}
