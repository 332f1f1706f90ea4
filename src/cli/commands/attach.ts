/** @module cli/commands/attach - joins a running session's TUI. */
import { z } from 'zod'
import { MeowError } from '../../protocol/errors.js'
import { command, common, printJson } from '../command.js'
import { DETACH_KEY_NAME } from '../detach-key.js'
import { EXIT } from '../exits.js'
import { closingLine, joinTui, mustBeInteractive } from '../join-tui.js'
import { requireSession } from '../require-hub.js'

export const attach = command({
  name: 'attach',
  summary: "join a session: its vendor's own TUI in this terminal",
  args: [{ flags: '<session>', about: 'id, the start of an id, or a name' }],
  options: [],
  notes:
    `Leave it running: Ctrl-b d on the tmux backend, ${DETACH_KEY_NAME} on the pty backend.\n` +
    'Several terminals may be on one session; what one types, all see.',
  examples: [
    ['attach docs', 'by name'],
    ['attach s_4f', 'by the start of the id'],
  ],
  input: z.object({ ...common, session: z.string() }),
  async run(shell, { json, session: ref }) {
    mustBeInteractive(shell, 'agent-meow events <session> --follow shows the conversation without a terminal')
    const { hub, session } = await requireSession(shell, ref)
    if (session.state === 'ended') {
      throw new MeowError('conflict', `session ${session.id} has ended`, {
        hint: `agent-meow events ${session.id} shows what was said`,
      })
    }
    const stay = await joinTui(shell, hub, session)
    if (json) printJson(shell, { session: stay.session, ended: stay.ended })
    else shell.tell(closingLine(stay))
    return EXIT.ok
  },
})
