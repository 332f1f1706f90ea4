/** @module cli/commands/ls - the sessions as a table. */
import { homedir } from 'node:os'
import { z } from 'zod'
import type { SessionInfo } from '../../protocol/session.js'
import { command, common, printJson } from '../command.js'
import { EXIT } from '../exits.js'
import { age, money } from '../figures.js'
import { wasKilled } from '../killed-hub.js'
import { ensureHub } from '../require-hub.js'
import { safeLine } from '../safe-text.js'
import { table } from '../table.js'

const HEAD = ['ID', 'NAME', 'VENDOR', 'STATE', 'MODEL', 'COST', 'AGE', 'CWD']

export const ls = command({
  name: 'ls',
  summary: 'list the sessions that are alive',
  args: [],
  options: [{ flags: '-a, --all', about: 'the ended ones too' }],
  examples: [
    ['ls', 'the sessions that are alive'],
    ['ls --all', 'the ended ones too'],
    ['ls --json', 'one document for a program'],
  ],
  input: z.object({ ...common, all: z.boolean().default(false) }),
  async run(shell, { json, all }) {
    // Ended sessions are in the journal, which only a hub reads; live ones cannot be without a hub.
    const hub = all ? (await ensureHub(shell, { quiet: json })).hub : await shell.hubs.find()
    const sessions = (hub === null ? [] : await hub.sessions()).filter((one) => all || one.state !== 'ended')
    // Their programs outlive a hub that was killed: nobody should start a second one for want of the first.
    const killed = hub === null && wasKilled(shell.hubs)
    if (killed) shell.tell('the hub was killed; what ran may still run: agent-meow up goes on with it')
    if (json) printJson(shell, { sessions })
    else if (killed) return EXIT.ok
    else if (sessions.length === 0) shell.tell(all ? 'no sessions yet' : 'no session is running')
    else {
      const rows = sessions.map((session) => row(session, shell.now()))
      shell.out(table(HEAD, rows, shell.interactive ? shell.columns : Number.POSITIVE_INFINITY))
    }
    return EXIT.ok
  },
})

function row(session: SessionInfo, now: number): string[] {
  const { id, name, vendor, state, model, usd, cwd, createdAt } = session
  const place = cwd === homedir() ? '~' : cwd.replace(`${homedir()}/`, '~/')
  return [
    id,
    safeLine(name, 30),
    vendor,
    state,
    safeLine(model ?? '-', 28),
    money(usd),
    age(now - createdAt),
    place,
  ]
}
