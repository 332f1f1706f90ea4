/** @module cli/detach-key - the one key that leaves a session on the pty backend, and what else is kept from it. */

/** Ctrl-] as a plain byte, in the kitty keyboard protocol, and with modifyOtherKeys. */
const DETACH = /\u001d|\u001b\[93;5(?::[12])?u|\u001b\[27;5;93~/

export const DETACH_KEY_NAME = 'Ctrl-]'

/**
 * Answers of the person's own terminal to questions that the vendor's program asked of ITS terminal. That terminal has
 * answered already; a second answer would be typed into the prompt box.
 */
const ANSWERS =
  /\u001b\[[?>=][\d;]*[cnR]|\u001b\[0n|\u001b\[\?[\d;]*\$y|\u001b\[\?\d+u|\u001b[P_\]][^\u0007\u001b]*(?:\u0007|\u001b\\)/g

/** What of the input goes to the program, and whether the person wants to leave. */
export function splitInput(bytes: Uint8Array): { forward: Uint8Array; detach: boolean } {
  // Latin-1 keeps every byte as one character, so that nothing is changed by looking at it.
  const text = Buffer.from(bytes).toString('latin1')
  const found = DETACH.exec(text)
  const before = (found === null ? text : text.slice(0, found.index)).replaceAll(ANSWERS, '')
  return { forward: Buffer.from(before, 'latin1'), detach: found !== null }
}

/** A screen of its own, so that what the person had on theirs comes back afterwards. */
export const TERMINAL_ENTER = '\u001b[?1049h\u001b[2J\u001b[H'

/**
 * Takes back every mode that a vendor's program may have set on the person's terminal. A program that left the screen
 * by itself may have written on the person's: what stands below the cursor is its farewell, and goes.
 */
export const TERMINAL_RESET = [
  '\u001b[?2026l',
  '\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1004l\u001b[?1006l\u001b[?2004l',
  '\u001b[<u\u001b[>4;0m',
  '\u001b[r\u001b[0m\u001b[?1049l\u001b[0m\u001b[?25h\u001b[J',
].join('')
