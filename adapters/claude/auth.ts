/** @module adapters/claude/auth - whether Claude Code can reach a model, as far as files and variables tell. */
import { join } from 'node:path'
import { z } from 'zod'
import type { AuthStatus, HostProbe } from '../../src/adapter/index.js'
import { configFolder, globalConfigFile } from './paths.js'

/** Each of these alone makes the program work without a login. */
const VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
]

const GlobalConfig = z.looseObject({
  oauthAccount: z.unknown().optional(),
  primaryApiKey: z.string().optional(),
})
const Settings = z.looseObject({
  apiKeyHelper: z.string().optional(),
  env: z.record(z.string(), z.unknown()).optional(),
})

function parsed<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (text === null) return null
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Looks where the program itself looks; on macOS the login is in the keychain, which is not opened. */
export function auth(probe: HostProbe): AuthStatus {
  const variable = VARIABLES.find((name) => probe.env[name])
  if (variable) return { status: 'ok', detail: `${variable} is set` }
  const folder = configFolder(probe.env)
  if (probe.exists(join(folder, '.credentials.json')))
    return { status: 'ok', detail: 'logged in (credentials file)' }
  const global = parsed(GlobalConfig, probe.readFile(globalConfigFile(probe.env)))
  if (global?.primaryApiKey) return { status: 'ok', detail: 'an API key is configured' }
  if (global?.oauthAccount) return { status: 'ok', detail: 'logged in (account in the global config)' }
  const settings = parsed(Settings, probe.readFile(join(folder, 'settings.json')))
  if (settings?.apiKeyHelper) return { status: 'ok', detail: 'an apiKeyHelper is configured' }
  const inSettings = VARIABLES.find((name) => settings?.env?.[name])
  if (inSettings) return { status: 'ok', detail: `${inSettings} is set in settings.json` }
  return {
    status: 'missing',
    detail: `no ${VARIABLES.slice(0, 3).join(', ')} in the environment and no login in ${folder}`,
  }
}
