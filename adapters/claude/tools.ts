/** @module adapters/claude/tools - Claude Code's tool names as canonical tools. */
import type { CanonicalTool } from '../../src/protocol/items.js'

const TOOLS: Readonly<Record<string, CanonicalTool>> = {
  Bash: 'shell',
  BashOutput: 'shell',
  KillShell: 'shell',
  Read: 'read',
  NotebookRead: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Write: 'write',
  WebFetch: 'fetch',
  WebSearch: 'search',
  Grep: 'search',
  Glob: 'search',
  LS: 'search',
  Task: 'agent',
  Agent: 'agent',
  TodoWrite: 'plan',
  TaskCreate: 'plan',
  TaskUpdate: 'plan',
  ExitPlanMode: 'plan',
  AskUserQuestion: 'question',
}

/** The canonical tool of a name in the transcript or a hook; MCP tools are `mcp__server__tool`. */
export function canonicalTool(name: string): CanonicalTool {
  if (name.startsWith('mcp__')) return 'mcp'
  return TOOLS[name] ?? 'other'
}
