/** @module web/model/tool-input - a tool call's input in one line, and in full. */
import type { CanonicalTool } from '../../../protocol/items.js'

/** Names under which vendors put the value that says most, best first. */
const TELLING: Readonly<Record<CanonicalTool, readonly string[]>> = {
  shell: ['command', 'cmd', 'script'],
  read: ['file_path', 'path', 'filePath', 'absolute_path', 'file'],
  edit: ['file_path', 'path', 'filePath', 'file'],
  write: ['file_path', 'path', 'filePath', 'file'],
  fetch: ['url', 'uri'],
  search: ['pattern', 'query', 'regex', 'glob', 'q'],
  mcp: [],
  agent: ['description', 'title', 'prompt'],
  plan: ['explanation', 'title'],
  question: ['question', 'header'],
  other: ['description', 'query', 'path', 'file_path', 'url'],
}

const LONGEST = 300

/** One line: the command, the path, the address; else the input as JSON. */
export function inputSummary(tool: CanonicalTool, input: unknown): string {
  const found = record(input) ? telling(tool, input) : typeof input === 'string' ? input : null
  return clip(found ?? (empty(input) ? '' : json(input, 0)))
}

/** The input in full: a lone command as it is, anything else as JSON. */
export function inputText(tool: CanonicalTool, input: unknown): string {
  if (empty(input)) return ''
  if (typeof input === 'string') return input
  if (tool === 'shell' && record(input)) {
    const command = telling(tool, input)
    if (command !== null && Object.keys(input).length === 1) return command
  }
  return json(input, 2)
}

/** The two sides of an edit that names them. */
export function editSides(input: unknown): { removed: string; added: string } | null {
  if (!record(input)) return null
  const removed = input.old_string ?? input.oldString ?? input.oldText ?? input.old_str
  const added = input.new_string ?? input.newString ?? input.newText ?? input.new_str
  return typeof removed === 'string' && typeof added === 'string' ? { removed, added } : null
}

function telling(tool: CanonicalTool, input: Readonly<Record<string, unknown>>): string | null {
  for (const key of TELLING[tool]) {
    const value = input[key]
    if (typeof value === 'string' && value !== '') return value
    if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')) {
      return value.join(' ')
    }
  }
  return null
}

function record(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function empty(input: unknown): boolean {
  return input === undefined || input === null || (record(input) && Object.keys(input).length === 0)
}

function json(value: unknown, indent: number): string {
  return JSON.stringify(value, null, indent) ?? ''
}

function clip(text: string): string {
  const line = text
    .trim()
    .slice(0, LONGEST * 4)
    .replace(/\s+/g, ' ')
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}
