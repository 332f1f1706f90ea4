/** @module test/support/homes/copilot - GitHub Copilot CLI on the model server's chat-completions API, offline. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolders, type HomeOptions, put, VENDOR_BIN, type VendorSetup } from './home.js'

/** Copilot unpacks itself (235 MB) into the cache of a home that has none; the homes of all tests share one. */
const CACHE = join(VENDOR_BIN, '..', 'node_modules', '.cache', 'copilot')

/** Copilot CLI: a provider of one's own instead of an account, no banner, no tabs. */
export function copilotSetup(root: string, modelUrl: string, options: HomeOptions = {}): VendorSetup {
  const { home, cwd, env } = freshFolders(root, 'copilot')
  const state = join(home, '.copilot')
  mkdirSync(CACHE, { recursive: true })
  mkdirSync(join(home, '.cache'))
  symlinkSync(CACHE, join(home, '.cache', 'copilot'))
  put(join(state, 'settings.json'), {
    banner: 'never',
    showTipsOnStartup: false,
    autoUpdate: false,
    tabs: { enabled: false },
    memory: false,
  })
  put(join(state, 'config.json'), {
    firstLaunchAt: '2026-01-01T00:00:00.000Z',
    trustedFolders: options.trusted === false ? [] : [cwd],
  })
  return {
    vendor: 'copilot',
    env: {
      ...env,
      COPILOT_HOME: state,
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'none-needed',
      COPILOT_MODEL: 'scripted-model',
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '200000',
      COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: '8000',
    },
    cwd,
    args: options.permission === 'auto' ? ['--allow-all'] : [],
    ready: /\/ commands[\s\S]*scripted-model/,
    trustDialog: /Confirm folder trust/,
  }
}
