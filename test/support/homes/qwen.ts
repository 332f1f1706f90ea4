/** @module test/support/homes/qwen - Qwen Code on the model server's chat-completions API. */
import { join } from 'node:path'
import { freshFolders, type HomeOptions, put, type VendorSetup } from './home.js'

/** Qwen Code: one model, no memory that runs models in the background, no feedback questions. */
export function qwenSetup(root: string, modelUrl: string, options: HomeOptions = {}): VendorSetup {
  const { home, cwd, env } = freshFolders(root, 'qwen')
  put(join(home, '.qwen', 'settings.json'), {
    security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: options.trusted === false } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    // Its own ripgrep is not executable after an installation by npm, and Qwen Code would say so on every start.
    tools: { approvalMode: 'default', useRipgrep: false },
    ...(options.permission === 'auto' ? { permissions: { allow: ['Bash', 'Edit', 'Write', 'Read'] } } : {}),
    ui: {
      hideTips: true,
      enableFollowupSuggestions: false,
      enableUserFeedback: false,
      enableWelcomeBack: false,
    },
    memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
  })
  return {
    vendor: 'qwen',
    env: {
      ...env,
      OPENAI_API_KEY: 'none-needed',
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_MODEL: 'scripted-model',
    },
    cwd,
    args: [],
    ready: /^(?![\s\S]*Initializing\.\.\.)[\s\S]*Type your message/,
    trustDialog: /Do you trust this folder\?/,
  }
}
