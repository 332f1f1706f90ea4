/** @module cli/commands/up - starts the hub and prints where the page is. */
import { z } from 'zod'
import { command, common, printJson, wholeNumber } from '../command.js'
import { EXIT } from '../exits.js'
import { ensureHub } from '../require-hub.js'

export const up = command({
  name: 'up',
  summary: 'start the hub when it is not running, and print the URL of the page',
  args: [],
  options: [{ flags: '-p, --port <n>', about: 'port to listen on (default: the last one, else a free one)' }],
  notes:
    'The URL carries a one-time pairing code, good for ten minutes: the first browser that opens it is let in.\n' +
    'Run `up` again for another browser. The hub listens on this machine only.',
  examples: [
    ['up', 'start the hub, print the URL'],
    ['up --port 4747', 'the same, on a port of your choice'],
    ['up --json', 'the URL, port and process id for a program'],
  ],
  input: z.object({ ...common, port: wholeNumber(1, 65_535).optional() }),
  async run(shell, { json, port }) {
    const { hub, started } = await ensureHub(shell, { quiet: json, ...(port === undefined ? {} : { port }) })
    const info = await hub.info()
    const { url } = await hub.createPairing()
    if (json) {
      printJson(shell, { url, started, ...info })
      return EXIT.ok
    }
    const state = started ? 'started' : 'was running already'
    shell.tell(`the hub ${state} (pid ${info.pid}, port ${info.port}); agent-meow down ends it`)
    if (port !== undefined && port !== info.port) {
      shell.tell(`note: it keeps its port ${info.port}; agent-meow down, then up --port ${port} moves it`)
    }
    shell.out(`${url}\n`)
    return EXIT.ok
  },
})
