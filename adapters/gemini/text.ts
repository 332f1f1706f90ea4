/** @module adapters/gemini/text - an answer as Gemini CLI draws it, back to the text that was written. Pure. */
import { isNumberedCode, numberedText, type Row } from '../../src/adapter/index.js'
import { drawings, joined } from './leftover.js'

/** The bullet and its blank; the rows below are indented as far. */
const INDENT = 2

/** The text of an answer, put together where it was drawn more than once. */
export function answerOf(rows: readonly Row[], cols: number): string {
  return drawings(rows)
    .map((part) => numberedText(part, { cols, indent: INDENT }))
    .reduce((text, later) => (text === '' ? later : joined(text, later)), '')
}

/** A numbered line of code. */
export const isCodeRow = (row: Row): boolean => isNumberedCode(row, INDENT)
