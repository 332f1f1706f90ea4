/** @module adapters/claude/capabilities - what is declared for Claude Code, by requirement; every adapter has every row. */
import type { Capability } from '../../src/adapter/index.js'

const CELLS: readonly Capability[] = [
  { row: 'N0.1', level: 'supported', note: 'a person attaches to the same process' },
  { row: 'N0.2', level: 'not_yet', note: 'it takes MCP servers from --mcp-config' },
  { row: 'N0.3', level: 'supported', note: 'login, key and token are used untouched' },
  {
    row: 'N0.4',
    level: 'partial',
    note: 'by whole lines, in the TUI as well; the unfinished line comes with the completed text',
  },
  { row: 'N0.5', level: 'not_yet', note: 'hooks can deny a tool call' },
  { row: 'N0.6', level: 'partial', note: 'shown as blocked with its text, answered in the terminal' },
  { row: 'N0.7', level: 'supported', note: 'Esc, shown by the transcript or the status file' },
  {
    row: 'N0.8',
    level: 'supported',
    note: 'the program turns a tab into four spaces; the conversation shows it so',
  },
  {
    row: 'N0.9',
    level: 'partial',
    note: "the vendor's usage by a price list; the request that names the session is in no record and not counted",
  },
  { row: 'N0.10', level: 'supported', note: 'a scripted model, no real API call' },
  { row: 'N1.1', level: 'partial', note: 'chosen at launch; changed in the terminal' },
  { row: 'N1.2', level: 'not_yet', note: 'typed in the terminal; the change is mirrored' },
  { row: 'N1.3', level: 'not_yet', note: '--resume and --fork-session exist' },
  { row: 'N1.4', level: 'partial', note: 'told with the completed answer' },
  { row: 'N1.5', level: 'not_yet', note: 'the transcript records it' },
  { row: 'N1.6', level: 'not_yet', note: 'images of a prompt are counted' },
  { row: 'N2.1', level: 'not_yet', note: "a tool's output comes when it ends" },
  { row: 'N2.2', level: 'not_yet', note: 'from the working tree, not from the vendor' },
  { row: 'N2.3', level: 'not_yet', note: 'images in results are marked, not mirrored' },
  { row: 'N2.4', level: 'partial', note: 'mirrored as an event; switched in the terminal' },
]

/** The same for every version that was tested. */
export function capabilities(_version: string | null): readonly Capability[] {
  return CELLS
}
