/** @module pi/vendor - facts about Pi. */
import type { VendorFacts } from '../../src/adapter/index.js'

export const vendor: VendorFacts = {
  id: 'pi',
  name: 'Pi',
  binaries: ['pi'],
  binaryVariable: 'AGENT_MEOW_PI_BIN',
  testedVersions: ['1.6.0'],
  installHint: 'npm install -g @earendil-works/pi-coding-agent',
  loginHint: 'Run `pi` and type /login, or set a provider key such as ANTHROPIC_API_KEY.',
  versionArgs: ['--version'],
}
