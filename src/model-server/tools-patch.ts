/**
 * File changes for clients that offer one tool which takes a patch, instead of write and edit tools.
 *
 * @module model-server/tools-patch
 */

import type { ToolIntent } from './reply.js'
import type { ModelRequest } from './request.js'

type FileIntent = Extract<ToolIntent, { tool: 'write' | 'edit' }>

/** The lines of a text; a newline at its end begins no further line. */
function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return text.endsWith('\n') ? lines.slice(0, -1) : lines
}

/**
 * A patch replaces whole lines. Where the last results show the text inside longer lines, those lines are
 * taken; else the text is taken for whole lines.
 */
function wholeLines(old: string, request: ModelRequest): string {
  for (const item of request.items.toReversed()) {
    const at = item.type === 'tool_result' ? item.text.indexOf(old) : -1
    if (at === -1) continue
    const end = item.text.indexOf('\n', at + old.length)
    return item.text.slice(item.text.lastIndexOf('\n', at) + 1, end === -1 ? undefined : end)
  }
  return old
}

/** The change as a patch in the format of Codex's `apply_patch`. */
export function patchFor(intent: FileIntent, request: ModelRequest): string {
  const body: string[] = []
  if (intent.tool === 'write') {
    body.push(`*** Add File: ${intent.path}`, ...linesOf(intent.content).map((line) => `+${line}`))
  } else {
    const before = wholeLines(intent.old, request)
    const after = before.replace(intent.old, () => intent.new)
    body.push(`*** Update File: ${intent.path}`, '@@')
    body.push(...linesOf(before).map((line) => `-${line}`), ...linesOf(after).map((line) => `+${line}`))
  }
  return ['*** Begin Patch', ...body, '*** End Patch', ''].join('\n')
}
