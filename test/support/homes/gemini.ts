/** @module test/support/homes/gemini - Gemini CLI on the model server's Gemini API. */
import { join } from 'node:path'
import { freshFolders, type HomeOptions, put, type VendorSetup } from './home.js'

export const GEMINI_MODEL = 'gemini-2.5-flash'

/** Keeps the screen as it is in the default mode, which the YOLO mode does not. */
const ALLOW_ALL = `[[rule]]
toolName = "*"
decision = "allow"
priority = 990
allowRedirection = true
`

/** Gemini CLI: a key, no update check, thoughts on the screen, one process. */
export function geminiSetup(root: string, modelUrl: string, options: HomeOptions = {}): VendorSetup {
  const { home, cwd, env } = freshFolders(root, 'gemini')
  put(join(home, '.gemini', 'settings.json'), {
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    ide: { hasSeenNudge: true },
    ui: {
      hideTips: true,
      inlineThinkingMode: 'full',
      autoThemeSwitching: false,
      showHomeDirectoryWarning: false,
      loadingPhrases: 'off',
    },
  })
  const policy = join(home, 'allow.toml')
  if (options.permission === 'auto') put(policy, ALLOW_ALL)
  // The launcher ignores every signal that would end it; without it the program ends with its pane. A program that
  // is to ask about the folder needs it for the restart that follows the answer.
  const known = { GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: 'true' }
  return {
    vendor: 'gemini',
    env: {
      ...env,
      GEMINI_API_KEY: 'none-needed',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      ...(options.trusted === false ? {} : known),
    },
    cwd,
    args: ['-m', GEMINI_MODEL, ...(options.permission === 'auto' ? ['--policy', policy] : [])],
    ready: /Gemini CLI v\d[\s\S]*Type your message/,
    trustDialog: /Do you trust the files in this folder\?/,
  }
}
