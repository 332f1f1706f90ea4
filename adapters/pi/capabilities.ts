/** @module pi/capabilities - what is declared for Pi, by requirement; every adapter has every row. */
import type { Capability } from '../../src/adapter/index.js'

const ROWS: readonly Capability[] = [
  { row: 'N0.1', level: 'supported', note: 'a person attaches to the same process' },
  { row: 'N0.2', level: 'not_yet', note: 'Pi takes MCP servers from files and from extensions' },
  { row: 'N0.3', level: 'supported', note: "Pi's own auth.json, models.json and key variables" },
  { row: 'N0.4', level: 'supported', note: 'as it is written; completed text is message_end' },
  { row: 'N0.5', level: 'not_yet', note: 'the extension can block in tool_call and rewrite in tool_result' },
  { row: 'N0.6', level: 'partial', note: 'lists are answered from both sides, text fields in the terminal' },
  { row: 'N0.7', level: 'supported', note: 'through the extension; shown by agent_settled' },
  { row: 'N0.8', level: 'supported', note: 'sent over the extension; the editor is not touched' },
  { row: 'N0.9', level: 'supported', note: 'usage of each response, at the price Pi knows' },
  { row: 'N0.10', level: 'supported', note: 'a scripted model, no real API call' },
  { row: 'N1.1', level: 'supported', note: 'at launch and while it runs' },
  { row: 'N1.2', level: 'partial', note: 'clear, compact, model, effort, rename, fork, resume, exit' },
  { row: 'N1.3', level: 'partial', note: 'resume and fork of its own sessions' },
  { row: 'N1.4', level: 'supported', note: 'as it is written' },
  { row: 'N1.5', level: 'partial', note: 'told with the tokens before' },
  { row: 'N1.6', level: 'supported', note: 'as bytes' },
  { row: 'N2.1', level: 'supported', note: 'while the tool runs' },
  { row: 'N2.2', level: 'not_yet', note: 'from the working tree, not from the vendor' },
  { row: 'N2.3', level: 'not_yet', note: 'images in results are marked, not mirrored' },
  { row: 'N2.4', level: 'unsupported', note: 'Pi has no modes' },
]

/** The same for every version that was tested. */
export function capabilities(_version: string | null): readonly Capability[] {
  return ROWS
}
