/**
 * @module Input to a pane as tmux commands that cannot hit a dead one.
 *
 * Everything goes in as a buffer that is pasted raw, and not by `send-keys`: it reaches the program even while a person
 * looks back in copy mode, and 100 KB take 30 ms. Pasting into a dead pane segfaults the server (3.3a), so the check
 * and the paste are one command list, in which no event can come between.
 */
import { command, quoteBytes, sequence } from './tmux-quote.js'

/** What the list prints instead of doing anything when the program has ended. */
export const PANE_DEAD = 'meow-pane-dead'

const guarded = (pane: string, alive: string): string =>
  command('if-shell', '-F', '-t', pane, '#{pane_dead}', command('display-message', '-p', PANE_DEAD), alive)

const setBuffer = (name: string, bytes: Uint8Array): string =>
  `${command('set-buffer', '-b', name)} -- ${quoteBytes(bytes)}`

const dropBuffer = (name: string): string => command('delete-buffer', '-b', name)

/** One paste, in brackets when the program asked for them; `-r` keeps line feeds. */
export const pasteCommands = (pane: string, text: string): string =>
  sequence(
    setBuffer('meow-paste', Buffer.from(text, 'utf8')),
    guarded(
      pane,
      sequence(
        // In copy mode tmux would ask the mode, not the program, about brackets: leave it.
        command('copy-mode', '-q', '-t', pane),
        command('paste-buffer', '-p', '-r', '-b', 'meow-paste', '-t', pane),
      ),
    ),
    dropBuffer('meow-paste'),
  )

/** Buffers to set, commands that give them to the program, buffers to drop again. */
interface RawInput {
  readonly set: readonly string[]
  readonly give: string
  readonly drop: readonly string[]
}

const rawInput = (pane: string, bytes: Uint8Array, prefix: string): RawInput => {
  const set: string[] = []
  const give: string[] = []
  const drop: string[] = []
  let start = 0
  for (let end = 0; end <= bytes.length; end++) {
    if (end < bytes.length && bytes[end] !== 0) continue
    if (end > start) {
      const name = `${prefix}-${set.length}`
      set.push(setBuffer(name, bytes.subarray(start, end)))
      give.push(command('paste-buffer', '-r', '-b', name, '-t', pane))
      drop.push(dropBuffer(name))
    }
    // A buffer cannot hold NUL (C-Space); as a key it would go to copy mode.
    if (end < bytes.length)
      give.push(command('copy-mode', '-q', '-t', pane), command('send-keys', '-t', pane, '-H', '00'))
    start = end + 1
  }
  return { set, give: sequence(...give), drop }
}

/** Exactly these bytes. */
export const writeCommands = (pane: string, bytes: Uint8Array): string => {
  const { set, give, drop } = rawInput(pane, bytes, 'meow')
  return sequence(...set, guarded(pane, give), ...drop)
}

/** One of two encodings, by the program's cursor-key mode at that moment. */
export const cursorKeyCommands = (pane: string, normal: Uint8Array, application: Uint8Array): string => {
  const plain = rawInput(pane, normal, 'meow-n')
  const other = rawInput(pane, application, 'meow-a')
  const give = command('if-shell', '-F', '-t', pane, '#{keypad_cursor_flag}', other.give, plain.give)
  return sequence(...plain.set, ...other.set, guarded(pane, give), ...plain.drop, ...other.drop)
}
