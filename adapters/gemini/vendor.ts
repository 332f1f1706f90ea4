/** @module adapters/gemini/vendor - facts about Gemini CLI. */
import type { VendorFacts } from '../../src/adapter/index.js'

export const vendor: VendorFacts = {
  id: 'gemini',
  name: 'Gemini CLI',
  binaries: ['gemini'],
  binaryVariable: 'AGENT_MEOW_GEMINI_BIN',
  testedVersions: ['0.61.0'],
  installHint: 'npm install -g @google/gemini-cli',
  loginHint: 'run `gemini` once and log in, or set GEMINI_API_KEY',
  versionArgs: ['--version'],
}
