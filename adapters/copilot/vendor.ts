/** @module adapters/copilot/vendor - what the program is called and how to get it. */
import type { VendorFacts } from '../../src/adapter/index.js'

export const vendor: VendorFacts = {
  id: 'copilot',
  name: 'GitHub Copilot CLI',
  binaries: ['copilot'],
  binaryVariable: 'AGENT_MEOW_COPILOT_BIN',
  testedVersions: ['1.0.102'],
  installHint: 'npm install -g @github/copilot',
  loginHint: 'run `copilot` and type /login, or set COPILOT_PROVIDER_BASE_URL for a provider of your own',
  versionArgs: ['--version'],
}
