/** @module session/hand-over - one prompt to the vendor, once; says what is known of it when that fails. */
import type { Adapter, Observation, Prompt, Seen, Step } from '../adapter/index.js'
import { asMeowError, MeowError } from '../protocol/errors.js'
import { runScript, type ScriptIo } from './script.js'

export interface HandOver {
  readonly adapter: Adapter
  readonly io: Omit<ScriptIo, 'receipt'>
  readonly signal: AbortSignal
  /** Runs work while nobody else types through the bridge. */
  exclusive<T>(work: () => Promise<T>): Promise<T>
}

/** `refused`: nothing was typed; `failed`: it did not arrive; `undecided`: it may have. */
export type HandOverResult =
  | { readonly how: 'accepted' }
  | { readonly how: 'refused' }
  | { readonly how: 'failed' | 'undecided'; readonly reason: string }

/** How long the vendor's word for a prompt may come after its text has left the box, in ms (measured: 20 to 500). */
const EVIDENCE_MS = 3000

/**
 * Runs the script of a delivery. A failure is decided by what was done last and by what the prompt box still holds:
 * before the key or call that submits nothing can have arrived, and what still stands in the box has not.
 * @param admitted asked when the hands are free; false: nothing is typed
 */
export async function handOver(
  host: HandOver,
  prompt: Prompt,
  steps: readonly Step[],
  admitted: () => boolean,
  receipt: ScriptIo['receipt'],
): Promise<HandOverResult> {
  const { watch } = host.io
  const mark = watch.begin()
  // The rest of a script begins behind its paste.
  let typed = !steps.some((step) => step.do === 'paste')
  let submitted = false
  let before = false
  try {
    const went = await host.exclusive(async () => {
      if (host.signal.aborted || !admitted()) return false
      const io: ScriptIo = {
        ...host.io,
        keys: async (names) => {
          await host.io.fresh?.()
          const dialog = watch.reading?.dialog
          if (dialog) {
            submitted = before
            throw new MeowError('blocked', `a dialog opened: ${dialog.title}; nothing more was pressed`)
          }
          await host.io.keys(names)
        },
        call: async (method, params) => {
          try {
            return await host.io.call(method, params)
          } catch (error) {
            // Refused in words, or never sent: then it was not done. Without an answer nobody knows.
            const { code, retryable } = asMeowError(error)
            if (code !== 'timeout' || retryable) submitted = false
            throw error
          }
        },
        receipt: (state) => {
          if (state === 'typed') typed = true
          receipt(state)
        },
        acting: (step) => {
          before = submitted
          // A paste alone submits nothing; a call may do all at once.
          if (step === 'call' || (step === 'keys' && typed)) submitted = true
        },
      }
      await runScript(steps, io, host.signal)
      return true
    })
    return { how: went ? 'accepted' : 'refused' }
  } catch (error) {
    const { detail } = asMeowError(error)
    if (!submitted) {
      const left = await takeBack(host, prompt)
      // What stands in the box may be sent by a person.
      return { how: left === '' ? 'failed' : 'undecided', reason: `${detail}${left}` }
    }
    const stands = host.adapter.stillInBox?.(prompt, watch.reading) ?? false
    const left = stands && !host.signal.aborted ? await takeBack(host, prompt) : null
    // A program that stood still may have read our Enter just before the keys that clear the box.
    const took = (o: Observation) => isIt(o, prompt)
    const seen = ({ observations }: Seen) => observations.some(took)
    if (left === '' && (await watch.until(seen, mark.observations, EVIDENCE_MS, host.signal))) {
      receipt('accepted')
      return { how: 'accepted' }
    }
    if (left === '' && !host.signal.aborted) return { how: 'failed', reason: detail }
    return { how: 'undecided', reason: `${detail}${left ?? ''}` }
  } finally {
    mark.end()
  }
}

/** Whether this is the vendor's word for the prompt. */
function isIt(o: Observation, { messageId, text }: Prompt): boolean {
  if (o.type !== 'prompt.accepted' && o.type !== 'user.message') return false
  return o.messageId === undefined ? o.text.trim() === text.trim() : o.messageId === messageId
}

/** What is left of a script once its text stands in the prompt box. */
export function restOf(steps: readonly Step[]): readonly Step[] {
  const typed = steps.findIndex((step) => step.do === 'receipt' && step.state === 'typed')
  return steps.slice(typed + 1)
}

/** Takes our own text out of the prompt box again; '' when that was seen, else what to know about it. */
export async function takeBack(host: HandOver, prompt: Prompt): Promise<string> {
  const steps = host.adapter.withdraw?.(prompt.text)
  if (!steps || host.signal.aborted) return ''
  try {
    await host.exclusive(() => runScript(steps, { ...host.io, receipt: () => undefined }, host.signal))
    return ''
  } catch {
    return '; its text may still stand in the prompt box'
  }
}
