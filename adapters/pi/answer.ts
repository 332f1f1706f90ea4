/** @module pi/answer - the keys that choose an option of one of Pi's dialogs. */
import type { Condition, Dialog, Reading, Step } from '../../src/adapter/index.js'
import { MeowError } from '../../src/protocol/errors.js'

/** How long Pi may take to move the mark, and to close the dialog. */
const MOVE_MS = 5000
const CLOSE_MS = 15_000

/** Every list of Pi takes arrows and Enter; Enter is pressed only when the mark is seen to stand at the option. */
export function answer(dialog: Dialog, key: string): readonly Step[] {
  const to = dialog.options.findIndex((o) => o.key === key)
  const from = dialog.options.findIndex((o) => o.selected)
  const option = dialog.options[to]
  if (!option || from < 0)
    throw new MeowError('invalid_argument', `the dialog "${dialog.title}" has no option ${key}`)
  const marked = (reading: Reading | null): boolean =>
    reading?.dialog?.title === dialog.title &&
    reading.dialog.options.some((o) => o.selected && o.label === option.label)
  const atOption: Condition = {
    name: `the mark stands at "${option.label}"`,
    holds: ({ reading }) => marked(reading),
  }
  const gone: Condition = {
    name: `the dialog "${dialog.title}" is gone`,
    holds: ({ reading }) => reading !== null && reading.dialog?.title !== dialog.title,
  }
  const arrows = Array.from({ length: Math.abs(to - from) }, () => (to > from ? 'Down' : 'Up'))
  return [
    ...(arrows.length > 0 ? [{ do: 'keys', keys: arrows } as const] : []),
    { do: 'see', condition: atOption, withinMs: MOVE_MS, code: 'conflict' },
    { do: 'keys', keys: ['Enter'] },
    { do: 'see', condition: gone, withinMs: CLOSE_MS },
  ]
}
