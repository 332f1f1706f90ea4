/** @module cli/commands/session-command - runs a command of the vendor's program, or lists those that there are. */
import { z } from 'zod'
import type { SessionCommand } from '../../protocol/commands.js'
import { command, common, printJson } from '../command.js'
import { EXIT } from '../exits.js'
import { requireSession } from '../require-hub.js'
import { safeLine } from '../safe-text.js'
import { table } from '../table.js'

export const sessionCommand = command({
  name: 'command',
  summary: "run a command of a session's program: compact, model, clear ...",
  args: [
    { flags: '<session>', about: 'id, the start of an id, or a name' },
    { flags: '[name]', about: 'the command; without one they are listed with what they do' },
    { flags: '[argument...]', about: 'what it is given; several words are joined by blanks' },
  ],
  options: [],
  notes:
    'Returns when the effect of the command was seen, and says by what. Nothing is typed while a turn runs.',
  examples: [
    ['command docs', 'what this session takes'],
    ['command docs compact', 'shorten its conversation'],
    ['command docs model haiku', 'change its model'],
    ['command docs --json', 'the list, for a program'],
  ],
  input: z.object({
    ...common,
    session: z.string(),
    name: z.string().min(1).optional(),
    argument: z.array(z.string()).default([]),
  }),
  async run(shell, { json, session: ref, name, argument }) {
    const { hub, session } = await requireSession(shell, ref)
    if (name === undefined) {
      const commands = await hub.commands(session.id, { signal: shell.signal })
      if (json) printJson(shell, { sessionId: session.id, commands })
      else if (commands.length === 0)
        shell.tell(`${session.vendor} takes no commands from outside: agent-meow attach ${session.id}`)
      else {
        const width = shell.interactive ? shell.columns : Number.POSITIVE_INFINITY
        shell.out(table(['COMMAND', 'ARGUMENT', 'IN A TURN', 'WHAT IT DOES'], commands.map(row), width))
      }
      return EXIT.ok
    }
    const given = argument.join(' ')
    const result = await hub.runCommand(
      session.id,
      { command: name, ...(given === '' ? {} : { argument: given }) },
      { signal: shell.signal },
    )
    if (json) printJson(shell, { sessionId: session.id, ...result })
    else {
      shell.out(`${result.command} done\n`)
      for (const line of result.evidence) shell.out(`  ${safeLine(line)}\n`)
    }
    return EXIT.ok
  },
})

function row({ name, description, argument, argumentHint, choices, whileRunning }: SessionCommand): string[] {
  const what = choices === null ? (argumentHint ?? 'text') : choices.join('|')
  const shape = { none: '-', optional: `[${what}]`, required: `<${what}>` }[argument]
  return [name, shape, whileRunning ? 'yes' : 'no', description]
}
