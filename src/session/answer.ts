/** @module session/answer - an answer to a dialog of the vendor's program: pressed once, on the very dialog, and seen. */
import type { Adapter, Dialog } from '../adapter/index.js'
import type { AnswerResult } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import { runScript, type ScriptIo } from './script.js'

/** Longest wait for a dialog to go after its key, in ms (measured under load: over 2 s). */
const CLEARS_MS = 15_000

export interface AnswerHost {
  readonly adapter: Adapter
  readonly io: Omit<ScriptIo, 'receipt'>
  readonly signal: AbortSignal
  exclusive<T>(work: () => Promise<T>): Promise<T>
  /** The dialog stands there and is about to be answered; null: it was not. */
  pressing(option: string | null): void
  /** The very dialog that was asked about stands there, and not another one that says the same. */
  stands(): boolean
}

/**
 * Presses what chooses `key`. `conflict`: the dialog that stands there is another one, or none; `invalid_argument`: it
 * has no such option; `delivery_failed`: it was pressed and the dialog still stands. Nothing is pressed twice.
 */
export async function answerDialog(
  host: AnswerHost,
  approvalId: string,
  dialog: Dialog,
  key: string,
): Promise<AnswerResult> {
  const { adapter, io, signal } = host
  const script = adapter.answer
  if (!script) {
    throw new MeowError('unsupported', `dialogs of ${adapter.vendor.name} are answered in its terminal`, {
      hint: 'agent-meow attach joins it',
    })
  }
  const option = dialog.options.find((o) => o.key === key)
  if (!option) {
    const known = dialog.options.map((o) => `${o.key} (${o.label})`).join(', ')
    throw new MeowError('invalid_argument', `the dialog has no option ${key}`, { hint: `it has: ${known}` })
  }
  const standing = () => io.watch.reading?.dialog?.fingerprint === dialog.fingerprint
  return await host.exclusive(async () => {
    // Another dialog may have been drawn since the newest frame.
    await io.fresh?.()
    if (!standing() || !host.stands()) throw gone(dialog, io.watch.reading?.dialog ?? null)
    // As it stands now: where the selection is decides how many keys an option is away.
    const now = io.watch.reading?.dialog ?? dialog
    host.pressing(option.label)
    try {
      await runScript(script(now, key), { ...io, receipt: () => undefined }, signal)
    } catch (error) {
      host.pressing(null)
      throw error
    }
    const mark = io.watch.begin()
    const cleared = await io.watch.until(
      ({ reading }) => reading !== null && !standing(),
      mark.observations,
      CLEARS_MS,
      signal,
    )
    mark.end()
    if (!cleared && !signal.aborted) {
      host.pressing(null)
      throw new MeowError(
        'delivery_failed',
        `${option.key} was pressed and the dialog "${dialog.title}" still stands after ${CLEARS_MS / 1000} s`,
        { hint: 'look at the terminal before anything is pressed again' },
      )
    }
    const end = signal.aborted ? "the vendor's program ended" : `the dialog is gone (${now.title})`
    return { approvalId, option: option.label, evidence: [`"${dialog.title}" stood there`, end] }
  })
}

/** Why a dialog cannot be answered any more. */
export function gone(asked: Dialog | null, now: Dialog | null): MeowError {
  const what = asked ? `the dialog "${asked.title}" is gone` : 'the dialog is gone'
  const detail = now ? `${what}; another stands there: "${now.title}"` : what
  return new MeowError('conflict', detail, { hint: 'nothing was pressed; look at the session again' })
}
