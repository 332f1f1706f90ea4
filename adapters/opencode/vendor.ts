/** @module opencode/vendor - facts about OpenCode. */
import type { VendorFacts } from '../../src/adapter/index.js'

export const vendor: VendorFacts = {
  id: 'opencode',
  name: 'OpenCode',
  binaries: ['opencode'],
  binaryVariable: 'AGENT_MEOW_OPENCODE_BIN',
  testedVersions: ['1.18.33'],
  installHint: 'npm install -g opencode-ai',
  loginHint: 'Run `opencode` and type /connect, or set a provider key such as ANTHROPIC_API_KEY.',
  versionArgs: ['--version'],
}
