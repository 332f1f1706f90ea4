/** @module bench/hub/main - the hub as it is, with the vendor for measuring as its only one. */
import { type DaemonOptions, type Parts, runDaemon } from '../../src/hub/daemon.js'
import { terminalHosts } from '../../src/hub/hosts.js'
import { screenText } from '../../src/hub/screen-text.js'
import { makeLauncher } from '../../src/session/launch.js'
import { adapter } from './adapter.js'

const compose: DaemonOptions['compose'] = ({ socketDir, log }): Parts => ({
  ...terminalHosts({ socketDir, log }),
  launch: makeLauncher({ adapters: [adapter], versionOf: async () => '1' }),
  vendors: async () => [],
  screenText,
  webRoot: null,
})

process.exit(await runDaemon({ argv: process.argv.slice(2), env: process.env, compose }))
