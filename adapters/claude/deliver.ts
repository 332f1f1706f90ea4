/** @module adapters/claude/deliver - how a prompt gets into Claude Code, at rest and while a turn runs. */
import type { Admission, Condition, Prompt, Reading, Seen, Step } from '../../src/adapter/index.js'
import {
  asTyped,
  asTypedBehindImages,
  composerEmpty,
  emptied,
  holds,
  holdsPrompt,
  imagesIn,
  oursInBox,
  withoutImages,
} from './composer.js'
import { sightOf } from './sight.js'

/** Ready: the status file is there and the composer is drawn. */
export function ready(seen: Seen): boolean {
  return seen.observations.some((o) => o.type === 'ready') && seen.reading?.composer != null
}

export function admits(reading: Reading | null): Admission {
  if (reading?.dialog) return { ok: false, reason: `a dialog is open: ${reading.dialog.title}` }
  if (!reading?.composer) return { ok: false, reason: 'the prompt box is not on the screen' }
  if (reading.composer.text !== '') return { ok: false, reason: 'a person has unsent text in the prompt box' }
  return { ok: true }
}

/** The hook names the very text; the transcript is the second witness; a queue has it in the transcript too. */
function accepted(text: string): Condition {
  return {
    name: 'Claude Code took the prompt',
    holds: ({ observations }) =>
      observations.some(
        (o) => (o.type === 'prompt.accepted' || o.type === 'user.message') && o.text.trim() === text.trim(),
      ),
  }
}

/** The same, or the box has let it go and the program draws it in its queue. */
function acceptedOrQueued(text: string): Condition {
  const told = accepted(text)
  const first = text.trim().split('\n', 1)[0] ?? ''
  return {
    name: 'Claude Code took the prompt or has it in its queue',
    holds: (seen) =>
      told.holds(seen) ||
      (seen.reading?.composer?.text === '' &&
        sightOf(seen.reading)?.queued.some((q) => withoutImages(q).startsWith(first.slice(0, 40))) === true),
  }
}

/** The path of each image, pasted alone, becomes `[Image #N]`; the model is given the file's bytes. */
function attach(images: readonly string[]): Step[] {
  return images.flatMap((path, n): Step[] => [
    { do: 'paste', text: path },
    {
      do: 'see',
      condition: {
        name: `image ${n + 1} stands in the prompt box`,
        holds: ({ reading }) => {
          const shown = reading?.composer?.text ?? ''
          return imagesIn(shown) === n + 1 && withoutImages(shown) === ''
        },
      },
      withinMs: 15_000,
    },
  ])
}

/**
 * Bracketed paste, seen in the box, then Enter as a call of its own: sent together, Enter was lost 3 times in 12.
 * Enter is pressed again only while the text still stands in the box.
 */
function handOver({ text, images }: Prompt, taken: Condition): readonly Step[] {
  const typed = images.length > 0 ? asTypedBehindImages(text) : asTyped(text)
  const inBox = holds(typed, images.length)
  return [
    ...attach(images),
    { do: 'paste', text: typed },
    { do: 'see', condition: inBox, withinMs: 15_000 },
    { do: 'receipt', state: 'typed' },
    // Somebody may have typed behind it meanwhile: Enter would send their words too.
    { do: 'must', condition: inBox, code: 'delivery_failed' },
    { do: 'keys', keys: ['Enter'] },
    {
      do: 'see',
      condition: taken,
      withinMs: 5000,
      retry: { when: inBox, steps: [{ do: 'keys', keys: ['Enter'] }], times: 3 },
    },
    { do: 'receipt', state: 'accepted' },
  ]
}

export function deliver(prompt: Prompt): readonly Step[] {
  return handOver(prompt, accepted(prompt.text))
}

/**
 * The same keys while a turn runs: the program queues the prompt, and hands it to the model at the next tool's end or
 * as the next turn. If the turn ends under our hands Enter sends it as any other.
 */
export function steer(prompt: Prompt): readonly Step[] {
  return handOver(prompt, acceptedOrQueued(prompt.text))
}

/** Whether the box still holds the prompt; its images may be all that was typed of it. */
export function stillInBox({ text, images }: Prompt, reading: Reading | null): boolean {
  const shown = reading?.composer?.text ?? ''
  if (images.length === 0) return holdsPrompt(reading, text, 0)
  return (
    holdsPrompt(reading, text, images.length) || (imagesIn(shown) > 0 && withoutImages(shown).trim() === '')
  )
}

/** Takes our own text out of the box again. */
export function withdraw(text: string): readonly Step[] {
  return [
    ...emptied(text, oursInBox(text)),
    { do: 'see', condition: composerEmpty, withinMs: 3000, code: 'timeout' },
  ]
}
