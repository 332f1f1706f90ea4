/**
 * @module The keys that a terminal can press, by one table of names for both backends, and their bytes.
 *
 * The bytes are xterm's legacy encoding, which every harness measured accepts even after it asked for
 * modifyOtherKeys or the kitty protocol. Only the cursor keys have two forms (DECCKM, application cursor mode).
 */
import { MeowError } from '../protocol/errors.js'

type Letter =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z')
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
type Arrow = 'Up' | 'Down' | 'Left' | 'Right'
type CursorKey = Arrow | 'Home' | 'End'
type EditKey = 'Insert' | 'Delete' | 'PageUp' | 'PageDown'
type FunctionKey = `F${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12}`
type PlainKey = 'Enter' | 'Escape' | 'Tab' | 'BTab' | 'Space' | 'BSpace'

/** A key by tmux's name for it, a digit or letter by itself: `C-` control, `M-` meta (ESC before it), `S-` shift, `BTab` shift+tab. */
export type KeyName =
  | PlainKey
  | Digit
  | Letter
  | CursorKey
  | EditKey
  | FunctionKey
  | `C-${Letter}`
  | `M-${Letter}`
  | `${'S' | 'M' | 'C'}-${CursorKey}`
  | ('C-Space' | 'C-\\' | 'C-]' | 'M-Enter' | 'M-BSpace')

const CURSOR: Readonly<Record<CursorKey, string>> = {
  Up: 'A',
  Down: 'B',
  Right: 'C',
  Left: 'D',
  Home: 'H',
  End: 'F',
}
/** xterm's modifier parameter: 1 + (shift 1, meta 2, control 4). */
const MODIFIER = { S: 2, M: 3, C: 5 } as const

const fixed = new Map<string, string>([
  ['Enter', '\r'],
  ['Escape', '\x1b'],
  ['Tab', '\t'],
  ['BTab', '\x1b[Z'],
  ['Space', ' '],
  ['BSpace', '\x7f'],
  ['Insert', '\x1b[2~'],
  ['Delete', '\x1b[3~'],
  ['PageUp', '\x1b[5~'],
  ['PageDown', '\x1b[6~'],
  ['C-Space', '\0'],
  ['C-\\', '\x1c'],
  ['C-]', '\x1d'],
  ['M-Enter', '\x1b\r'],
  ['M-BSpace', '\x1b\x7f'],
])
// A dialog takes a digit or letter as a key, and not as a paste.
for (const key of '0123456789abcdefghijklmnopqrstuvwxyz') fixed.set(key, key)
for (const [index, final] of ['P', 'Q', 'R', 'S'].entries()) fixed.set(`F${index + 1}`, `\x1bO${final}`)
for (const [index, code] of [15, 17, 18, 19, 20, 21, 23, 24].entries())
  fixed.set(`F${index + 5}`, `\x1b[${code}~`)
for (let code = 0x61; code <= 0x7a; code++) {
  const letter = String.fromCharCode(code)
  fixed.set(`C-${letter}`, String.fromCharCode(code & 0x1f))
  fixed.set(`M-${letter}`, `\x1b${letter}`)
}
for (const [name, final] of Object.entries(CURSOR))
  for (const [prefix, parameter] of Object.entries(MODIFIER))
    fixed.set(`${prefix}-${name}`, `\x1b[1;${parameter}${final}`)

/** Whether a name from outside (a web client, a script) is in the table. */
export const isKeyName = (name: string): name is KeyName => fixed.has(name) || Object.hasOwn(CURSOR, name)

/** Every name in the table. */
export const keyNames: readonly KeyName[] = [...Object.keys(CURSOR), ...fixed.keys()].filter(isKeyName)

/**
 * The bytes of some keys. Throws `invalid_argument` on a name that is not in the table.
 * @param applicationCursor the program set DECCKM, so that an arrow is `ESC O A` and not `ESC [ A`
 */
export const keyBytes = (names: readonly string[], applicationCursor: boolean): string =>
  names
    .map((name) => {
      if (Object.hasOwn(CURSOR, name))
        return `\x1b${applicationCursor ? 'O' : '['}${CURSOR[name as CursorKey]}`
      const bytes = fixed.get(name)
      if (bytes === undefined) throw new MeowError('invalid_argument', `unknown key: ${name}`)
      return bytes
    })
    .join('')

/** Whether the bytes depend on the cursor-key mode at all. */
export const dependsOnCursorMode = (names: readonly string[]): boolean =>
  names.some((name) => Object.hasOwn(CURSOR, name))
