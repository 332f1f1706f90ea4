/** @module cli/commands/queue - the prompts that wait in a session: look, change, take out, reorder. */
import { z } from 'zod'
import type { EditQueued, QueuedPrompt } from '../../protocol/commands.js'
import { DeliveryMode } from '../../protocol/events.js'
import { command, common, printJson } from '../command.js'
import { EXIT, UsageError } from '../exits.js'
import { age } from '../figures.js'
import { findQueued } from '../find-queued.js'
import { requireSession } from '../require-hub.js'
import { table } from '../table.js'

const HEAD = ['#', 'MESSAGE', 'HOW', 'IMAGES', 'AGE', 'WAITS FOR', 'TEXT']
const ACTIONS = ['ls', 'edit', 'rm', 'move'] as const
/** Longest reason in the table. */
const REASON = 60

const Input = z.object({
  ...common,
  action: z.enum(ACTIONS, 'ls, edit, rm or move is wanted'),
  session: z.string(),
  message: z.string().optional(),
  text: z.string().min(1).optional(),
  how: z.enum(DeliveryMode.options, 'queue, steer or interrupt is wanted').optional(),
  before: z.string().optional(),
  first: z.boolean().default(false),
  last: z.boolean().default(false),
})
type Input = z.infer<typeof Input>

export const queue = command({
  name: 'queue',
  summary: 'show, change, reorder or take out the prompts that wait in a session',
  args: [
    { flags: '<action>', about: 'ls, edit, rm, or move' },
    { flags: '<session>', about: 'id, the start of an id, or a name' },
    { flags: '[message]', about: 'for the others: id of a prompt that waits, or the start of it' },
    { flags: '[text]', about: 'edit: the new text; - reads it from stdin' },
  ],
  options: [
    { flags: '--how <how>', about: 'edit: queue, steer or interrupt' },
    { flags: '--before <message>', about: 'move: before this one' },
    { flags: '--first', about: 'move: to the head' },
    { flags: '--last', about: 'move: to the end' },
  ],
  notes: 'Everyone sees the same queue. A prompt that is on its way already cannot be changed any more.',
  examples: [
    ['queue ls docs', 'what waits, in order, and for what'],
    ['queue edit docs m_4f "and the docs too"', 'change its text'],
    ['queue edit docs m_4f --how steer', 'into the turn that runs'],
    ['queue move docs m_4f --first', 'before all others'],
    ['queue rm docs m_4f', 'take it out'],
    ['queue ls docs --json', 'for a program'],
  ],
  input: Input,
  async run(shell, input) {
    mustFit(input)
    const { json, action, session: ref, message } = input
    const { hub, session } = await requireSession(shell, ref)
    const waiting = await hub.queue(session.id)
    if (action === 'ls') {
      const rows = waiting.map((one, at) => row(one, at, shell.now()))
      if (json) printJson(shell, { sessionId: session.id, queue: waiting })
      else if (rows.length === 0) shell.tell('nothing waits')
      else shell.out(table(HEAD, rows, shell.interactive ? shell.columns : Number.POSITIVE_INFINITY))
      return EXIT.ok
    }
    const id = findQueued(message ?? '', waiting)
    const receipt =
      action === 'rm'
        ? await hub.withdraw(session.id, id)
        : await hub.editQueued(session.id, id, await change())
    if (json) printJson(shell, { sessionId: session.id, ...receipt })
    else shell.out(`${id} ${{ rm: 'taken out', edit: 'changed', move: 'moved' }[action]}\n`)
    return EXIT.ok

    async function change(): Promise<EditQueued> {
      const { text, how, before, first } = input
      if (action === 'edit') {
        const given = text === '-' ? await shell.readStdin() : text
        return { ...(given === undefined ? {} : { text: given }), ...(how === undefined ? {} : { how }) }
      }
      if (before !== undefined) return { before: findQueued(before, waiting) }
      return { before: first ? (waiting[0]?.messageId ?? null) : null }
    }
  },
})

/** Each action has its own arguments; what it would not use is a mistake. */
function mustFit({ action, message, text, how, before, first, last }: Input): void {
  const places = [before !== undefined, first, last].filter(Boolean).length
  if (action !== 'edit' && (text !== undefined || how !== undefined))
    throw new UsageError(`a text and --how belong to queue edit, not to queue ${action}`)
  if (action !== 'move' && places > 0)
    throw new UsageError(`--before, --first and --last belong to queue move, not to queue ${action}`)
  if (action === 'ls') {
    if (message !== undefined) throw new UsageError('queue ls shows all of them: it takes no message')
    return
  }
  if (message === undefined) {
    throw new UsageError(`name the message: agent-meow queue ${action} <session> <message>`, {
      hint: 'agent-meow queue ls <session> shows those that wait',
    })
  }
  if (action === 'edit' && text === undefined && how === undefined)
    throw new UsageError('say what changes: a new text, or --how')
  if (action === 'move' && places !== 1) throw new UsageError('say one of --before, --first and --last')
}

function row({ messageId, how, images, queuedAt, reason, text }: QueuedPrompt, at: number, now: number) {
  const why = reason === null ? '-' : reason.slice(0, REASON)
  return [String(at + 1), messageId, how, String(images), age(now - queuedAt), why, text]
}
