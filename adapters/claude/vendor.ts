/** @module adapters/claude/vendor - what the program is called and how to get it. */
import type { VendorFacts } from '../../src/adapter/index.js'

export const vendor: VendorFacts = {
  id: 'claude',
  name: 'Claude Code',
  binaries: ['claude'],
  binaryVariable: 'AGENT_MEOW_CLAUDE_BIN',
  testedVersions: ['2.1.197'],
  installHint: 'npm install -g @anthropic-ai/claude-code',
  loginHint: 'run `claude` once and log in, or set ANTHROPIC_API_KEY',
  versionArgs: ['--version'],
}
