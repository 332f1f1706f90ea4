/** @module opencode/tools - OpenCode's tool names as canonical tools. */
import type { CanonicalTool } from '../../src/protocol/items.js'

const TOOLS: Readonly<Record<string, CanonicalTool>> = {
  bash: 'shell',
  read: 'read',
  list: 'read',
  edit: 'edit',
  multiedit: 'edit',
  patch: 'edit',
  apply_patch: 'edit',
  write: 'write',
  glob: 'search',
  grep: 'search',
  websearch: 'search',
  codesearch: 'search',
  webfetch: 'fetch',
  task: 'agent',
  todowrite: 'plan',
  todoread: 'plan',
  plan_enter: 'plan',
  plan_exit: 'plan',
  question: 'question',
  skill: 'other',
  execute: 'other',
  lsp: 'other',
  invalid: 'other',
}

/** The canonical tool of a name; tools of MCP servers are `server_tool`. */
export function canonicalTool(name: string): CanonicalTool {
  return TOOLS[name] ?? (name.includes('_') ? 'mcp' : 'other')
}
