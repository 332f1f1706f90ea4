/** @module adapters/qwen/vendor - facts about Qwen Code. */
import type { VendorFacts } from '../../src/adapter/index.js'

export const vendor: VendorFacts = {
  id: 'qwen',
  name: 'Qwen Code',
  binaries: ['qwen'],
  binaryVariable: 'AGENT_MEOW_QWEN_BIN',
  testedVersions: ['0.15.10', '0.24.4'],
  installHint: 'npm install -g @qwen-code/qwen-code',
  loginHint:
    'run `qwen` once and connect a provider, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL',
  versionArgs: ['--version'],
}
