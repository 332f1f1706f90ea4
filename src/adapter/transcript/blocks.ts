/** @module adapter/transcript/blocks - rows to blocks by a grammar's rules, reading again only what changed. Pure. */
import type { BlockRule } from '../grammar.js'
import { isBlank, type Row } from '../row.js'

/** Neighbouring rows that one rule owns. `rule` is null for rows that no rule knows. */
export interface Block {
  readonly rule: BlockRule | null
  /** Number of its first row. */
  readonly from: number
  /** Without blank rows at its end. */
  readonly rows: readonly Row[]
}

interface Draft {
  rule: BlockRule | null
  from: number
  rows: Row[]
}

/**
 * Goes on reading. `known` are the blocks of the rows before `from`; `rows` begin with number `from`.
 * Rows before `from` are as they were; the last known block may go on.
 */
export function parseBlocks(
  rules: readonly BlockRule[],
  known: readonly Block[],
  rows: readonly Row[],
  from: number,
  cols: number,
): Block[] {
  const done: Block[] = [...known]
  let open: Draft | null = null
  const last = done.at(-1)
  if (last) {
    done.pop()
    // Blank rows between the block and here were cut from it.
    open = { rule: last.rule, from: last.from, rows: [...last.rows] }
  }
  let above: Row | null = open?.rows.at(-1) ?? null
  const close = () => {
    if (open && open.rows.length > 0) done.push(trimmed(open))
    open = null
  }
  rows.forEach((row, n) => {
    const below = rows[n + 1] ?? null
    const current: Draft | null = open
    const place = {
      above,
      below,
      cols,
      open: current?.rule ? { rule: current.rule, rows: current.rows } : null,
    }
    above = row
    if (row.wrapped && current) {
      current.rows.push(row)
      return
    }
    if (isBlank(row)) {
      if (current && !current.rule?.endsAtBlank) current.rows.push(row)
      else close()
      return
    }
    const rule = rules.find((r) => r.starts(row, place))
    if (rule) {
      close()
      open = { rule, from: from + n, rows: [row] }
    } else if (current && (goesOn(current) || current.rule?.continues(row, place))) {
      current.rows.push(row)
    } else {
      close()
      open = { rule: null, from: from + n, rows: [row] }
    }
  })
  close()
  return done
}

/** Rows that no rule knows go on; so does a block whose head is not among the rows, and of which nothing was read yet. */
const goesOn = (block: Draft): boolean => block.rule === null || block.rows.length === 0

function trimmed(draft: Draft): Block {
  let end = draft.rows.length
  while (end > 0 && isBlank(draft.rows[end - 1] as Row)) end -= 1
  return { rule: draft.rule, from: draft.from, rows: draft.rows.slice(0, end) }
}
