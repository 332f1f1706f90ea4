/** @module cli/commands/send - types a prompt into a session, once, and may wait for what comes of it. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { MeowError } from '../../protocol/errors.js'
import type { SessionInfo } from '../../protocol/session.js'
import { command, common, printJson, wholeNumber } from '../command.js'
import { CtrlC, EXIT, UsageError } from '../exits.js'
import { followSession } from '../follow-session.js'
import type { Hub } from '../hub-access.js'
import { requireSession } from '../require-hub.js'
import { safeText } from '../safe-text.js'
import type { Shell } from '../shell.js'
import { type TurnEnd, TurnWatch } from '../turn-watch.js'

const OUTCOME_EXIT = { completed: EXIT.ok, interrupted: EXIT.interrupted, failed: EXIT.error } as const

export const send = command({
  name: 'send',
  summary: 'send a prompt to a session',
  args: [
    { flags: '<session>', about: 'id, the start of an id, or a name' },
    { flags: '<text>', about: 'the prompt; - reads it from stdin' },
  ],
  options: [
    { flags: '-w, --wait', about: "print the assistant's text as it comes; return when the turn has ended" },
    { flags: '-t, --timeout <seconds>', about: 'longest wait with --wait (default: none)' },
    { flags: '--id <id>', about: 'your id of the message: a repeated id is never typed twice' },
  ],
  notes:
    'Without --wait it returns when the message is queued; its receipts are `delivery` events.\n' +
    'With --wait it exits 0 when the turn completed, 2 when it was interrupted, 1 when it failed.',
  examples: [
    ['send docs "what does this repo do?"', 'queue a prompt'],
    ['send docs "and the tests?" --wait', 'and read the answer here'],
    ['send docs - --wait < prompt.md', 'a prompt from a file'],
    ['send docs "go on" --id job-42 --json', 'safe to repeat, for a program'],
  ],
  input: z.object({
    ...common,
    session: z.string(),
    text: z.string(),
    wait: z.boolean().default(false),
    timeout: wholeNumber(1, 864_000).optional(),
    id: z
      .string()
      .regex(/^[\w.:-]{1,100}$/, 'letters, digits and _ . : - are wanted, 1 to 100 of them')
      .optional(),
  }),
  async run(shell, { json, session: ref, text: given, wait, timeout, id }) {
    if (timeout !== undefined && !wait) throw new UsageError('--timeout needs --wait')
    const { hub, session } = await requireSession(shell, ref)
    const text = given === '-' ? await shell.readStdin() : given
    if (text.trim() === '') throw new UsageError('the prompt is empty')
    if (!wait) {
      const receipt = await hub.send(session.id, { text, ...(id === undefined ? {} : { messageId: id }) })
      if (json) printJson(shell, { sessionId: session.id, ...receipt })
      else
        shell.out(
          `${receipt.messageId} ${receipt.state}${receipt.reason === null ? '' : `: ${receipt.reason}`}\n`,
        )
      return receipt.state === 'failed' ? EXIT.error : EXIT.ok
    }
    const wish = { text, messageId: id ?? `cli-${randomUUID()}` }
    // A repeated id may have had its turn already: then its events are in the past.
    const since = id === undefined ? session.lastSeq : 0
    const end = await waitForTurn(shell, hub, session, { ...wish, since, json, timeout })
    if (json) printJson(shell, { sessionId: session.id, messageId: wish.messageId, ...end })
    else if (end.outcome !== 'completed') {
      shell.tell(
        `the turn ${end.outcome === 'failed' ? 'failed' : 'was interrupted'}${end.detail === null ? '' : `: ${end.detail}`}`,
      )
    }
    return OUTCOME_EXIT[end.outcome]
  },
})

interface Wish {
  readonly text: string
  readonly messageId: string
  readonly since: number
  readonly json: boolean
  readonly timeout: number | undefined
}

async function waitForTurn(shell: Shell, hub: Hub, session: SessionInfo, wish: Wish): Promise<TurnEnd> {
  let atLineStart = true
  const watch = new TurnWatch(wish.messageId, (text) => {
    const safe = safeText(text)
    if (wish.json || safe === '') return
    shell.out(safe)
    atLineStart = safe.endsWith('\n')
  })
  const limit = wish.timeout === undefined ? null : AbortSignal.timeout(wish.timeout * 1000)
  const goesOn = `it goes on; agent-meow interrupt ${session.id} stops it`
  try {
    await followSession(hub, session.id, {
      since: wish.since,
      signal: limit === null ? shell.signal : AbortSignal.any([shell.signal, limit]),
      // Sent only when the stream is open: nothing of the turn can be missed.
      onLive: async () => {
        await hub.send(session.id, { text: wish.text, messageId: wish.messageId })
      },
      onEvent: (event) => {
        if (event.type === 'session.state' && event.state === 'blocked' && !wish.json) {
          shell.tell(
            `a dialog is open in the TUI; answer it on the page, or: agent-meow attach ${session.id}`,
          )
        }
        return watch.take(event)
      },
    })
  } catch (error) {
    if (error instanceof CtrlC && limit?.aborted === true) {
      throw new MeowError('timeout', `the turn did not end within ${wish.timeout} s`, { hint: goesOn })
    }
    if (error instanceof CtrlC && !wish.json) shell.tell(goesOn)
    throw error
  } finally {
    if (!atLineStart) shell.out('\n')
  }
  return (
    watch.end ?? { outcome: 'failed', turnId: null, detail: 'its end was not seen', text: '', usage: null }
  )
}
