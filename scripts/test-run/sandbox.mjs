/** @module scripts/test-run/sandbox - a fresh home and temp folder for one run of the tests, and its environment. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Variables of the person that must not reach the tests: logins, vendor settings, other sessions, other homes. */
const PERSONAL =
  /^(ANTHROPIC_|CLAUDE|OPENAI_|CODEX_|GEMINI_|GOOGLE_|QWEN_|OPENCODE|COPILOT_|GITHUB_TOKEN|GH_TOKEN|PI_|XDG_|TMUX|AGENT_MEOW_(?!TEST_))/

/** What Node and the tools keep in a temp folder for their own speed; it is no leftover of a test. */
const TOOL_CACHES = new Set(['node-compile-cache', 'v8-compile-cache', 'jiti'])

/**
 * @typedef {object} Sandbox
 * @property {string} id
 * @property {string} folder
 * @property {string} results Where the reporter writes.
 * @property {string} netns Where the run notes its network namespace.
 * @property {string} temp
 * @property {NodeJS.ProcessEnv} env
 * @returns {Sandbox}
 */
export function openSandbox() {
  // Short names: sockets of the tests live below, and their paths have at most 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'meow-'))
  const home = join(folder, 'home')
  const temp = join(folder, 't')
  const runtime = join(folder, 'r')
  for (const one of [home, temp, runtime]) mkdirSync(one, { mode: 0o700 })
  /** @type {NodeJS.ProcessEnv} */
  const env = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (!PERSONAL.test(name) && !/^npm_/.test(name)) env[name] = value
  }
  const utf8 = /UTF-?8/i.test(env.LC_ALL ?? env.LC_CTYPE ?? env.LANG ?? '')
  Object.assign(env, utf8 ? {} : { LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }, {
    HOME: home,
    TMPDIR: temp,
    TMUX_TMPDIR: temp,
    PATH: `${env.PATH ?? ''}:/usr/sbin:/sbin`,
    AGENT_MEOW_TEST_RUN: folder,
  })
  return {
    id: folder,
    folder,
    results: join(folder, 'results.json'),
    netns: join(folder, 'netns'),
    temp,
    env,
  }
}

/** What the tests left in their temp folder. */
export function leftFiles(/** @type {Sandbox} */ sandbox) {
  return readdirSync(sandbox.temp)
    .filter((name) => !TOOL_CACHES.has(name))
    .map((name) => join(sandbox.temp, name))
}

export function removeSandbox(/** @type {Sandbox} */ sandbox) {
  rmSync(sandbox.folder, { recursive: true, force: true, maxRetries: 5 })
}
