/** @module codex/tools - Codex's tools by their own names, and by the words that its cells begin with. */
import type { CanonicalTool } from '../../src/protocol/items.js'

const TOOLS: Readonly<Record<string, CanonicalTool>> = {
  exec_command: 'shell',
  write_stdin: 'shell',
  shell: 'shell',
  Bash: 'shell',
  apply_patch: 'edit',
  read_file: 'read',
  view_image: 'read',
  list_dir: 'search',
  grep_files: 'search',
  web_search: 'search',
  update_plan: 'plan',
  request_user_input: 'question',
  spawn_agent: 'agent',
  send_input: 'agent',
  wait_agent: 'agent',
  close_agent: 'agent',
}

/** The canonical tool of a name in a rollout, a hook or the app server; MCP tools are `mcp__server__tool`. */
export function canonicalTool(name: string): CanonicalTool {
  if (name.startsWith('mcp__')) return 'mcp'
  return TOOLS[name] ?? 'other'
}

/** The tool that a cell's bold word stands for; null where the word is none of a tool. */
export function toolOfWord(word: string): string | null {
  return WORDS[word] ?? null
}

const WORDS: Readonly<Record<string, string>> = {
  Ran: 'exec_command',
  Running: 'exec_command',
  Exited: 'exec_command',
  Waited: 'write_stdin',
  Waiting: 'write_stdin',
  Edited: 'apply_patch',
  Added: 'apply_patch',
  Deleted: 'apply_patch',
  Viewed: 'view_image',
  Searched: 'web_search',
  Searching: 'web_search',
  Spawned: 'spawn_agent',
}
