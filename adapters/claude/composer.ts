/** @module adapters/claude/composer - what Claude Code's prompt box may show of a text, and how it is emptied. Pure. */
import type { Condition, Reading, Step } from '../../src/adapter/index.js'
import { MeowError } from '../../src/protocol/errors.js'

/**
 * What the composer would take for something else than text: a leading `/` or `!` (command, shell), a trailing
 * `\` (newline) or `@name` (completion). One space cures it; the trailing one is cut again by the program.
 */
export function asTyped(text: string): string {
  const head = /^[/!]/u.test(text) ? ' ' : ''
  return head + text + tailOf(text)
}

/** Behind images a text stands on a line of its own, and no first sign of it means anything. */
export function asTypedBehindImages(text: string): string {
  return `\n${text}${tailOf(text)}`
}

/** What must stand behind a text so that Enter sends it; the program cuts it off again. */
export const tailOf = (text: string) => (/(?:\\|(?:^|\s)@\S*)$/u.test(text) ? ' ' : '')

/** Words that quit the program when they stand alone; blanks around them change nothing (2.1.197). */
const QUITS = /^\s*(?:exit|quit|:q!?|:wq!?)\s*$/u

/**
 * The program turns a tab into four spaces, composes accents (NFC) and cuts blanks at the end; so the conversation has
 * it too.
 */
export function held(text: string): string {
  if (QUITS.test(text)) {
    throw new MeowError('unsupported', `Claude Code takes "${text.trim()}" alone as the command to quit`, {
      hint: 'put it into a sentence; agent-meow kill ends the session',
    })
  }
  return text.replaceAll('\t', '    ').normalize('NFC').trimEnd()
}

/** Letters, digits and ASCII signs, without blanks and accents: what is left of a text however its rows are cut. */
const core = (text: string) => text.normalize('NFD').replace(/[^\p{L}\p{N}\u0021-\u007e]/gu, '')

/** A long paste is shown as a mark: `[Pasted text #1 +199 lines]`, with the number of its line breaks. */
const PASTE_MARK = /^\[Pasted text #\d+(?: \+(\d+) lines?)?\]$/u
/** A text without line breaks is shown as a mark only when it is long (measured: 700 not, 900 characters yes). */
const MARKED_FROM = 600
/** From here on (in characters) the program may show only a part of the text. */
const CUT_FROM = 400
/** A part that stands for the whole must have so many characters. */
const PART = 150

const IMAGES = /^(?:\[Image #\d+\]\s*)+/u
/** A path that was pasted for an image and stands there as text. */
const IMAGE_PATH = /^(?:\[Image #\d+\]\s*)*(?:['"]?\/\S*\.(?:png|jpe?g|gif|webp)['"]?)?$/iu

/** What the box shows of a prompt's text: image marks in front of it are not part of it. */
export const withoutImages = (shown: string): string => shown.replace(IMAGES, '')

/** How many images stand in front. */
export const imagesIn = (shown: string): number =>
  IMAGES.exec(shown)?.[0].match(/\[Image #\d+\]/gu)?.length ?? 0

/** Whether the box shows this text, whole or as the program abbreviates it, and nothing else. */
function showsText(shown: string, text: string): boolean {
  if (shown === '') return false
  const mark = PASTE_MARK.exec(shown.trim())
  if (mark) {
    const breaks = text.match(/\n/gu)?.length ?? 0
    return mark[1] === undefined ? text.length > MARKED_FROM : Math.abs(Number(mark[1]) - breaks) <= 1
  }
  const [whole, part] = [core(text), core(shown)]
  if (part === whole) return part !== '' || text.trim() !== ''
  return text.length > CUT_FROM && part.length > PART && whole.includes(part)
}

/** Whether the box holds a prompt of ours, its images included, and nothing else. */
export function holdsPrompt(reading: Reading | null, text: string, images: number): boolean {
  const shown = reading?.composer?.text ?? ''
  return imagesIn(shown) === images && showsText(withoutImages(shown), text)
}

/**
 * The box holds this text and nothing else: a person may have typed there in the same moment, and Enter would submit
 * their words. Of a long text the box may show a part; then that part is long as well.
 */
export function holds(text: string, images = 0): Condition {
  return {
    name: 'the prompt box shows the text and nothing else',
    holds: ({ reading }) => holdsPrompt(reading, text, images),
  }
}

export const composerEmpty: Condition = {
  name: 'the prompt box is empty again',
  holds: ({ reading }) => reading?.composer?.text === '',
}

/** Presses of one round: a row of the box each, and the break before it; into an empty box they do nothing. */
const ROUND = Array.from({ length: 6 }, () => 'C-u')
const ROUNDS = 8

/**
 * Takes a text of ours out of the box: whole or what is left of it, its images or a path that became none. Ctrl-U, a
 * row each: Ctrl-C would stop a turn that runs, whatever stands in the box (2.1.197).
 */
export function emptied(text: string, when: Condition): readonly Step[] {
  const whole = core(text)
  const rest: Condition = {
    name: 'the prompt box holds a rest of the text',
    holds: ({ reading }) => {
      const shown = reading?.composer?.text ?? ''
      if (shown === '') return false
      if (IMAGE_PATH.test(shown)) return true
      const own = withoutImages(shown)
      return showsText(own, text) || whole.includes(core(own))
    },
  }
  return [
    {
      do: 'if',
      condition: when,
      steps: [
        { do: 'keys', keys: ROUND },
        {
          do: 'see',
          condition: composerEmpty,
          withinMs: 1500,
          code: 'timeout',
          retry: { when: rest, steps: [{ do: 'keys', keys: ROUND }], times: ROUNDS },
        },
      ],
    },
  ]
}

/** The box holds the text, or what a hand-over of images left behind when it failed. */
export function oursInBox(text: string): Condition {
  return {
    name: 'the prompt box holds what was handed over',
    holds: ({ reading }) => {
      const shown = reading?.composer?.text ?? ''
      if (shown === '') return false
      return showsText(withoutImages(shown), text) || IMAGE_PATH.test(shown)
    },
  }
}
