/**
 * @module pi/demo - a home in which Pi talks to the scripted model alone: no network, no questions. Pure; open to
 * the demo of the command line, so that what it knows of Pi is known here.
 */
import { join } from 'node:path'

export { vendor } from './vendor.js'

export interface ScriptedHome {
  /** HOME of Pi. */
  readonly home: string
  /** The model server, which speaks chat-completions below `/v1`. */
  readonly modelUrl: string
  readonly provider: string
  /** Ids of its models, the one to begin with first. */
  readonly models: readonly [string, ...string[]]
  /** US dollars per million tokens. */
  readonly price: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
  }
  /** The whole screen, or Pi's default: inline, with the terminal's own scrollback. */
  readonly fullscreen?: boolean
}

/** Files to write and variables to set for `what`. */
export function scriptedHome(what: ScriptedHome): {
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly env: Readonly<Record<string, string>>
} {
  const models = what.models.map((id) => ({
    id,
    reasoning: true,
    input: ['text', 'image'],
    contextWindow: 200_000,
    maxTokens: 8000,
    cost: what.price,
  }))
  // The key is never looked at, but Pi offers no model of a provider that has none.
  const provider = {
    baseUrl: `${what.modelUrl}/v1`,
    api: 'openai-completions',
    apiKey: 'none-needed',
    models,
  }
  const settings = {
    defaultProvider: what.provider,
    defaultModel: what.models[0],
    defaultThinkingLevel: 'medium',
    defaultProjectTrust: 'never',
    quietStartup: true,
    enableInstallTelemetry: false,
    theme: 'dark',
    ...(what.fullscreen ? { tuiMode: 'fullscreen' } : {}),
  }
  const file = (name: string, value: object) => ({
    path: join(what.home, '.pi', 'agent', name),
    text: JSON.stringify(value, null, 2),
  })
  return {
    files: [
      file('models.json', { providers: { [what.provider]: provider } }),
      file('settings.json', settings),
    ],
    env: { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' },
  }
}
