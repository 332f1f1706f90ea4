/** @module adapters/claude/capabilities - the declared matrix of Claude Code; rows as in the requirements. */
import type { Capability } from '../../src/adapter/index.js'

const CELLS: readonly Capability[] = [
  { row: 'N0.1', level: 'supported', note: 'tmux or pty; a person attaches to the same process' },
  { row: 'N0.2', level: 'not_yet', note: 'MCP server of the bridge' },
  { row: 'N0.3', level: 'supported', note: 'login, key and token are used untouched' },
  {
    row: 'N0.4',
    level: 'partial',
    note: 'deltas are whole source lines (MessageDisplay hook), and the TUI draws whole lines meanwhile; the unfinished line comes with the completed text',
  },
  { row: 'N0.5', level: 'not_yet', note: 'policies' },
  {
    row: 'N0.6',
    level: 'not_yet',
    note: 'a dialog is shown as blocked with its text; it is answered in the terminal',
  },
  { row: 'N0.7', level: 'supported', note: 'Esc, proven by the transcript or the status file' },
  {
    row: 'N0.8',
    level: 'supported',
    note: 'prompt hook and transcript; a tab in a prompt becomes four spaces in the program',
  },
  {
    row: 'N0.9',
    level: 'partial',
    note: 'transcript usage x price table; the title request is in no record and not counted',
  },
  { row: 'N0.10', level: 'supported', note: 'scripted model, no real API call' },
]

export function capabilities(_version: string | null): readonly Capability[] {
  return CELLS
}
