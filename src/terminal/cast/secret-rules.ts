/** @module terminal/cast/secret-rules - a rule by which a recording replaces text, and the patterns that rules are made of. */

export interface Rule {
  readonly name: string
  /** What stands there instead, cut or padded to the same cells; stars when null. */
  readonly instead: string | null
  readonly full: RegExp
  /** Stands in whatever `full` finds or looks back on: most text is without it, and is not searched. */
  readonly needle?: string
  /** Matches a beginning at the very end of a text that more text could make a find (or a longer one). */
  readonly open: { exec(text: string): { readonly index: number } | null }
}

/** `sk-` as `s(?:k(?:-BODY*)?)?`: every beginning of the literal, and all of it with what it goes on with. */
export function beginning(literal: string, body: string): string {
  const rest = body === '' ? '' : `${body}*`
  return [...literal].reduceRight(
    (inner, char, i) => (i === 0 ? `${escaped(char)}${inner}` : `(?:${escaped(char)}${inner})?`),
    rest,
  )
}

/** The text as a pattern that matches nothing else. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}
