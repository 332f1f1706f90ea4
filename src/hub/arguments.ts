/** @module hub/arguments - the daemon's command line and port. */
import { parseArgs } from 'node:util'
import { MeowError } from '../protocol/errors.js'

export interface DaemonArguments {
  /** The port that was asked for; null leaves the choice to the hub. */
  readonly port: number | null
  /** Stay with the terminal: log lines on stderr too, stdout stays open. */
  readonly foreground: boolean
  /** The ready line as JSON in the foreground too. */
  readonly json: boolean
}

/** Where a hub goes that was told nothing and knows nothing. */
export const DEFAULT_PORT = 7717

/** `--port N`, `--foreground`, `--json`; the port of `$AGENT_MEOW_PORT` when none is given. */
export function daemonArguments(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): DaemonArguments {
  let values: { port?: string; foreground?: boolean; json?: boolean }
  try {
    const options = {
      port: { type: 'string' },
      foreground: { type: 'boolean' },
      json: { type: 'boolean' },
    } as const
    values = parseArgs({ args: [...argv], options, strict: true }).values
  } catch (error) {
    throw new MeowError('invalid_argument', error instanceof Error ? error.message : 'unknown argument', {
      hint: 'agent-meow up [--port N]',
    })
  }
  const port = values.port ?? env.AGENT_MEOW_PORT ?? ''
  return {
    port: port === '' ? null : portOf(port, values.port === undefined ? 'AGENT_MEOW_PORT' : '--port'),
    foreground: values.foreground === true,
    json: values.json === true,
  }
}

function portOf(text: string, name: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new MeowError('invalid_argument', `${name} must be a port from 0 to 65535, not ${text}`)
}

/** Ports to try, in order: what was asked for and nothing else, or the last one, the usual one, any. */
export function portsToTry(asked: number | null, last: number | null): number[] {
  if (asked !== null) return [asked]
  return [...new Set([last ?? DEFAULT_PORT, DEFAULT_PORT, 0])]
}
