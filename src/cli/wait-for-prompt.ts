/** @module cli/wait-for-prompt - sends a prompt and stays with it until it is accepted, begun, or done. */
import type { Receipt, SendMessageInput } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import type { SessionInfo } from '../protocol/session.js'
import { CtrlC } from './exits.js'
import { followSession } from './follow-session.js'
import type { Hub } from './hub-access.js'
import { leftBehind, ReceiptWatch, receiptLine } from './receipts.js'
import { safeText } from './safe-text.js'
import type { Shell } from './shell.js'
import { type TurnEnd, TurnWatch } from './turn-watch.js'

export const WAITS = ['accepted', 'started', 'completed'] as const
export type Wait = (typeof WAITS)[number]

export interface Wish {
  readonly message: SendMessageInput & { readonly messageId: string }
  readonly until: Wait
  /** Only events after this one are looked at. */
  readonly since: number
  /** Nothing is shown on the way. */
  readonly json: boolean
  /** Longest wait in seconds. */
  readonly timeout: number | undefined
}

export interface Waited {
  readonly receipt: Receipt
  /** Null unless the turn was waited for. */
  readonly end: TurnEnd | null
}

/** `timeout` when it took too long; Ctrl-C leaves the prompt where it is, and says where. */
export async function waitForPrompt(
  shell: Shell,
  hub: Hub,
  session: SessionInfo,
  wish: Wish,
): Promise<Waited> {
  const { message, until, json } = wish
  const receipts = new ReceiptWatch(message.messageId, (receipt) => {
    if (!json) shell.tell(receiptLine(receipt))
  })
  let atLineStart = true
  /** Dialogs of the past are told again with the rest of it, and are long gone. */
  let live = false
  const turn = new TurnWatch(message.messageId, (text) => {
    const safe = safeText(text)
    if (json || until !== 'completed' || safe === '') return
    shell.out(safe)
    atLineStart = safe.endsWith('\n')
  })
  const limit = wish.timeout === undefined ? null : AbortSignal.timeout(wish.timeout * 1000)
  try {
    await followSession(hub, session.id, {
      since: wish.since,
      signal: limit === null ? shell.signal : AbortSignal.any([shell.signal, limit]),
      // Sent only when the stream is open: nothing of the turn can be missed.
      onLive: async () => {
        live = true
        const receipt = await hub.send(session.id, message)
        if (receipts.newest === null) receipts.learn(receipt)
      },
      onEvent: (event) => {
        if (live && event.type === 'session.state' && event.state === 'blocked' && !json)
          shell.tell(`a dialog is open; answer it: agent-meow answer ${session.id}`)
        const reached = receipts.take(event, until)
        const ended = turn.take(event)
        return until === 'completed' ? ended : reached
      },
    })
    await learnLast(hub, session.id, message.messageId, receipts)
  } catch (error) {
    if (!(error instanceof CtrlC)) throw error
    const left = leftBehind(session.id, receipts.newest)
    if (limit?.aborted === true && !shell.signal.aborted) {
      const what = until === 'completed' ? 'the turn did not end' : `the prompt was not ${until}`
      const hint = left === null ? {} : { hint: left }
      throw new MeowError('timeout', `${what} within ${wish.timeout} s`, hint)
    }
    if (left !== null) shell.tell(left)
    throw error
  } finally {
    if (!atLineStart) shell.out('\n')
  }
  const { messageId } = message
  const receipt = receipts.newest ?? { messageId, state: 'failed', reason: 'its end was not seen' }
  return { receipt, end: until === 'completed' ? turn.end : null }
}

/** The turn's end is told before the receipt that follows from it. */
async function learnLast(hub: Hub, id: string, messageId: string, receipts: ReceiptWatch): Promise<void> {
  const last = await hub.receipt(id, messageId).catch((error: unknown) => {
    // The end is known already; a hub that went away since takes nothing from it.
    if (error instanceof MeowError) return null
    throw error
  })
  if (last !== null) receipts.learn(last)
}
