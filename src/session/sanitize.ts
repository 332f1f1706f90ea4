/** @module session/sanitize - what may be typed into a terminal. */

/** C0 but tab and newline, DEL, C1, line and paragraph separators; ESC among them, so no paste terminator survives. */
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/gu

/** A prompt as it may be handed to a terminal: newlines as LF, no control characters but newline and tab. */
export function sanitize(text: string): string {
  // A lone surrogate has no UTF-8: it would arrive as something else than it is told.
  return Buffer.from(text, 'utf8').toString('utf8').replace(/\r\n?/g, '\n').replace(FORBIDDEN, '')
}
