/** @module session/hand-over - one prompt to the vendor, once; says what is known of it when that fails. */
import type { Adapter, Prompt, Step } from '../adapter/index.js'
import { asMeowError } from '../protocol/errors.js'
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
  let typed = false
  let submitted = false
  try {
    const went = await host.exclusive(async () => {
      if (host.signal.aborted || !admitted()) return false
      const io: ScriptIo = {
        ...host.io,
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
    if (!submitted) return { how: 'failed', reason: `${detail}${await takeBack(host, prompt)}` }
    const stands = host.adapter.stillInBox?.(prompt, host.io.watch.reading) ?? false
    const left = stands && !host.signal.aborted ? await takeBack(host, prompt) : null
    if (left === '') return { how: 'failed', reason: detail }
    return { how: 'undecided', reason: `${detail}${left ?? ''}` }
  }
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
