/**
 * @module The two modes that decide how input is encoded, followed in a program's raw output (tmux keeps its own).
 */

/** DECSET/DECRST/RIS, complete. Parameters may be many: `ESC [ ? 1 ; 2004 h`. */
const CHANGE = /\x1b(?:\[\?([\d;]*)([hl])|c)/g
/** The beginning of such a sequence at the end of a chunk; the rest comes with the next one. */
const UNFINISHED = /\x1b(?:\[(?:\?[\d;]{0,64})?)?$/

/** Bytes in any chunks, modes out. */
export class PtyModes {
  applicationCursor = false
  bracketedPaste = false
  #held = ''

  feed(bytes: Uint8Array): void {
    // Latin-1 keeps each byte one character; the sequences are ASCII, whatever is between them.
    const text = this.#held + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    for (const [, parameters, final] of text.matchAll(CHANGE)) {
      if (final === undefined) {
        this.applicationCursor = false
        this.bracketedPaste = false
        continue
      }
      for (const parameter of (parameters ?? '').split(';')) {
        if (parameter === '1') this.applicationCursor = final === 'h'
        if (parameter === '2004') this.bracketedPaste = final === 'h'
      }
    }
    this.#held = UNFINISHED.exec(text)?.[0] ?? ''
  }
}
