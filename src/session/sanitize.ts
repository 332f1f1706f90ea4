/** @module session/sanitize - what may be typed into a terminal. */

/** C0 but tab and newline, DEL, C1, line and paragraph separators; ESC among them, so no paste terminator survives. */
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/gu

/** A prompt as it may be handed to a terminal: newlines as LF, no control characters but newline and tab. */
export function sanitize(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(FORBIDDEN, '')
}
