/** @module adapters/claude/deliver - how a prompt gets into Claude Code, and how its turn is stopped. */
import type { Admission, Condition, Reading, Seen, Step } from '../../src/adapter/index.js'

/**
 * What the composer would take for something else than text: a leading `/` or `!` (command, shell), a trailing
 * `\` (newline) or `@name` (completion). One space cures it; the trailing one is cut again by the program.
 */
export function asTyped(text: string): string {
  const head = /^[/!]/u.test(text) ? ' ' : ''
  const tail = /(?:\\|(?:^|\s)@\S*)$/u.test(text) ? ' ' : ''
  return head + text + tail
}

/** The program turns a tab into four spaces and cuts blanks at the end; so the conversation has it too. */
export function held(text: string): string {
  return text.replaceAll('\t', '    ').trimEnd()
}

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

/** Letters, digits and ASCII signs, without blanks: what is left of a text however its rows are cut. */
const core = (text: string) => text.replace(/[^\p{L}\p{N}\u0021-\u007e]/gu, '')

/** Long pastes are shown as a mark: `[Pasted text #1 +199 lines]`. */
const PASTE_MARK = /^\[Pasted text #\d+/u

/** The box holds this text, or the part of it that it shows, and not what a person typed there. */
function holdsText(text: string): Condition {
  const whole = core(text)
  return {
    name: 'the prompt box shows the text',
    holds: ({ reading }) => {
      const shown = reading?.composer?.text ?? ''
      if (shown === '') return false
      return whole.includes(core(shown)) || (PASTE_MARK.test(shown) && text.length > 200)
    },
  }
}

/** The hook names the very text; the transcript is the second witness. */
function accepted(text: string): Condition {
  return {
    name: 'Claude Code took the prompt',
    holds: ({ observations }) =>
      observations.some(
        (o) => (o.type === 'prompt.accepted' || o.type === 'user.message') && o.text.trim() === text.trim(),
      ),
  }
}

/**
 * Bracketed paste, seen in the box, then Enter as a call of its own: sent together, Enter was lost 3 times in 12.
 * Enter is pressed again only while the text still stands in the box.
 */
export function deliver(text: string): readonly Step[] {
  return [
    { do: 'paste', text: asTyped(text) },
    { do: 'see', condition: holdsText(text), withinMs: 15_000 },
    { do: 'receipt', state: 'typed' },
    { do: 'keys', keys: ['Enter'] },
    {
      do: 'see',
      condition: accepted(text),
      withinMs: 5000,
      retry: { when: holdsText(text), steps: [{ do: 'keys', keys: ['Enter'] }], times: 3 },
    },
    { do: 'receipt', state: 'accepted' },
  ]
}

const turnEnded: Condition = {
  name: 'the turn ended',
  holds: ({ observations }) => observations.some((o) => o.type === 'turn.ended'),
}

const composerEmpty: Condition = {
  name: 'the prompt box is empty again',
  holds: ({ reading }) => reading?.composer?.text === '',
}

/** Takes our own text out of the box again; Ctrl-C clears it, and never quits as long as there is text. */
export function withdraw(text: string): readonly Step[] {
  return [
    {
      do: 'if',
      condition: holdsText(text),
      steps: [
        { do: 'keys', keys: ['C-c'] },
        { do: 'see', condition: composerEmpty, withinMs: 5000, code: 'timeout' },
      ],
    },
  ]
}

/** The box holds this turn's prompt again: its beginning, long enough not to be something that a person began. */
function putBack(prompt: string | null): Condition {
  const same = holdsText(prompt ?? '')
  const enough = Math.min(20, core(prompt ?? '').length)
  return {
    name: 'the prompt was put back into the box',
    holds: (seen) => {
      const shown = seen.reading?.composer?.text ?? ''
      return prompt !== null && same.holds(seen) && (core(shown).length >= enough || PASTE_MARK.test(shown))
    },
  }
}

/**
 * Esc stops the turn (measured: stream closed 0.1 s later). Where nothing had been answered yet the program puts the
 * prompt back into the box; Ctrl-C clears it there, and never quits as long as there is text.
 */
export function interrupt(turn: { readonly prompt: string | null }): readonly Step[] {
  return [
    { do: 'keys', keys: ['Escape'] },
    {
      do: 'see',
      condition: turnEnded,
      withinMs: 6000,
      code: 'timeout',
      retry: {
        when: {
          name: 'the turn still runs',
          holds: (seen) => !turnEnded.holds(seen) && !seen.reading?.dialog,
        },
        steps: [{ do: 'keys', keys: ['Escape'] }],
        times: 1,
      },
    },
    {
      do: 'if',
      condition: putBack(turn.prompt),
      steps: [
        { do: 'keys', keys: ['C-c'] },
        { do: 'see', condition: composerEmpty, withinMs: 5000, code: 'timeout' },
      ],
    },
  ]
}
