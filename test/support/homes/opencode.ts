/** @module test/support/homes/opencode - OpenCode on the model server's chat-completions API. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolders, type HomeOptions, put, type VendorSetup } from './home.js'

/** Price of OpenCode's model in the tests, US dollars per million tokens. */
export const OPENCODE_PRICE = { input: 1, output: 2, cache_read: 0.1, cache_write: 0.5 }

/** OpenCode: one provider by the environment alone, nothing fetched. It has no dialog about folders. */
export function opencodeSetup(root: string, modelUrl: string, options: HomeOptions = {}): VendorSetup {
  const { home, cwd, env } = freshFolders(root, 'opencode')
  // OpenCode installs its plugin package from the network and waits for that, unless a lock file says it is there.
  const settings = join(home, '.config', 'opencode')
  mkdirSync(join(settings, 'node_modules'), { recursive: true })
  const dependencies = { '@opencode-ai/plugin': '*' }
  put(join(settings, 'package-lock.json'), { packages: { '': { dependencies } } })
  const verdict = options.permission === 'auto' ? 'allow' : 'ask'
  const model = {
    name: 'Scripted Model',
    reasoning: true,
    attachment: true,
    tool_call: true,
    modalities: { input: ['text', 'image'], output: ['text'] },
    limit: { context: 200_000, output: 8000 },
    cost: OPENCODE_PRICE,
  }
  const config = {
    autoupdate: false,
    share: 'disabled',
    model: 'scripted/scripted-model',
    small_model: 'scripted/scripted-model',
    enabled_providers: ['scripted'],
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Scripted',
        options: { baseURL: `${modelUrl}/v1`, apiKey: 'none-needed' },
        models: { 'scripted-model': model },
      },
    },
    permission: { edit: verdict, bash: verdict, webfetch: verdict },
  }
  return {
    vendor: 'opencode',
    env: {
      ...env,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    },
    cwd,
    args: [],
    ready: /Scripted Model Scripted/,
    trustDialog: null,
  }
}
