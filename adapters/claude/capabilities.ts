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
  {
    row: 'N0.6',
    level: 'partial',
    note: 'answered from both sides by key; what wants words, and lists of several answers, in the terminal',
  },
  {
    row: 'N0.7',
    level: 'supported',
    note: 'Esc, shown by the transcript or the status file; its own queue is sent at once then',
  },
  {
    row: 'N0.8',
    level: 'supported',
    note: 'the program turns a tab into four spaces, composes accents, cuts blanks at the end; the conversation too',
  },
  {
    row: 'N0.9',
    level: 'partial',
    note: "the vendor's usage by a price list; the request that names the session is in no record and not counted",
  },
  { row: 'N0.10', level: 'supported', note: 'a scripted model, no real API call' },
  {
    row: 'N1.1',
    level: 'partial',
    note: "at launch, and while it runs by its list of models; other names it would save as the user's default",
  },
  {
    row: 'N1.2',
    level: 'partial',
    note: 'clear, compact, model, mode, rename, fork, resume, exit; effort max and ultracode: it saves the others',
  },
  { row: 'N1.3', level: 'partial', note: 'resume and fork of its own sessions' },
  { row: 'N1.4', level: 'partial', note: 'told with the completed answer' },
  { row: 'N1.5', level: 'partial', note: 'told when it is done; the tokens before are not' },
  { row: 'N1.6', level: 'supported', note: 'as bytes' },
  { row: 'N2.1', level: 'not_yet', note: "a tool's output comes when it ends" },
  { row: 'N2.2', level: 'not_yet', note: 'from the working tree, not from the vendor' },
  { row: 'N2.3', level: 'not_yet', note: 'images in results are marked, not mirrored' },
  { row: 'N2.4', level: 'supported', note: 'by Shift+Tab, seen in the footer' },
]

/** The same for every version that was tested. */
export function capabilities(_version: string | null): readonly Capability[] {
  return CELLS
}
