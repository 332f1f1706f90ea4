/** @module adapters/claude/answer - which keys choose an option of Claude Code's dialogs. */
import type { Condition, Dialog, Step } from '../../src/adapter/index.js'
import { MeowError } from '../../src/protocol/errors.js'

/** Longest wait for a selection to move, in ms (measured under load: over 2 s). */
const MOVES_MS = 10_000

/**
 * Where options are numbered and the dialog is known to answer to a digit, the digit alone does it; in any other list
 * the selection is moved there, seen, and Enter chooses it. Throws `unsupported` for an option that wants words.
 */
export function answer(dialog: Dialog, key: string): readonly Step[] {
  const target = dialog.options.findIndex((o) => o.key === key && key !== '')
  const option = dialog.options[target]
  if (!option) {
    throw new MeowError('unsupported', `"${dialog.title}" has no option ${key} that keys alone can choose`, {
      hint: 'answer it in the terminal: agent-meow attach',
    })
  }
  const numbered = 'numbered' in dialog && dialog.numbered === true
  if (numbered && dialog.kind !== 'other' && /^\d$/u.test(key)) return [{ do: 'keys', keys: [key] }]
  return moveTo(dialog, target)
}

function moveTo(dialog: Dialog, target: number): readonly Step[] {
  const from = dialog.options.findIndex((o) => o.selected)
  if (from < 0) {
    throw new MeowError('unsupported', `"${dialog.title}" shows no selection that could be moved`, {
      hint: 'answer it in the terminal: agent-meow attach',
    })
  }
  const steps: Step[] = []
  const down = target > from
  for (let at = from; at !== target; at += down ? 1 : -1) {
    steps.push(
      { do: 'keys', keys: [down ? 'Down' : 'Up'] },
      { do: 'see', condition: selected(dialog, down ? at + 1 : at - 1), withinMs: MOVES_MS, code: 'timeout' },
    )
  }
  steps.push({ do: 'must', condition: selected(dialog, target) }, { do: 'keys', keys: ['Enter'] })
  return steps
}

function selected(dialog: Dialog, at: number): Condition {
  return {
    name: `"${dialog.options[at]?.label ?? at}" is selected`,
    holds: ({ reading }) =>
      reading?.dialog?.fingerprint === dialog.fingerprint && reading.dialog.options[at]?.selected === true,
  }
}
