/** @module cli/commands/answer - answers the dialog that a session waits at. */
import { z } from 'zod'
import { MeowError } from '../../protocol/errors.js'
import { command, common, printJson } from '../command.js'
import { EXIT } from '../exits.js'
import { type Approval, openApproval } from '../open-approval.js'
import { requireSession } from '../require-hub.js'
import { safeLine, safeText } from '../safe-text.js'

export const answer = command({
  name: 'answer',
  summary: 'answer the dialog that a session waits at, or show it',
  args: [
    { flags: '<session>', about: 'id, the start of an id, or a name' },
    { flags: '[option]', about: 'key or text of an option; without one the dialog is shown' },
  ],
  options: [],
  notes:
    'The dialog is read again before a key is pressed, once; it returns when the dialog was seen to go. If another one\n' +
    'stands there by then, nothing is pressed.',
  examples: [
    ['answer docs', 'show what it asks, with its options'],
    ['answer docs 1', 'choose the first'],
    ['answer docs --json', 'the dialog, for a program; null when there is none'],
  ],
  input: z.object({ ...common, session: z.string(), option: z.string().min(1).optional() }),
  async run(shell, { json, session: ref, option: wanted }) {
    const { hub, session } = await requireSession(shell, ref)
    const open = await openApproval(hub, session)
    if (wanted === undefined) {
      if (json) printJson(shell, { sessionId: session.id, approval: open && shown(open) })
      else if (open === null) shell.tell('no dialog is open')
      else shell.out(`${dialogLines(open, session.id).join('\n')}\n`)
      return EXIT.ok
    }
    if (open === null) {
      throw new MeowError('conflict', 'no dialog is open', {
        hint: `agent-meow send ${session.id} "..." sends a prompt`,
      })
    }
    const result = await hub.answer(session.id, open.approvalId, keyOf(open, wanted, session.id))
    if (json) printJson(shell, { sessionId: session.id, ...result })
    else {
      shell.out(`answered: ${safeLine(result.option)}\n`)
      for (const line of result.evidence) shell.out(`  ${safeLine(line)}\n`)
    }
    return EXIT.ok
  },
})

function shown({ approvalId, kind = 'other', title, detail, options = [] }: Approval) {
  return { approvalId, kind, title, detail, options }
}

function dialogLines({ kind, title, detail, options = [] }: Approval, id: string): string[] {
  const width = Math.max(0, ...options.map(({ key }) => key.length))
  const about = safeText(detail)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return [
    `${kind === undefined ? '' : `${safeLine(kind)}: `}${safeLine(title)}`,
    ...about.map((line) => `  | ${line}`),
    ...options.map(({ key, label }) => `  ${safeLine(key).padEnd(width)}  ${safeLine(label)}`),
    options.length === 0
      ? `answer it in its terminal: agent-meow attach ${id}`
      : `answer it: agent-meow answer ${id} <option>`,
  ]
}

/** By key, else by the whole text in any case. */
function keyOf({ title, options = [] }: Approval, wanted: string, id: string): string {
  if (options.length === 0) {
    throw new MeowError('unsupported', `"${safeLine(title)}" is answered in its terminal`, {
      hint: `agent-meow attach ${id}`,
    })
  }
  const text = wanted.trim().toLowerCase()
  const option =
    options.find(({ key }) => key === wanted) ??
    options.find(({ label }) => label.trim().toLowerCase() === text)
  if (option !== undefined) return option.key
  const known = options.map(({ key, label }) => `${key} (${label})`).join(', ')
  throw new MeowError('invalid_argument', `the dialog has no option "${safeLine(wanted, 80)}"`, {
    hint: `it has: ${known}`,
  })
}
