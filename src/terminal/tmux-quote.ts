/**
 * @module Anything as one argument of a tmux command line (the control client's stdin, not a shell).
 */
import { MeowError } from '../protocol/errors.js'

/**
 * Bytes as one double-quoted argument. Everything but plain ASCII becomes a three-digit octal escape, so that neither
 * the line protocol (newline), nor tmux's lexer (quote, backslash, `$`, a leading `~`), nor a locale sees it.
 * Format expansion (`#{}`) is a matter of the command that gets the argument, not of quoting.
 * Throws `invalid_argument` on NUL, which no tmux argument can hold.
 */
export const quoteBytes = (bytes: Uint8Array): string => {
  let out = '"'
  for (const byte of bytes) {
    if (byte === 0) throw new MeowError('invalid_argument', 'a tmux argument cannot hold a NUL')
    // 0x22 quote, 0x24 dollar, 0x5c backslash, 0x7e tilde
    const plain = byte >= 0x20 && byte < 0x7e && byte !== 0x22 && byte !== 0x24 && byte !== 0x5c
    out += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  }
  return `${out}"`
}

/** Text as one argument, as UTF-8. */
export const quote = (text: string): string => quoteBytes(Buffer.from(text, 'utf8'))

/** One command of quoted arguments. Join several with `sequence`. */
export const command = (name: string, ...args: readonly string[]): string =>
  [name, ...args.map(quote)].join(' ')

/** Commands that tmux runs in one go: a failing one takes the rest with it. */
export const sequence = (...commands: readonly string[]): string => commands.join(' ; ')

/** Text as one word of `/bin/sh`. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
