/** @module codex/vendor - facts about Codex. */
import type { VendorFacts } from '../../src/adapter/index.js'

export const vendor: VendorFacts = {
  id: 'codex',
  name: 'Codex',
  binaries: ['codex'],
  binaryVariable: 'AGENT_MEOW_CODEX_BIN',
  testedVersions: ['0.171.0'],
  installHint: 'npm install -g @openai/codex',
  loginHint: 'Run `codex login`, or set a provider with an env_key in ~/.codex/config.toml.',
  versionArgs: ['--version'],
}
