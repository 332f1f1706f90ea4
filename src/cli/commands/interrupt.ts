/** @module cli/commands/interrupt - stops the running turn. */
import { z } from 'zod'
import { command, common, printJson } from '../command.js'
import { EXIT } from '../exits.js'
import { requireSession } from '../require-hub.js'
import { safeLine } from '../safe-text.js'

/** Widest line of evidence that is shown whole. */
const EVIDENCE = 200

export const interrupt = command({
  name: 'interrupt',
  summary: 'stop the running turn of a session',
  args: [{ flags: '<session>', about: 'id, the start of an id, or a name' }],
  options: [],
  notes: 'Returns when the stop was seen, and says by what. The session goes on.',
  examples: [
    ['interrupt docs', 'stop what it is doing'],
    ['interrupt docs --json', 'the result and its evidence, for a program'],
  ],
  input: z.object({ ...common, session: z.string() }),
  async run(shell, { json, session: ref }) {
    const { hub, session } = await requireSession(shell, ref)
    const result = await hub.interrupt(session.id)
    if (json) printJson(shell, { sessionId: session.id, ...result })
    else {
      const idle = result.result === 'idle'
      shell.out(`${idle ? 'nothing was running' : `interrupted ${result.turnId ?? 'the turn'}`}\n`)
      for (const line of result.evidence) shell.out(`  ${safeLine(line, EVIDENCE)}\n`)
    }
    return EXIT.ok
  },
})
