/** @module adapters/gemini/tools - the names that Gemini CLI draws for its tools as canonical tools. */
import type { CanonicalTool } from '../../src/protocol/items.js'

const TOOLS: Readonly<Record<string, CanonicalTool>> = {
  Shell: 'shell',
  'Shell Command': 'shell',
  ReadFile: 'read',
  ReadManyFiles: 'read',
  Edit: 'edit',
  WriteFile: 'write',
  ReadFolder: 'search',
  FindFiles: 'search',
  SearchText: 'search',
  GoogleSearch: 'search',
  WebFetch: 'fetch',
  WriteTodos: 'plan',
  'Enter Plan Mode': 'plan',
  'Exit Plan Mode': 'plan',
  'Ask User': 'question',
  Agent: 'agent',
}

/** A tool of an MCP server: `echo (lab MCP Server)`. */
const MCP = /\(.+ MCP Server\)$/u

export function canonicalTool(name: string): CanonicalTool {
  if (MCP.test(name)) return 'mcp'
  return TOOLS[name] ?? 'other'
}

/** What the line beside the name says of the input. */
export function inputOf(tool: CanonicalTool, text: string): Readonly<Record<string, string>> | null {
  if (text === '') return null
  switch (tool) {
    case 'shell':
      return { command: text }
    case 'read':
      return { path: text }
    case 'edit':
    case 'write':
      // Before it is accepted an edit says `notes.txt: old => new`, a write `Writing to notes.txt`.
      return { path: text.replace(/^Writing to /u, '').replace(/: .* => .*$/su, '') }
    case 'search':
      return { query: text }
    case 'fetch':
      return { url: text }
    default:
      return fieldsOf(text) ?? { text }
  }
}

/** The fields of arguments that are drawn whole as JSON. */
function fieldsOf(text: string): Readonly<Record<string, string>> | null {
  if (!/^\{.*\}$/su.test(text)) return null
  try {
    const fields: unknown = JSON.parse(text)
    if (typeof fields !== 'object' || fields === null) return null
    const entries = Object.entries(fields)
    return Object.fromEntries(entries.map(([k, v]) => [k, typeof v === 'string' ? v : JSON.stringify(v)]))
  } catch {
    return null
  }
}
