/** @module cli/commands/send - sends a prompt to a session, once, and may wait for what comes of it. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { MAX_IMAGES, MAX_PROMPT, type SendMessageInput } from '../../protocol/commands.js'
import { MeowError } from '../../protocol/errors.js'
import { command, common, printJson, wholeNumber } from '../command.js'
import { EXIT, UsageError } from '../exits.js'
import { readImages } from '../image-file.js'
import { receiptExit, receiptLine, UNDECIDED } from '../receipts.js'
import { requireSession } from '../require-hub.js'
import { safeLine } from '../safe-text.js'
import type { Shell } from '../shell.js'
import { WAITS, type Wait, type Waited, waitForPrompt } from '../wait-for-prompt.js'

const OUTCOME_EXIT = { completed: EXIT.ok, interrupted: EXIT.interrupted, failed: EXIT.error } as const

export const send = command({
  name: 'send',
  summary: 'send a prompt to a session',
  args: [
    { flags: '<session>', about: 'id, the start of an id, or a name' },
    { flags: '[text]', about: 'the prompt; - reads it from stdin' },
  ],
  options: [
    { flags: '--steer', about: 'now: into the running turn, where the program has a way; else it waits' },
    { flags: '--interrupt', about: 'now: stop the running turn for it' },
    {
      flags: '--image <file>',
      about: `an image that goes with it; up to ${MAX_IMAGES} times`,
      repeats: true,
    },
    {
      flags: '-w, --wait [state]',
      about:
        'show the receipts as they move and return when it is accepted, started or completed (default: completed; then ' +
        "the assistant's text is printed as it comes)",
    },
    { flags: '-t, --timeout <seconds>', about: 'longest wait with --wait (default: none)' },
    { flags: '--id, --message-id <id>', about: 'your id of the message: a repeated id is never sent twice' },
  ],
  notes:
    'Without --steer and --interrupt it waits in the queue until the turn that runs and what was sent before are over.\n' +
    'Without --wait it returns when the message is queued; its receipts are `delivery` events.\n' +
    'With --wait it exits 0 when that state was reached, 1 when it failed, 2 when its turn was interrupted, 3 when\n' +
    'nobody can say whether it arrived. Ctrl-C leaves the prompt where it is.',
  examples: [
    ['send docs "what does this repo do?"', 'queue a prompt'],
    ['send docs "and the tests?" --wait', 'and read the answer here'],
    ['send docs - --wait < prompt.md', 'a prompt from a file'],
    ['send docs "not that file" --steer', 'into the turn that runs'],
    ['send docs "stop, do this" --interrupt --wait=started', 'in place of the turn that runs'],
    ['send docs "what is wrong here?" --image shot.png', 'with an image'],
    ['send docs "go on" --message-id job-42 --json', 'safe to repeat, for a program'],
  ],
  input: z.object({
    ...common,
    session: z.string(),
    text: z.string().optional(),
    steer: z.boolean().default(false),
    interrupt: z.boolean().default(false),
    image: z.array(z.string().min(1)).default([]),
    wait: z.union([z.boolean(), z.string()]).default(false),
    timeout: wholeNumber(1, 864_000).optional(),
    messageId: z
      .string()
      .regex(/^[\w.:-]{1,100}$/, 'letters, digits and _ . : - are wanted, 1 to 100 of them')
      .optional(),
  }),
  async run(shell, input) {
    const { json, session: ref, steer, interrupt, timeout, messageId } = input
    if (steer && interrupt) throw new UsageError('--steer and --interrupt exclude each other')
    const { given, until } = textAndWait(input)
    if (timeout !== undefined && until === null) throw new UsageError('--timeout needs --wait')
    const images = readImages(shell.cwd, input.image)
    const { hub, session } = await requireSession(shell, ref)
    const text = given === '-' ? await shell.readStdin() : given
    mustBePrompt(text)
    const how = steer ? 'steer' : interrupt ? 'interrupt' : null
    const message: SendMessageInput = {
      text,
      ...(how === null ? {} : { how }),
      ...(images.length === 0 ? {} : { images }),
      ...(messageId === undefined ? {} : { messageId }),
    }
    if (until === null) {
      const receipt = await hub.send(session.id, message)
      if (json) printJson(shell, { sessionId: session.id, ...receipt })
      else shell.out(`${receiptLine(receipt)}\n`)
      if (receipt.undecided === true && !json) shell.tell(UNDECIDED)
      return receiptExit(receipt)
    }
    const waited = await waitForPrompt(shell, hub, session, {
      message: { ...message, messageId: messageId ?? `cli-${randomUUID()}` },
      until,
      // A repeated id may have had its turn already: then its events are in the past.
      since: messageId === undefined ? session.lastSeq : 0,
      json,
      timeout,
    })
    return tellEnd(shell, session.id, waited, { json, until })
  },
})

/** `--wait` may stand before the prompt, which it then seems to have as its value. */
function textAndWait(input: { text?: string | undefined; wait: boolean | string }): {
  given: string
  until: Wait | null
} {
  const { text, wait } = input
  const state = WAITS.find((one) => one === wait)
  if (text !== undefined) {
    if (typeof wait === 'string' && state === undefined)
      throw new UsageError(`--wait takes ${WAITS.join(', ')}, not "${safeLine(wait, 40)}"`)
    return { given: text, until: state ?? (wait === true ? 'completed' : null) }
  }
  if (typeof wait === 'string' && state === undefined) return { given: wait, until: 'completed' }
  throw new UsageError("missing required argument 'text'", {
    hint: 'agent-meow send <session> "the prompt", or - to read it from stdin',
  })
}

function mustBePrompt(text: string): void {
  if (text.trim() === '') throw new UsageError('the prompt is empty')
  if (text.length <= MAX_PROMPT) return
  throw new MeowError('too_large', `the prompt has ${text.length} characters; ${MAX_PROMPT} is the most`, {
    hint: 'put it into a file and name the file in the prompt',
  })
}

function tellEnd(
  shell: Shell,
  sessionId: string,
  { receipt, end }: Waited,
  { json, until }: { json: boolean; until: Wait },
): number {
  const undecided = receipt.state === 'failed' && receipt.undecided === true
  if (json) {
    const turn = end === null ? {} : { ...end, receipt }
    printJson(shell, { sessionId, ...(end === null ? receipt : { messageId: receipt.messageId }), ...turn })
  } else if (undecided) {
    shell.tell(UNDECIDED)
  } else if (end !== null && end.outcome !== 'completed') {
    const how = end.outcome === 'failed' ? 'failed' : 'was interrupted'
    shell.tell(`the turn ${how}${end.detail === null ? '' : `: ${safeLine(end.detail)}`}`)
  } else if (end === null && until !== 'completed') {
    shell.out(`${receiptLine(receipt)}\n`)
  }
  if (undecided || end === null) return receiptExit(receipt)
  return OUTCOME_EXIT[end.outcome]
}
