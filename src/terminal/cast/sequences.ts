/** @module terminal/cast/sequences - tells the text of a terminal's stream from its escape sequences, one character at a time. */

/**
 * What a character is. `text`: drawn on the screen; `payload`: text inside an OSC, DCS or APC string (a title, a link);
 * `silent`: part of a sequence that leaves the cursor where it is (colours, modes); `break`: what comes after it is
 * drawn elsewhere, or belongs to something else.
 */
export type CharClass = 'text' | 'payload' | 'silent' | 'break'

type State = 'ground' | 'escape' | 'intermediate' | 'csi' | 'string' | 'stringEscape'

/** Controls that move nothing: NUL, BEL, shift out and in. */
const QUIET = new Set(['\x00', '\x07', '\x0e', '\x0f'])
/** Openers of strings, as ESC and as one C1 character. */
const STRINGS = new Set([']', 'P', '_', '^', 'X', '\x9d', '\x90', '\x9f', '\x9e', '\x98'])
/** Finals of CSI that draw and move nothing: SGR, modes. */
const STILL_CSI = new Set(['m', 'h', 'l'])
const STILL_ESCAPES = new Set(['=', '>'])

/** Follows one stream over all its chunks. */
export class SequenceReader {
  #state: State = 'ground'

  /** True between sequences: a cut here cuts none. */
  get atGround(): boolean {
    return this.#state === 'ground'
  }

  /** The class of the stream's next character (a whole code point). */
  next(char: string): CharClass {
    if (this.#state === 'ground') return this.#ground(char)
    if (this.#state === 'string') return this.#string(char)
    if (this.#state === 'stringEscape') {
      if (char === '\\') return this.#to('ground', 'break')
      this.#state = 'escape'
    }
    if (char === '\x1b') return this.#to('escape', 'silent')
    if (char === '\x18' || char === '\x1a') return this.#to('ground', 'break')
    // Controls inside a sequence are obeyed at once, and the sequence goes on.
    if (char < ' ') return QUIET.has(char) ? 'silent' : 'break'
    if (this.#state === 'escape') return this.#escape(char)
    if (this.#state === 'intermediate') return char <= '/' ? 'silent' : this.#to('ground', 'silent')
    if (char >= '@') return this.#to('ground', STILL_CSI.has(char) ? 'silent' : 'break')
    return 'silent'
  }

  #ground(char: string): CharClass {
    if (char >= ' ' && char < '\x7f') return 'text'
    if (char === '\x1b') return this.#to('escape', 'silent')
    if (char < ' ') return QUIET.has(char) ? 'silent' : 'break'
    if (char > '\x9f') return 'text'
    if (char === '\x9b') return this.#to('csi', 'silent')
    return STRINGS.has(char) ? this.#to('string', 'break') : 'break'
  }

  #escape(char: string): CharClass {
    if (char === '[') return this.#to('csi', 'silent')
    if (STRINGS.has(char)) return this.#to('string', 'break')
    if (char <= '/') return this.#to('intermediate', 'silent')
    return this.#to('ground', STILL_ESCAPES.has(char) ? 'silent' : 'break')
  }

  #string(char: string): CharClass {
    if (char === '\x07' || char === '\x9c' || char === '\x18' || char === '\x1a')
      return this.#to('ground', 'break')
    return char === '\x1b' ? this.#to('stringEscape', 'silent') : 'payload'
  }

  #to(state: State, told: CharClass): CharClass {
    this.#state = state
    return told
  }
}

/**
 * Where a sequence or a character that is not whole begins at the end of these bytes; their length when all is whole.
 * The bytes must begin where none is open, or far enough before.
 */
export function openTail(bytes: Uint8Array): number {
  const reader = new SequenceReader()
  const whole = bytes.length - partialCharacter(bytes)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, whole).toString('latin1')
  let begun = 0
  // Sequences are ASCII, and a byte of a longer character is none of theirs: one character a byte is exact here.
  for (let i = 0; i < text.length; i += 1) {
    if (reader.atGround) begun = i
    const char = text[i] ?? ''
    reader.next(char > '\x7f' ? '~' : char)
  }
  return reader.atGround ? whole : begun
}

/** How many bytes at the end are the beginning of a UTF-8 character whose rest is missing, 0 to 3. */
export function partialCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return back < wanted ? back : 0
  }
  return 0
}
