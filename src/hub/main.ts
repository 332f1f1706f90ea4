#!/usr/bin/env node
/** @module hub/main - the daemon's program: the one file of the hub that knows every vendor and both backends. */
import { join } from 'node:path'
import { adapters } from '../../adapters/registry.js'
import { makeLauncher } from '../session/launch.js'
import { type DaemonOptions, type Parts, runDaemon } from './daemon.js'
import { terminalHosts } from './hosts.js'
import { screenText } from './screen-text.js'
import { inspectVendors, versionReader } from './vendors.js'
import { packageRoot } from './version.js'

const compose: DaemonOptions['compose'] = ({ socketDir, env, log }): Parts => {
  const versionOf = versionReader(env)
  return {
    ...terminalHosts({ socketDir, log }),
    launch: makeLauncher({ adapters, versionOf }),
    vendors: () => inspectVendors(adapters, env, versionOf),
    screenText,
    webRoot: join(packageRoot(), 'dist', 'web'),
  }
}

process.exit(await runDaemon({ argv: process.argv.slice(2), env: process.env, compose }))
