/**
 * @module web/model/visible - hostile characters made visible, for every text that comes from a program or a model.
 *
 * Control characters and the codes that reorder a line (bidi embeddings, overrides, isolates) can show a person
 * another text than the one that runs. Marks that only help a right-to-left text (LRM, RLM) stay.
 */

const HOSTILE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb]/
const HOSTILE_ALL = new RegExp(HOSTILE.source, 'g')
const COLOURS = /\u001b\[[\d;:]*m/g

/** The text with each hostile character written out. */
export function visible(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n/g, '\n') : text
  return HOSTILE.test(lines) ? lines.replace(HOSTILE_ALL, name) : lines
}

/** The same for a program's output, whose colours are dropped. */
export function visibleOutput(text: string): string {
  return visible(text.includes('\u001b') ? text.replace(COLOURS, '') : text)
}

function name(character: string): string {
  const code = character.charCodeAt(0)
  // The pictures of the C0 controls.
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '\u2421'
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
}
