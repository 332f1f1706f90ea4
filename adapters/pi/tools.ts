/** @module pi/tools - Pi's tool names as canonical tools. */
import type { CanonicalTool } from '../../src/protocol/items.js'

const TOOLS: Readonly<Record<string, CanonicalTool>> = {
  bash: 'shell',
  powershell: 'shell',
  codemode: 'shell',
  read: 'read',
  edit: 'edit',
  write: 'write',
  grep: 'search',
  find: 'search',
  ls: 'search',
}

/** The canonical tool of a name; MCP tools are `mcp__server__tool`. */
export function canonicalTool(name: string): CanonicalTool {
  if (name.startsWith('mcp__')) return 'mcp'
  return TOOLS[name] ?? 'other'
}
