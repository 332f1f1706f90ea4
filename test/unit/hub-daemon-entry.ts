/** @module test/unit/hub-daemon-entry - the daemon with fake sessions, as a program of its own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runDaemon } from '../../src/hub/daemon.js'
import { fakeLauncher } from './hub-fake-session.js'

const home = process.env.AGENT_MEOW_HOME ?? ''
const { launch } = fakeLauncher()
const code = await runDaemon({
  argv: process.argv.slice(2),
  env: process.env,
  compose: () => ({
    launch: async (id, request, deps) => {
      if (request.vendor === 'crash') setImmediate(() => JSON.parse('not json, but my secret'))
      return await launch(id, request, deps)
    },
    hostFor: () => Promise.reject(new Error('no terminals here')),
    vendors: async () => [],
    screenText: () => [],
    webRoot: null,
    dispose: async () => writeFileSync(join(home, 'disposed'), ''),
  }),
})
process.exit(code)
