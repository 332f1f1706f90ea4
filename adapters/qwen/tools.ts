/** @module adapters/qwen/tools - the names that Qwen Code draws for its tools as canonical tools. */
import type { CanonicalTool } from '../../src/protocol/items.js'

const TOOLS: Readonly<Record<string, CanonicalTool>> = {
  Shell: 'shell',
  Exec: 'shell',
  'Shell Command': 'shell',
  Read: 'read',
  ReadFile: 'read',
  ReadManyFiles: 'read',
  Edit: 'edit',
  NotebookEdit: 'edit',
  WriteFile: 'write',
  Grep: 'search',
  Glob: 'search',
  ListFiles: 'search',
  WebSearch: 'search',
  ToolSearch: 'search',
  WebFetch: 'fetch',
  Agent: 'agent',
  Task: 'agent',
  TodoList: 'plan',
  TodoWrite: 'plan',
  TaskCreate: 'plan',
  TaskUpdate: 'plan',
  EnterPlanMode: 'plan',
  ExitPlanMode: 'plan',
  AskUserQuestion: 'question',
}

/** A tool of an MCP server: `echo (lab MCP Server)`. */
const MCP = /\(.+ MCP Server\)$/u

export function canonicalTool(name: string): CanonicalTool {
  if (MCP.test(name)) return 'mcp'
  return TOOLS[name] ?? 'other'
}

export const FOLDED_READ = 'Read'

/** Calls that only read are one bold line: `Reading notes.txt…`, then `Read notes.txt`. */
const FOLDED: readonly (readonly [RegExp, string])[] = [
  [/^Read(?:ing)? /u, FOLDED_READ],
  [/^Search(?:ed|ing) (?:for )?/u, 'Grep'],
  [/^List(?:ed|ing) /u, 'ListFiles'],
  [/^Fetch(?:ed|ing) /u, 'WebFetch'],
]

/** The tool of a bold line and what stands beside it there; null where it is a plain name. */
export function foldedName(line: string): { name: string; rest: string } | null {
  const found = FOLDED.find(([pattern]) => pattern.test(line))
  if (!found) return null
  return { name: found[1], rest: line.replace(found[0], '').replace(/…$/u, '') }
}

/** Files that are read together: `a.md, b.md`. A name with blanks may have a comma itself. */
export function filesOf(text: string): readonly string[] {
  const files = text.split(', ')
  return files.every((file) => /^\S+$/u.test(file)) ? files : [text]
}

/** A failed call shows its raw arguments. */
const RAW = /^\{"(command|file_path|absolute_path|path|pattern|query|url)":"((?:[^"\\]|\\.)*)/u

/** What the line beside the name says of the input. */
export function inputOf(tool: CanonicalTool, text: string): Readonly<Record<string, string>> | null {
  if (text === '') return null
  if (tool === 'mcp' || tool === 'other') return fieldsOf(text) ?? { text }
  const raw = RAW.exec(text)
  const value = raw ? unescaped(raw[2] ?? '') : text
  switch (tool) {
    case 'shell':
      // Behind the command stands the model's own description of it.
      return { command: raw ? value : value.replace(/ \(\p{Lu}[^()]*\)$/u, '') }
    case 'read':
      return /^\d+ files?$/u.test(value) ? { text: value } : { path: value }
    case 'edit':
    case 'write':
      return { path: value.replace(/^Writing to /u, '').replace(/: .* => .*$/su, '') }
    case 'search':
      return { query: value }
    case 'fetch':
      return { url: value }
    default:
      return { text: value }
  }
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
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
