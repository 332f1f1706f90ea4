/** @module test/support/homes/claude - Claude Code on the model server's Anthropic API. */
import { join } from 'node:path'
import { freshFolders, type HomeOptions, put, type VendorSetup } from './home.js'

const DUMMY_KEY = 'sk-ant-scripted-model-key-0000000000000000-DUMMYKEY'

/** Claude Code: onboarding done, key approved, folder trusted, nothing but the model server reached. */
export function claudeSetup(root: string, modelUrl: string, options: HomeOptions = {}): VendorSetup {
  const { home, cwd, env } = freshFolders(root, 'claude')
  put(join(home, '.claude.json'), {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [DUMMY_KEY.slice(-20)], rejected: [] },
    projects: options.trusted === false ? {} : { [cwd]: { hasTrustDialogAccepted: true } },
  })
  put(join(home, '.claude', 'settings.json'), {
    cleanupPeriodDays: 30,
    ...(options.permission === 'auto' ? { permissions: { allow: ['Bash', 'Edit', 'Write', 'Read'] } } : {}),
  })
  return {
    vendor: 'claude',
    env: {
      ...env,
      CLAUDE_CODE_TMPDIR: root,
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: DUMMY_KEY,
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_BUG_COMMAND: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    cwd,
    args: [],
    ready: /\? for shortcuts/,
    trustDialog: /Is this a project you created or one you trust\?|Do you trust the files in this folder\?/,
  }
}
