/** @module adapters/qwen/text - an answer as Qwen Code draws it, back to the text that was written. Pure. */
import { numberedText, type Row } from '../../src/adapter/index.js'

/** The bullet and its blank; the rows below are indented as far. */
const INDENT = 4
/** Columns that the program leaves free at the right. */
const RIGHT = 2

export const answerOf = (rows: readonly Row[], cols: number): string =>
  numberedText(rows, { cols, indent: INDENT, right: RIGHT })
