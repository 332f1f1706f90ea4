/** @module cli/commands/down - ends the sessions and the hub. */
import { z } from 'zod'
import type { SessionInfo } from '../../protocol/session.js'
import { command, common, printJson } from '../command.js'
import { EXIT, UsageError } from '../exits.js'
import { count } from '../figures.js'
import { wasKilled } from '../killed-hub.js'
import { safeLine } from '../safe-text.js'

export const down = command({
  name: 'down',
  summary: 'end every session and the hub',
  args: [],
  options: [
    { flags: '-f, --force', about: 'do not ask when sessions are alive' },
    { flags: '-y, --yes', about: 'the same as --force' },
  ],
  notes:
    "Ends the vendors' programs that the hub started, and nothing else; also those that a killed hub left. What they said\n" +
    'stays in the journal.',
  examples: [
    ['down', 'asks when sessions are alive'],
    ['down --force', 'ends them without asking'],
  ],
  input: z.object({ ...common, force: z.boolean().default(false), yes: z.boolean().default(false) }),
  async run(shell, { json, force, yes }) {
    const killed = wasKilled(shell.hubs)
    const since = shell.now()
    if (killed && !json) shell.tell('the hub was killed: a new one takes over what it left')
    const hub = killed ? await shell.hubs.ensure() : await shell.hubs.find({ anyVersion: true })
    if (hub === null) {
      if (json) printJson(shell, { ended: [], hub: 'was not running' })
      else shell.tell('the hub is not running')
      return EXIT.ok
    }
    const alive = (await hub.sessions()).filter(
      (session) => session.state !== 'ended' || (killed && isLeft(session, since)),
    )
    if (!json) {
      for (const one of alive) {
        const state = one.state === 'ended' ? 'left by the killed hub' : one.state
        shell.tell(`ends: ${one.vendor} session ${one.id} (${safeLine(one.name, 60)}), ${state}`)
      }
    }
    if (alive.length > 0 && !force && !yes) {
      const what = alive.length === 1 ? '1 session is alive' : `${alive.length} sessions are alive`
      if (!shell.interactive || json)
        throw new UsageError(what, { hint: 'agent-meow down --force ends them' })
      if (!(await shell.ask(`end the hub and ${count(alive.length, 'session')}?`))) {
        shell.tell('nothing was ended')
        return EXIT.error
      }
    }
    await shell.hubs.stop()
    if (json) printJson(shell, { ended: alive.map(({ id }) => id), hub: 'ended' })
    else shell.tell(`ended ${count(alive.length, 'session')} and the hub`)
    return EXIT.ok
  },
})

/** The new hub found it open in the journal; on tmux its program may still run. */
function isLeft({ stateRule, backend, endedAt }: SessionInfo, since: number): boolean {
  return stateRule === 'session.lost' && backend === 'tmux' && endedAt !== null && endedAt >= since
}
