/** @module test/unit/hub-daemon-entry - the daemon with fake sessions, as a program of its own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runDaemon } from '../../src/hub/daemon.js'
import { terminalHosts } from '../../src/hub/hosts.js'
import { terminalIdOf } from '../../src/session/starting.js'
import { fakeLauncher } from './hub-fake-session.js'

const home = process.env.AGENT_MEOW_HOME ?? ''
const { launch } = fakeLauncher()
const code = await runDaemon({
  argv: process.argv.slice(2),
  env: process.env,
  compose: (context) => {
    const hosts = terminalHosts(context)
    return {
      ...hosts,
      launch: async (id, request, deps) => {
        if (request.vendor === 'crash') setImmediate(() => JSON.parse('not json, but my secret'))
        // A program in a real terminal, deaf to SIGHUP; the session itself is a fake like the others.
        if (request.vendor === 'deaf') {
          const host = await deps.hostFor('tmux')
          await host.open({
            id: terminalIdOf(id),
            argv: ['/bin/sh', '-c', 'trap "" HUP; while :; do sleep 300; done'],
            cwd: '/',
            env: { PATH: process.env.PATH ?? '' },
            cols: 80,
            rows: 24,
            recordFile: join(home, `${id}.raw`),
          })
        }
        return await launch(id, request, deps)
      },
      vendors: async () => [],
      screenText: () => [],
      webRoot: null,
      dispose: async () => {
        await hosts.dispose()
        writeFileSync(join(home, 'disposed'), '')
      },
    }
  },
})
process.exit(code)
