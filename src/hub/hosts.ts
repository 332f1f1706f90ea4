/** @module hub/hosts - the terminal hosts of this hub: opened when needed, ended together, and what an earlier hub left. */
import { openPtyHost, openTmuxHost, type TerminalHost, tmuxServerRuns } from '../terminal/index.js'
import { describeError } from './log.js'
import type { RegistryOptions } from './registry.js'

export interface Hosts extends Required<Pick<RegistryOptions, 'hostFor' | 'endLeft'>> {
  /** Ends every host, and every program on a tmux server that is ours or was left. */
  dispose(): Promise<void>
}

export interface HostsOptions {
  readonly socketDir: string
  readonly log: (line: string) => void
}

/** A tmux server that an earlier hub left is joined at once: its owner is dead, and the end of this hub is its end. */
export function terminalHosts({ socketDir, log }: HostsOptions): Hosts {
  const onFault = (error: unknown): void => log(`terminal: ${describeError(error)}`)
  const hosts = new Map<string, Promise<TerminalHost>>()
  const hostFor: Hosts['hostFor'] = (backend) => {
    const known = hosts.get(backend)
    if (known !== undefined) return known
    const opening =
      backend === 'pty' ? Promise.resolve(openPtyHost({ onFault })) : openTmuxHost({ socketDir, onFault })
    hosts.set(backend, opening)
    // What failed once (tmux not installed yet) may be tried again.
    opening.catch(() => hosts.delete(backend))
    return opening
  }
  /** Null when no server runs: none is started to look for what is not there. */
  const running = async (): Promise<TerminalHost | null> =>
    hosts.has('tmux') || (await tmuxServerRuns(socketDir)) ? await hostFor('tmux') : null
  const joined = running().catch(onFault)
  return {
    hostFor,
    endLeft: async (terminalId) => (await (await running())?.endLeft(terminalId)) ?? false,
    async dispose() {
      await joined
      await Promise.allSettled([...hosts.values()].map(async (host) => await (await host).dispose()))
    },
  }
}
