/** @module web/model/preview - the part of a long text that is shown first. */

export interface Preview {
  readonly text: string
  /** Lines that are not shown. */
  readonly lines: number
  /** Characters that are not shown. */
  readonly chars: number
}

export interface PreviewLimits {
  readonly lines: number
  readonly chars: number
}

/** The head (or the tail, for output that still grows) of a text, within both limits. */
export function preview(text: string, end: 'head' | 'tail', limits: PreviewLimits): Preview {
  const kept = end === 'head' ? head(text, limits) : tail(text, limits)
  const rest = text.length - kept.length
  if (rest === 0) return { text, lines: 0, chars: 0 }
  return { text: kept, lines: countLines(text) - countLines(kept), chars: rest }
}

function head(text: string, { lines, chars }: PreviewLimits): string {
  let end = -1
  for (let n = 0; n < lines; n += 1) {
    end = text.indexOf('\n', end + 1)
    if (end === -1 || end >= chars) break
  }
  // A lone line break at the end is no further line.
  if (end === -1 || (end === text.length - 1 && end < chars)) end = text.length
  return whole(text.slice(0, Math.min(end, chars)))
}

function tail(text: string, { lines, chars }: PreviewLimits): string {
  let start = text.endsWith('\n') ? text.length - 1 : text.length
  for (let n = 0; n < lines && start > 0; n += 1) start = text.lastIndexOf('\n', start - 1)
  return text.slice(Math.max(start + 1, text.length - chars, 0))
}

/** Never cuts a surrogate pair in two. */
function whole(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text
}

/** Lines of a text; a line break at its end starts no further one. */
export function countLines(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1))
    lines += 1
  return lines
}
