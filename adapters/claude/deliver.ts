/** @module adapters/claude/deliver - how a prompt gets into Claude Code, and how its turn is stopped. */

import type { Admission, Condition, Reading, Seen, Step } from '../../src/adapter/index.js'
import { MeowError } from '../../src/protocol/errors.js'

/**
 * What the composer would take for something else than text: a leading `/` or `!` (command, shell), a trailing
 * `\` (newline) or `@name` (completion). One space cures it; the trailing one is cut again by the program.
 */
export function asTyped(text: string): string {
  const head = /^[/!]/u.test(text) ? ' ' : ''
  const tail = /(?:\\|(?:^|\s)@\S*)$/u.test(text) ? ' ' : ''
  return head + text + tail
}

/** Words that quit the program when they stand alone; blanks around them change nothing (2.1.197). */
const QUITS = /^\s*(?:exit|quit|:q!?|:wq!?)\s*$/u

/** The program turns a tab into four spaces and cuts blanks at the end; so the conversation has it too. */
export function held(text: string): string {
  if (QUITS.test(text)) {
    throw new MeowError('unsupported', `Claude Code takes "${text.trim()}" alone as the command to quit`, {
      hint: 'put it into a sentence; agent-meow kill ends the session',
    })
  }
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

/** A long paste is shown as a mark: `[Pasted text #1 +199 lines]`. Alone: nobody has typed beside it. */
const PASTE_MARK = /^\[Pasted text #\d+(?: \+\d+ lines)?\]$/u
/** From here on (in characters) the program may show a mark, or only a part of the text. */
const MARKED_FROM = 200
const CUT_FROM = 500

/**
 * The box holds this text and nothing else: a person may have typed there in the same moment, and Enter would submit
 * their words. Of a long text the box may show a part; then that part is long as well.
 */
function holdsText(text: string): Condition {
  const whole = core(text)
  return {
    name: 'the prompt box shows the text and nothing else',
    holds: ({ reading }) => {
      const shown = reading?.composer?.text ?? ''
      if (shown === '') return false
      if (PASTE_MARK.test(shown.trim())) return text.length > MARKED_FROM
      const part = core(shown)
      if (part === whole) return part !== '' || text.trim() !== ''
      return text.length > CUT_FROM && part.length > MARKED_FROM && whole.includes(part)
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
    { do: 'if', condition: holdsText(text), steps: [{ do: 'keys', keys: ['C-c'] }] },
    { do: 'see', condition: composerEmpty, withinMs: 3000, code: 'timeout' },
  ]
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
      condition: { ...holdsText(turn.prompt ?? ''), name: 'the prompt was put back into the box' },
      steps: [
        { do: 'keys', keys: ['C-c'] },
        { do: 'see', condition: composerEmpty, withinMs: 5000, code: 'timeout' },
      ],
    },
  ]
}
