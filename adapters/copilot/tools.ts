/** @module adapters/copilot/tools - titles of tool rows as the vendor's tool names and canonical tools. */
import type { CanonicalTool } from '../../src/protocol/items.js'

export interface Tool {
  readonly tool: CanonicalTool
  /** The vendor's name where the title tells it, else the title. */
  readonly name: string
}

const TITLES: Readonly<Record<string, Tool>> = {
  Shell: { tool: 'shell', name: 'bash' },
  Read: { tool: 'read', name: 'view' },
  'List directory': { tool: 'read', name: 'view' },
  Edit: { tool: 'edit', name: 'edit' },
  Create: { tool: 'write', name: 'create' },
  Write: { tool: 'write', name: 'write' },
  Search: { tool: 'search', name: 'grep' },
  'Web search': { tool: 'search', name: 'web_search' },
  'Web fetch': { tool: 'fetch', name: 'web_fetch' },
  Fetch: { tool: 'fetch', name: 'web_fetch' },
  'Asking user': { tool: 'question', name: 'ask_user' },
  'Asked user': { tool: 'question', name: 'ask_user' },
  'Execution subagent': { tool: 'agent', name: 'task' },
  Explore: { tool: 'agent', name: 'task' },
  'Read shell output': { tool: 'other', name: 'read_bash' },
  'Stop shell': { tool: 'other', name: 'stop_bash' },
  'List shells': { tool: 'other', name: 'list_bash' },
  'Checking my documentation': { tool: 'other', name: 'fetch_copilot_cli_documentation' },
  web_fetch: { tool: 'fetch', name: 'web_fetch' },
  web_search: { tool: 'search', name: 'web_search' },
  task: { tool: 'agent', name: 'task' },
  update_todo: { tool: 'plan', name: 'update_todo' },
}

/** Behind the title: the server of a tool, or the tool where the title is what the model says of the call. */
const MCP = /^\(MCP: (.+?)\)/u
const OWN_NAME = /^\((sql)\)/u
/** Behind an agent's title: the model that it has. */
const MODEL = /^\(model: [^)]+\)/u

/** The tool of a row: `echo` followed by `(MCP: lab)` is the tool `echo` of the server `lab`. */
export function toolOf(title: string, rest: string): Tool {
  const known = Object.hasOwn(TITLES, title) ? TITLES[title] : undefined
  if (known) return known
  const server = MCP.exec(rest)?.[1]
  if (server) return { tool: 'mcp', name: `${server}-${title}` }
  const own = OWN_NAME.exec(rest)?.[1]
  if (own) return { tool: 'other', name: own }
  if (/^Todos?\b/u.test(title)) return { tool: 'plan', name: 'sql' }
  if (/\bagent$/iu.test(title)) return { tool: 'agent', name: title }
  return { tool: 'other', name: title }
}

/** Without the bracket behind a title: a server's, a name's, a model's. */
export const withoutOwner = (rest: string): string =>
  rest.replace(MCP, '').replace(OWN_NAME, '').replace(MODEL, '').trim()
