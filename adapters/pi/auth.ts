/** @module pi/auth - whether Pi can reach some model, as far as files and variables tell. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { AuthStatus, HostProbe } from '../../src/adapter/index.js'

/** Variables that are a credential alone, from Pi's documentation of providers. */
const VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_OAUTH_TOKEN',
  'ANTHROPIC_AUTH_TOKEN',
  'ANT_LING_API_KEY',
  'OPENAI_API_KEY',
  'AZURE_OPENAI_API_KEY',
  'DEEPSEEK_API_KEY',
  'NVIDIA_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_CLOUD_API_KEY',
  'COPILOT_GITHUB_TOKEN',
  'MISTRAL_API_KEY',
  'GROQ_API_KEY',
  'CEREBRAS_API_KEY',
  'CLOUDFLARE_API_KEY',
  'XAI_API_KEY',
  'OPENROUTER_API_KEY',
  'AI_GATEWAY_API_KEY',
  'ZAI_API_KEY',
  'ZAI_CODING_CN_API_KEY',
  'OPENCODE_API_KEY',
  'RADIUS_API_KEY',
  'HF_TOKEN',
  'FIREWORKS_API_KEY',
  'TOGETHER_API_KEY',
  'BASETEN_API_KEY',
  'KIMI_API_KEY',
  'META_API_KEY',
  'MINIMAX_API_KEY',
  'MINIMAX_CN_API_KEY',
  'MOONSHOT_API_KEY',
  'QWEN_TOKEN_PLAN_TEAM_API_KEY',
  'QWEN_TOKEN_PLAN_TEAM_CN_API_KEY',
  'QWEN_TOKEN_PLAN_INDIVIDUAL_API_KEY',
  'QWEN_TOKEN_PLAN_INDIVIDUAL_CN_API_KEY',
  'XIAOMI_API_KEY',
  'XIAOMI_TOKEN_PLAN_CN_API_KEY',
  'XIAOMI_TOKEN_PLAN_AMS_API_KEY',
  'XIAOMI_TOKEN_PLAN_SGP_API_KEY',
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_ACCESS_KEY_ID',
  'ANTHROPIC_FEDERATION_RULE_ID',
]

/** Cloud logins that may or may not hold: Pi finds out when it asks for a model. */
const AMBIENT = [
  'AWS_PROFILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_CLOUD_PROJECT',
]

type Json = Readonly<Record<string, unknown>>

function object(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
}

/** A JSON object in a file; null when it is not there, `unreadable` when it cannot be parsed here. */
function json(probe: HostProbe, path: string): Json | null | 'unreadable' {
  const text = probe.readFile(path)
  if (text === null) return null
  try {
    return object(JSON.parse(text)) ?? 'unreadable'
  } catch {
    // Pi may allow comments; whether it does is not ours to know.
    return 'unreadable'
  }
}

/** Where Pi keeps its settings and logins. */
export function agentFolder(env: Readonly<Record<string, string>>): string {
  const home = env.HOME || homedir()
  const told = env.PI_CODING_AGENT_DIR
  if (!told) return join(home, '.pi', 'agent')
  return told === '~' || told.startsWith('~/') ? join(home, told.slice(1)) : told
}

export function auth(probe: HostProbe): AuthStatus {
  const variable = VARIABLES.find((name) => probe.env[name])
  if (variable) return { status: 'ok', detail: `${variable} is set` }
  const folder = agentFolder(probe.env)
  const stored = json(probe, join(folder, 'auth.json'))
  if (stored !== null && stored !== 'unreadable' && Object.keys(stored).length > 0)
    return { status: 'ok', detail: `logged in: ${Object.keys(stored).join(', ')} (auth.json)` }
  const models = json(probe, join(folder, 'models.json'))
  const providers = models === 'unreadable' ? null : (object(models?.providers) ?? {})
  const keyed = Object.entries(providers ?? {}).find(([, provider]) => keyOf(probe, provider))
  if (keyed) return { status: 'ok', detail: `${keyed[0]} has an apiKey (models.json)` }
  const ambient = AMBIENT.find((name) => probe.env[name])
  if (ambient) return { status: 'unknown', detail: `${ambient} is set; Pi may find a cloud login with it` }
  if (stored === 'unreadable' || models === 'unreadable')
    return { status: 'unknown', detail: `${folder} has an auth.json or models.json that cannot be parsed` }
  return {
    status: 'missing',
    detail: `no provider key in the environment (such as ANTHROPIC_API_KEY or OPENAI_API_KEY), no login in ${join(folder, 'auth.json')}, no apiKey in ${join(folder, 'models.json')}`,
  }
}

/** A provider's key in models.json; `$NAME` counts only when the variable is set. */
function keyOf(probe: HostProbe, provider: unknown): boolean {
  const key = object(provider)?.apiKey
  if (typeof key !== 'string' || key === '') return false
  const name = /^\$\{?(\w+)\}?$/.exec(key)?.[1]
  return name === undefined || Boolean(probe.env[name])
}
