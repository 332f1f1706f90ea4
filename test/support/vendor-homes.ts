/** @module test/support/vendor-homes - fresh homes in which the vendors' programs reach a ready prompt offline. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scriptedHome } from '../../adapters/pi/demo.js'

/** The pinned programs. */
export const VENDOR_BIN = join(dirname(fileURLToPath(import.meta.url)), '..', 'vendors', 'bin')

const DUMMY_KEY = 'sk-ant-scripted-model-key-0000000000000000-DUMMYKEY'

/** Price of Pi's model in the tests, US dollars per million tokens. */
export const PI_PRICE = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0.5 }

export interface VendorSetup {
  readonly vendor: string
  readonly env: Record<string, string>
  readonly cwd: string
}

function base(home: string): Record<string, string> {
  return {
    HOME: home,
    // The programs keep caches and task files there.
    TMPDIR: dirname(home),
    CLAUDE_CODE_TMPDIR: dirname(home),
    PATH: `${VENDOR_BIN}:/usr/local/bin:/usr/bin:/bin`,
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    TERM: 'xterm-256color',
  }
}

/** Claude Code: onboarding done, key approved, folder trusted, nothing but the model server reached. */
export function claudeSetup(root: string, modelUrl: string): VendorSetup {
  const home = join(root, 'claude-home')
  const cwd = join(root, 'claude-work')
  mkdirSync(home, { recursive: true })
  mkdirSync(cwd, { recursive: true })
  const config = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [DUMMY_KEY.slice(-20)], rejected: [] },
    projects: { [cwd]: { hasTrustDialogAccepted: true } },
  }
  writeFileSync(join(home, '.claude.json'), JSON.stringify(config))
  mkdirSync(join(home, '.claude'))
  writeFileSync(join(home, '.claude', 'settings.json'), '{ "cleanupPeriodDays": 30 }\n')
  const env = {
    ...base(home),
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: DUMMY_KEY,
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_BUG_COMMAND: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
  return { vendor: 'claude', env, cwd }
}

/** Pi: one provider, the model server over chat-completions, no dialogs. */
export function piSetup(root: string, modelUrl: string): VendorSetup {
  const home = join(root, 'pi-home')
  const cwd = join(root, 'pi-work')
  const scripted = scriptedHome({
    home,
    modelUrl,
    provider: 'scripted',
    models: ['scripted-model', 'scripted-two'],
    price: PI_PRICE,
  })
  mkdirSync(cwd, { recursive: true })
  for (const { path, text } of scripted.files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const env = { ...base(home), ...scripted.env }
  return { vendor: 'pi', env, cwd }
}
