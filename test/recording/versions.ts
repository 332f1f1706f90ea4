/** @module test/recording/versions - which version of a vendor's program the tests pin. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { VENDOR_BIN } from '../support/homes/home.js'
import type { VendorId } from './kit.js'

const PACKAGES: Readonly<Record<VendorId, string>> = {
  claude: '@anthropic-ai/claude-code',
  pi: '@earendil-works/pi-coding-agent',
  codex: '@openai/codex',
  opencode: 'opencode-linux-x64',
  gemini: '@google/gemini-cli',
  qwen: '@qwen-code/qwen-code',
  copilot: '@github/copilot',
}

/** The installed version, as its package says it. */
export function versionOf(vendor: VendorId): string {
  const file = join(VENDOR_BIN, '..', 'node_modules', PACKAGES[vendor], 'package.json')
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version
}
