/** @module test/support/homes/codex - Codex on the model server's Responses API. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolders, type HomeOptions, put, type VendorSetup } from './home.js'

/** The model that Codex is told to use: one whose tools are offered directly, not as a script's functions. */
export const CODEX_MODEL = 'gpt-5.5'

export interface CodexOptions extends HomeOptions {
  /** Codex's own default is the alternate screen; `inline` keeps the terminal's scrollback. */
  readonly screen?: 'alternate' | 'inline'
}

/**
 * Codex: one provider, no update check, no daemon that outlives the program.
 *
 * Codex has no mode that asks about everything. To ask, it gets a read-only sandbox, out of which the scripted model
 * wants to get with every command but a read, and which edits cannot pass without a question.
 */
export function codexSetup(root: string, modelUrl: string, options: CodexOptions = {}): VendorSetup {
  const { home, cwd, env } = freshFolders(root, 'codex')
  const auto = options.permission === 'auto'
  const folder =
    options.trusted === false ? '' : `[projects.${JSON.stringify(cwd)}]\ntrust_level = "trusted"\n`
  const config = `model = "${CODEX_MODEL}"
model_provider = "scripted"
model_reasoning_summary = "detailed"
check_for_update_on_startup = false

[model_providers.scripted]
name = "Scripted"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "SCRIPTED_API_KEY"
request_max_retries = 2
stream_max_retries = 3
supports_websockets = false

[notice.model_migrations]
"${CODEX_MODEL}" = "gpt-6-sol"

[features]
daemon_auto_start = false

[analytics]
enabled = false

[tui]
alternate_screen = "${options.screen === 'inline' ? 'never' : 'always'}"
show_tooltips = false
screen_reader_detection_done = true

${folder}`
  put(join(home, '.codex', 'config.toml'), config)
  // Codex asks about repositories only.
  if (options.trusted === false) put(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  const temporary = join(root, 'codex-tmp')
  mkdirSync(temporary, { recursive: true })
  return {
    vendor: 'codex',
    // Codex makes its helper links only in a home that is not below the temporary folder.
    env: { ...env, TMPDIR: temporary, CODEX_HOME: join(home, '.codex'), SCRIPTED_API_KEY: 'none-needed' },
    cwd,
    args: auto ? ['-a', 'never', '-s', 'danger-full-access'] : ['-a', 'on-request', '-s', 'read-only'],
    ready: /GPT-5\.5 \S+ · \//,
    trustDialog: /Trust this folder\?/,
  }
}
