/** @module pi/capabilities - what is declared for Pi, by requirement; the conformance run earns it. */
import type { Capability } from '../../src/adapter/index.js'

const ROWS: readonly Capability[] = [
  { row: 'N0.1', level: 'supported', note: 'the TUI runs in the terminal; a person can attach to it' },
  { row: 'N0.2', level: 'not_yet', note: 'Pi takes MCP servers from files and from extensions' },
  { row: 'N0.3', level: 'supported', note: "Pi's own auth.json, models.json and key variables" },
  { row: 'N0.4', level: 'supported', note: 'extension message_update; completed text is message_end' },
  { row: 'N0.5', level: 'not_yet', note: 'the extension can block in tool_call and rewrite in tool_result' },
  { row: 'N0.6', level: 'partial', note: 'dialogs are seen (blocked); they are answered in the terminal' },
  { row: 'N0.7', level: 'supported', note: 'extension abort, Escape as fallback; evidence is agent_settled' },
  { row: 'N0.8', level: 'supported', note: 'sent over the extension; the editor is not touched' },
  { row: 'N0.9', level: 'supported', note: 'usage of each response, priced by Pi where it knows a price' },
  { row: 'N1.1', level: 'partial', note: '--model at launch; a change inside Pi is mirrored' },
  { row: 'N1.2', level: 'partial', note: 'session changes made inside Pi are mirrored; none from the web' },
  { row: 'N1.3', level: 'not_yet', note: '--session and --fork exist' },
  { row: 'N1.4', level: 'supported', note: 'thinking deltas and blocks' },
  { row: 'N1.5', level: 'partial', note: 'told as a notice with the tokens before' },
  { row: 'N1.6', level: 'not_yet', note: 'images are counted; sendUserMessage takes image content' },
  { row: 'N2.1', level: 'supported', note: 'tool_execution_update' },
  { row: 'N2.2', level: 'not_yet', note: 'from the working tree, not from Pi' },
  { row: 'N2.3', level: 'not_yet', note: 'images in results are marked, not mirrored' },
  { row: 'N2.4', level: 'unsupported', note: 'Pi has no modes' },
]

/** The same for every version that was tested. */
export function capabilities(_version: string | null): readonly Capability[] {
  return ROWS
}
