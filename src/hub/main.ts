#!/usr/bin/env node
/** @module hub/main - the daemon's program: the one file of the hub that knows every vendor and both backends. */
import { join } from 'node:path'
import { adapters } from '../../adapters/registry.js'
import { makeLauncher } from '../session/launch.js'
import { openPtyHost, openTmuxHost, type TerminalHost } from '../terminal/index.js'
import { type DaemonOptions, type Parts, runDaemon } from './daemon.js'
import { screenText } from './screen-text.js'
import { inspectVendors, versionReader } from './vendors.js'
import { packageRoot } from './version.js'

const compose: DaemonOptions['compose'] = ({ socketDir, env }): Parts => {
  const versionOf = versionReader(env)
  const hosts = new Map<string, Promise<TerminalHost>>()
  return {
    launch: makeLauncher({ adapters, versionOf }),
    hostFor: (backend) => {
      const known = hosts.get(backend)
      if (known !== undefined) return known
      const opening = backend === 'pty' ? Promise.resolve(openPtyHost()) : openTmuxHost({ socketDir })
      hosts.set(backend, opening)
      // What failed once (tmux not installed yet) may be tried again.
      opening.catch(() => hosts.delete(backend))
      return opening
    },
    vendors: () => inspectVendors(adapters, env, versionOf),
    screenText,
    webRoot: join(packageRoot(), 'dist', 'web'),
    dispose: async () => {
      await Promise.allSettled([...hosts.values()].map(async (host) => await (await host).dispose()))
    },
  }
}

process.exit(await runDaemon({ argv: process.argv.slice(2), env: process.env, compose }))
